//! What the results of a file of `--resume` have in common.

use serde::{Deserialize, Serialize};

use crate::report::run::Setting;
use crate::report::{Comparable, Entries, entries};

/// What the results of a file have in common.
#[derive(Clone, Serialize, Deserialize)]
pub struct Header {
    pub setting: Setting,
    pub policy: String,
    pub playouts: u32,
    pub candidates: u32,
    pub open: String,
    /// The boards: the first index, and the last.
    pub boards: (i64, i64),
}

impl Comparable for Header {
    fn entries(&self) -> Entries {
        let Header { setting, policy, playouts, candidates, open, boards } = self;
        let (first, last) = boards;
        let mut all = setting.entries();
        all.extend(entries(
            "ceiling",
            [
                ("policy", policy.clone()),
                ("playouts", playouts.to_string()),
                ("candidates", candidates.to_string()),
                ("open", open.clone()),
                ("boards", format!("{first}..{last}")),
            ],
        ));
        all
    }
}
