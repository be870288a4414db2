//! Bins of guesses as they are reported: the odds beside the mines that were hit.

use analysis::adjusted::luck::Luck;
use comfy_table::Table;
use serde::Serialize;

use super::guess_bins::GuessBins;
use super::statistics::wilson;
use super::table::Format::{Decimals, Signed};
use super::table::{Column, table};

/// The guesses whose odds are in this range.
#[derive(Serialize)]
pub struct BinReport {
    pub from: f64,
    pub to: f64,
    pub guesses: u64,
    pub mines: u64,
    /// The mean of the odds.
    pub predicted: f64,
    /// The share of mines.
    pub observed: f64,
    /// The 95 % interval of this share.
    pub interval: (f64, f64),
    /// The mines less those predicted, in standard deviations.
    pub z: f64,
}

/// The columns of the table.
const COLUMNS: [Column<BinReport>; 8] = [
    ("from", |bin| Decimals(2).text(&bin.from)),
    ("to", |bin| Decimals(2).text(&bin.to)),
    ("guesses", |bin| Decimals(0).text(&bin.guesses)),
    ("mines", |bin| Decimals(0).text(&bin.mines)),
    ("predicted", |bin| Decimals(4).text(&bin.predicted)),
    ("observed", |bin| Decimals(4).text(&bin.observed)),
    ("95 %", |bin| Decimals(4).text(&bin.interval)),
    ("z", |bin| Signed(2).text(&bin.z)),
];

impl BinReport {
    /// The guesses of a bin, which has some.
    pub fn of(from: f64, to: f64, bin: &Luck) -> BinReport {
        let Luck { guesses, hits, expected, .. } = *bin;
        BinReport {
            from,
            to,
            guesses,
            mines: hits,
            predicted: expected / guesses as f64,
            observed: hits as f64 / guesses as f64,
            interval: wilson(hits, guesses),
            z: bin.deviation(),
        }
    }
}

/// The bins that have guesses, by their odds.
pub fn bin_reports(bins: &GuessBins) -> Vec<BinReport> {
    bins.bins().map(|(from, to, bin)| BinReport::of(from, to, bin)).collect()
}

/// The table of these bins, with a row of all guesses.
pub fn bins_table(bins: &[BinReport], total: &BinReport) -> Table {
    let mut table = table(&COLUMNS, bins);
    let of_all = COLUMNS[2..].iter().map(|(_, text)| text(total));
    table.add_row(["all", "-"].map(str::to_owned).into_iter().chain(of_all));
    table
}
