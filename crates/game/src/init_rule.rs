//! `rule` and `first` in the init data of a record: the promise of the classic rules about the
//! first cell. Botzone has no such keys.

use serde_json::{Map, Value, json};

use super::rule::{Rule, Start};
use sapper::board::geometry::Shape;

/// The rule that init data names; Botzone's without a `rule`. `None` if it names no rule, or if its
/// first cell is no cell of the field.
pub fn read(initdata: &Map<String, Value>, shape: Shape) -> Option<Start> {
    let Some(rule) = initdata.get("rule") else { return Some(Start::CHOSEN) };
    let rule: Rule = rule.as_str()?.parse().ok()?;
    if !rule.is_classic() {
        return Some(Start::CHOSEN);
    }
    let first = initdata.get("first")?;
    let first = shape.cell(first["row"].as_i64()?, first["col"].as_i64()?)?;
    Some(Start::new(rule, first))
}

/// Adds a rule to init data; nothing for Botzone's.
pub fn write(initdata: &mut Value, start: Start, shape: Shape) {
    if let Some(first) = start.first() {
        initdata["rule"] = json!(start.rule().name());
        initdata["first"] = json!({"row": shape.row(first), "col": shape.column(first)});
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::botzone::BotzoneJudge;
    use crate::setup::{Setup, SetupError, SizeLimits};

    fn setup(rule: &Value) -> Result<Setup, SetupError> {
        let mut given = json!({"width": 4, "height": 3, "minecount": 2, "seed": 1});
        given.as_object_mut().unwrap().extend(rule.as_object().unwrap().clone());
        Setup::read(&given, SizeLimits::AnySize, 0)
    }

    #[test]
    fn a_rule_is_read_as_it_was_written() {
        for name in ["safe-first", "open-first"] {
            let rule = json!({"rule": name, "first": {"row": 2, "col": 1}});
            let setup = setup(&rule).unwrap();
            assert_eq!(setup.start.rule().name(), name);
            assert_eq!(setup.start.first(), setup.shape.cell(2, 1));
            assert_eq!(
                Setup::read(&setup.to_initdata(), SizeLimits::AnySize, 0),
                Ok(setup.clone())
            );
            assert!(!setup.is_official());
            assert!(setup.start.is_kept_by(&setup.field().unwrap().0));
        }
        for botzone in [json!({}), json!({"rule": "botzone"})] {
            assert_eq!(setup(&botzone).unwrap().start, Start::CHOSEN);
        }
    }

    #[test]
    fn what_names_no_rule_and_a_field_that_breaks_one_are_refused() {
        for rule in [
            json!({"rule": "none", "first": {"row": 0, "col": 0}}),
            json!({"rule": 7, "first": {"row": 0, "col": 0}}),
            json!({"rule": "safe-first"}),
            json!({"rule": "safe-first", "first": {"row": 3, "col": 0}}),
            json!({"rule": "safe-first", "first": {"row": 0}}),
        ] {
            assert_eq!(setup(&rule), Err(SetupError::Rule), "{rule}");
        }
        let rule = json!({"rule": "open-first", "first": {"row": 0, "col": 0},
            "field": "119111111000"});
        let near = BotzoneJudge::new(&setup(&rule).unwrap());
        assert!(matches!(near, Err(SetupError::Promise)), "{near:?}");
    }
}
