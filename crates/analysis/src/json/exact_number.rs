//! Numbers that come back from JSON as they were written.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

/// Reads a number as the nearest `f64`, which is the one that was written. serde_json's own reader
/// is faster, and may be off by the last bit.
pub fn exact_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let json = Box::<RawValue>::deserialize(deserializer)?;
    json.get().parse().map_err(|_| D::Error::custom("expected a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Row {
        #[serde(deserialize_with = "exact_number")]
        score: f64,
    }

    #[test]
    fn every_number_is_read_as_it_was_written() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..10_000 {
            let score = 100.0 * random.f64();
            let text = serde_json::json!({ "score": score }).to_string();
            let row: Row = serde_json::from_str(&text).unwrap();
            assert_eq!(row.score.to_bits(), score.to_bits(), "{text}");
        }
        assert!(serde_json::from_str::<Row>(r#"{"score":"1"}"#).is_err());
        assert!(serde_json::from_str::<Row>(r#"{"score":null}"#).is_err());
    }
}
