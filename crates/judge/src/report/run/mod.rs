//! The report of a run in process, and the shards that a long run consists of.
//!
//! [`setting::Setting`] states what is played and how, [`counts::Counts`] are sums over the games
//! ([`adjusted`] those without the luck of the guesses),
//! [`shard`] is the file that grows during a run, and [`merged::Merged`] has the results of all
//! shards of a run. [`RunReport`] is the report.
//!
//! Invariant: counts are integers, so the report does not depend on the division into shards.

mod adjusted;
mod counts;
mod merged;
mod setting;
mod shard;
mod view;

pub use adjusted::{AdjustedCounts, UNITS, adjusted_result, adjusted_units};
pub use counts::Counts;
pub use merged::Merged;
pub use setting::Setting;
pub use shard::{Header, Shard};
pub use view::{ExploredReport, RunReport};
