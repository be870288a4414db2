//! The chance to win of a position, told in parts: each request asks for more playouts.
//!
//! The page asks for a few playouts at a time, so that no other request waits long. The chances of
//! the last position are kept; an analysis begins with them, because the page asks about it next.
//!
//! Invariant: an answer depends on the request alone. For fewer playouts than were made, or another
//! position, they begin anew.

use super::answer::{ChanceAnswer, PageAnswer};
use super::request::PageRequest;
use analysis::Analysis;
use analysis::chance::{Chances, MOST_CELLS, POLICY, SEED, STEP};
use analysis::json::chance::ChanceReport;
use sapper::settings::params::{Effort, Objective};

/// What the chances depend on: the position, the setting and the most cells.
type ChanceKey = (String, Objective, Effort, usize);

/// The position whose chances were told last.
#[derive(Default)]
pub struct LastChance {
    kept: Option<(ChanceKey, Chances)>,
}

impl LastChance {
    /// Whether the request asks for more of what is kept.
    pub fn has(&self, request: &PageRequest) -> bool {
        self.kept.as_ref().is_some_and(|(key, chances)| {
            *key == key_of(request) && chances.playouts() <= request.playouts
        })
    }

    /// Begins with the analysis of a request. As in `judge explain`, there is no chance without a
    /// mine count: then the analysis has a density.
    pub fn begin(&mut self, request: &PageRequest, analysis: &Analysis, density: Option<f64>) {
        let objective = request.objective;
        let kept = self.kept.take().filter(|((_, kept, ..), _)| *kept == objective);
        if density.is_some() {
            return;
        }
        let mut chances =
            kept.map_or_else(|| Chances::new(objective, POLICY, || false), |(_, chances)| chances);
        let key @ (.., most) = key_of(request);
        chances.begin(analysis, most, SEED);
        self.kept = Some((key, chances));
    }

    /// The chances after the playouts that the request asks for; where these are too few to tell
    /// how uncertain a chance is, only exact ones.
    pub fn answer(&mut self, request: &PageRequest) -> PageAnswer {
        let Some((_, chances)) = &mut self.kept else {
            return PageAnswer::Chance(ChanceAnswer { chance: None, goes_on: false });
        };
        let mut goes_on = chances.takes_playouts();
        while goes_on && chances.playouts() < request.playouts {
            goes_on = chances.playout();
        }
        let is_told = !chances.takes_playouts() || chances.playouts() >= STEP;
        let report = || {
            let shape = chances.board().shape();
            ChanceReport::new(&chances.cells(), shape, request.objective, POLICY)
        };
        PageAnswer::Chance(ChanceAnswer { chance: is_told.then(report).flatten(), goes_on })
    }
}

/// Of as many cells as the judge tells, unless the request says how many.
fn key_of(request: &PageRequest) -> ChanceKey {
    let field = request.field.clone().unwrap_or_default();
    (field, request.objective, request.effort, request.most.unwrap_or(MOST_CELLS))
}
