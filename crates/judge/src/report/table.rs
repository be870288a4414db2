//! A report as tables.
//!
//! A report is a struct: `--json` prints its fields, and a table shows some of them. Each column
//! takes its value from the struct of a row, so a column of a field that does not exist does not
//! compile.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::Range;

use comfy_table::{CellAlignment, Row, Table, presets::ASCII_MARKDOWN};

/// How the numbers of a column are printed.
#[derive(Clone, Copy)]
pub enum Format {
    /// With this number of decimals; integers without decimals.
    Decimals(usize),
    /// The same with a sign, except for zero.
    Signed(usize),
    /// As a percentage of 1, with this number of decimals.
    Percent(usize),
    /// The same with a sign.
    SignedPercent(usize),
}

/// The title of a column, and the text of its value in a row.
pub type Column<R> = (&'static str, fn(&R) -> String);

/// A value that a table can show.
pub trait Shown {
    /// The value as text.
    fn shown(&self, format: Format) -> String;
}

impl Format {
    /// A value as text.
    pub fn text(self, value: &(impl Shown + ?Sized)) -> String {
        value.shown(self)
    }
}

/// A number that does not exist, such as the mean of no games, is `-`.
impl Shown for f64 {
    fn shown(&self, format: Format) -> String {
        match format {
            _ if !self.is_finite() => "-".to_owned(),
            Format::Decimals(decimals) => unsigned_zero(format!("{self:.decimals$}")),
            Format::Signed(decimals) => unsigned_zero(format!("{self:+.decimals$}")),
            Format::Percent(decimals) => (100.0 * self).shown(Format::Decimals(decimals)),
            Format::SignedPercent(decimals) => (100.0 * self).shown(Format::Signed(decimals)),
        }
    }
}

macro_rules! show_integers {
    ($($integer:ty)*) => {$(
        impl Shown for $integer {
            fn shown(&self, format: Format) -> String {
                match format {
                    Format::Decimals(_) => self.to_string(),
                    _ => (*self as f64).shown(format),
                }
            }
        }
    )*};
}
show_integers!(u16 u32 u64 usize i32 i64);

impl Shown for str {
    fn shown(&self, _: Format) -> String {
        self.to_owned()
    }
}

impl Shown for String {
    fn shown(&self, _: Format) -> String {
        self.clone()
    }
}

/// A value that is not known is `-`.
impl<T: Shown> Shown for Option<T> {
    fn shown(&self, format: Format) -> String {
        self.as_ref().map_or("-".to_owned(), |value| value.shown(format))
    }
}

/// The ends of an interval.
impl Shown for (f64, f64) {
    fn shown(&self, format: Format) -> String {
        let separator = match format {
            Format::Signed(_) | Format::SignedPercent(_) => " to ",
            Format::Decimals(_) | Format::Percent(_) => "-",
        };
        self.0.shown(format) + separator + &self.1.shown(format)
    }
}

/// Counts by name.
impl<N: Display, C: Display> Shown for BTreeMap<N, C> {
    fn shown(&self, _: Format) -> String {
        if self.is_empty() { "none".to_owned() } else { counts_text(self) }
    }
}

/// Texts.
impl Shown for BTreeSet<String> {
    fn shown(&self, _: Format) -> String {
        let texts: Vec<&str> = self.iter().map(String::as_str).collect();
        if texts.is_empty() { "none".to_owned() } else { texts.join("; ") }
    }
}

/// An empty table in the style of all tables.
pub fn empty<R: Into<Row>>(titles: R) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_header(titles);
    table
}

/// Aligns the cells of these columns to the right.
pub fn right_align(table: &mut Table, columns: Range<usize>) {
    for column in table.column_iter_mut().take(columns.end).skip(columns.start) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// A table with a line for each of these rows.
pub fn table<'r, R: 'r>(columns: &[Column<R>], rows: impl IntoIterator<Item = &'r R>) -> Table {
    let mut table = empty(columns.iter().map(|(title, _)| *title));
    for row in rows {
        table.add_row(columns.iter().map(|(_, text)| text(row)));
    }
    table
}

/// Counts by name, such as `2 crash, 1 timeout`.
pub fn counts_text(counts: impl IntoIterator<Item = (impl Display, impl Display)>) -> String {
    let counts = counts.into_iter().map(|(name, count)| format!("{count} {name}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// A number as text, without the sign of a zero.
fn unsigned_zero(text: String) -> String {
    let is_zero = text.chars().all(|sign| matches!(sign, '+' | '-' | '0' | '.'));
    if is_zero { text.replace(['+', '-'], "") } else { text }
}

#[cfg(test)]
mod tests {
    use super::Format::{Decimals, Percent, Signed, SignedPercent};
    use super::*;

    #[test]
    fn values_are_printed_by_their_kind_and_format() {
        let counts = BTreeMap::from([("crash", 2), ("timeout", 1)]);
        let texts = BTreeSet::from(["a", "b"].map(str::to_owned));
        for (text, expected) in [
            (Percent(2).text(&None::<f64>), "-"),
            (Signed(2).text(&f64::NAN), "-"),
            (Decimals(2).text("a b"), "a b"),
            (Decimals(2).text(&7_u64), "7"),
            (Decimals(2).text(&7.0), "7.00"),
            (Percent(1).text(&(0.25, 1.0)), "25.0-100.0"),
            (Signed(1).text(&(-0.5, 1.0)), "-0.5 to +1.0"),
            (Decimals(2).text(&-0.004), "0.00"),
            (Percent(0).text(&-0.001), "0"),
            (Decimals(2).text(&-0.006), "-0.01"),
            (Signed(2).text(&-0.004), "0.00"),
            (Signed(2).text(&0.0), "0.00"),
            (Signed(2).text(&0.006), "+0.01"),
            (SignedPercent(1).text(&Some((-0.5, 0.25))), "-50.0 to +25.0"),
            (Decimals(0).text(&texts), "a; b"),
            (Decimals(0).text(&BTreeSet::new()), "none"),
            (Decimals(0).text(&BTreeMap::<String, u64>::new()), "none"),
            (Decimals(0).text(&counts), "2 crash, 1 timeout"),
        ] {
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_column_shows_its_value_of_each_row() {
        let columns: [Column<(&str, Option<f64>)>; 2] = [
            ("", |(name, _)| Decimals(0).text(*name)),
            ("score", |(_, score)| Decimals(1).text(score)),
        ];
        let text = table(&columns, &[("a", Some(1.25)), ("b", None)]).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2..], ["| a | 1.2   |", "| b | -     |"]);
    }
}
