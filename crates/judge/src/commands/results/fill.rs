//! `judge results fill`: writes the stored figures into the place-holders of Markdown pages, so
//! that no figure in a page is typed.
//!
//! A place-holder is a comment, which a page does not show, with what it is filled with after it:
//!
//! ```text
//! <!-- result safe-full won -->41.0 % (40.3-41.7)<!-- end -->
//! <!-- results safe-fast safe-full --> a table <!-- end -->
//! <!-- differences safe-full --> a table <!-- end -->
//! <!-- efforts safe-fast safe-standard safe-full --> a table <!-- end -->
//! <!-- picture safe.svg safe-fast safe-full --> an image <!-- end -->
//! <!-- odds odds-mid --> a table <!-- end -->
//! <!-- ceilings safe-ceiling --> a table <!-- end -->
//! ```
//!
//! Invariant: nothing but what stands between a place-holder and its end is changed, and no file
//! but the pages and their pictures.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sapper::Step;
use serde::Serialize;

use super::ceiling_report::{CeilingReport, ceilings_table};
use super::efforts_table::efforts_table;
use super::folder::FolderOptions;
use super::game_report::{
    DifferenceReport, MeasurementReport, differences_table, results_table, scaled, signed,
};
use super::measurement::Size;
use super::odds_report::{OddsReport, odds_table};
use super::show::Report;
use super::store::Figures;
use crate::cli::{Outcome, print_report};
use crate::report::plots::picture_of_measurements;
use crate::report::table::Format::{Decimals, Percent, Signed};
use crate::runner::files::read_text;
use crate::runner::messages::errln;

/// Write the stored figures into the place-holders of Markdown pages.
///
/// A place-holder is `<!-- result NAME FIELD -->...<!-- end -->`, where FIELD is won, mines,
/// adjusted, boards, cpu, clicks, clicks:STEP, less:NAME:points, less:NAME:mines or
/// less:NAME:adjusted; of odds it is median, p99, solved, agreeing or positions; of a ceiling, gain
/// or games. A table is
/// `<!-- results NAME... -->...<!-- end -->`, `<!-- differences NAME... -->...<!-- end -->`,
/// `<!-- odds NAME... -->...<!-- end -->`, `<!-- ceilings NAME... -->...<!-- end -->` or
/// `<!-- efforts NAME... -->...<!-- end -->`, with a line for the efforts on the same boards. A
/// picture of games won against CPU time, `<!-- picture FILE.svg NAME... -->...<!-- end -->`, is
/// drawn into the file, which is named from the page.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge results fill README.md samples/results/README.md
  judge results fill README.md --check

Exit code: 0 success, 1 with --check: a page has other figures, 2 bad input.")]
pub struct Arguments {
    /// The pages
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<PathBuf>,
    #[command(flatten)]
    folder: FolderOptions,
    /// Write nothing, and fail if a page would change
    #[arg(long)]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is told of a run: `--json` prints the fields.
#[derive(Serialize)]
struct FillReport {
    pages: Vec<PageReport>,
}

/// What is told of a page or a picture.
#[derive(Serialize)]
struct PageReport {
    page: String,
    /// Whether it had other figures than those stored.
    changed: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let list = arguments.folder.measurements(&[])?;
    let figures = Figures::read(&[&arguments.folder.figures()?])?;
    let report = Report::of(&list, Size::Record, &figures);
    let names: Vec<&str> = list.iter().map(|one| one.name.as_str()).collect();
    let mut pages = Vec::new();
    for path in &arguments.pages {
        let text = read_text(path)?;
        let page = || path.display().to_string();
        let used = used(&text, &names).with_context(page)?;
        for one in report.incomplete().filter(|one| used.contains(one.name.as_str())) {
            errln!("warning: {}: figures of a part of the boards: {one}", page());
        }
        let filled = filled(&text, &report).with_context(page)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (file, picture) in filled.pictures {
            let path = folder.join(file);
            let known = if path.exists() { read_text(&path)? } else { String::new() };
            pages.push((path, known, picture));
        }
        pages.push((path.clone(), text, filled.text));
    }
    let mut report = FillReport { pages: Vec::new() };
    for (path, text, filled) in pages {
        let (page, changed) = (path.display().to_string(), text != filled);
        if changed && !arguments.check {
            fs::write(&path, filled).with_context(|| format!("cannot write {page}"))?;
        }
        report.pages.push(PageReport { page, changed });
    }
    let is_same = report.pages.iter().all(|page| !page.changed);
    print_report(arguments.json, || &report, || report.text(arguments.check));
    Ok(Outcome::from(!arguments.check || is_same))
}

impl FillReport {
    fn text(&self, is_check: bool) -> String {
        let line = |PageReport { page, changed }: &PageReport| match (changed, is_check) {
            (false, _) => format!("{page} has the stored figures\n"),
            (true, false) => format!("{page} was filled\n"),
            (true, true) => format!("{page} has other figures than those stored: omit --check\n"),
        };
        self.pages.iter().map(line).collect()
    }
}

const BEGIN: [&str; 7] = [
    "<!-- result ",
    "<!-- results ",
    "<!-- differences ",
    "<!-- efforts ",
    "<!-- odds ",
    "<!-- ceilings ",
    "<!-- picture ",
];
const END: &str = "<!-- end -->";

/// A page with its place-holders filled.
struct Filled {
    text: String,
    /// Its pictures as SVG, each with its file as the page names it.
    pictures: Vec<(String, String)>,
}

/// The measurements that the place-holders of a page name. Fails if another comment names one.
fn used<'n>(page: &str, names: &[&'n str]) -> Result<BTreeSet<&'n str>> {
    let mut used = BTreeSet::new();
    for (start, _) in page.match_indices("<!-- ") {
        let comment = page[start..].split("-->").next().unwrap_or_default();
        let words: Vec<&str> = comment.split_whitespace().collect();
        let named = Vec::from_iter(names.iter().filter(|name| words.contains(name)));
        if !named.is_empty() && !BEGIN.iter().any(|begin| comment.starts_with(begin)) {
            let line = 1 + page[..start].matches('\n').count();
            bail!("line {line}: `{comment}-->` names a measurement, but is no place-holder");
        }
        used.extend(named);
    }
    Ok(used)
}

/// Fills the place-holders of a page.
fn filled(page: &str, report: &Report) -> Result<Filled> {
    let (mut filled, mut pictures, mut rest) = (String::new(), Vec::new(), page);
    loop {
        let begins = BEGIN.iter().filter_map(|begin| rest.find(begin));
        let Some(start) = begins.min() else { break };
        let line = 1 + page[..page.len() - rest.len() + start].matches('\n').count();
        let after = rest[start..].find("-->").map(|end| start + end + 3);
        let after = after.with_context(|| format!("line {line}: a comment without an end"))?;
        let words: Vec<&str> = rest[start + 4..after - 3].split_whitespace().collect();
        let end = rest[after..].find(END).map(|end| after + end);
        let end = end.with_context(|| format!("line {line}: a place-holder without {END}"))?;
        let is_unbegun = rest[..start].contains(END);
        ensure!(!is_unbegun, "a {END} before line {line} belongs to no place-holder");
        let is_nested = BEGIN.iter().any(|begin| rest[after..end].contains(begin));
        ensure!(!is_nested, "line {line}: a place-holder without {END} before the next");
        filled += &rest[..after];
        let in_line = || format!("line {line}");
        filled += &content(&words, report).with_context(in_line)?;
        if let ["picture", file, ..] = words[..] {
            pictures.push((file.to_owned(), picture(&words, report).with_context(in_line)?));
        }
        filled += END;
        rest = &rest[end + END.len()..];
    }
    ensure!(!rest.contains(END), "the last {END} belongs to no place-holder; is one misspelt?");
    Ok(Filled { text: filled + rest, pictures })
}

/// The picture of a place-holder.
fn picture(words: &[&str], report: &Report) -> Result<String> {
    let found = words[2..].iter().map(|name| Found::games(report, name));
    let found = found.collect::<Result<Vec<_>>>()?;
    let json = serde_json::to_string(&DrawnReport { measurements: found })?;
    picture_of_measurements(&json)
}

/// The measurements of a picture, as `judge results show --json` prints them.
#[derive(Serialize)]
struct DrawnReport<'r> {
    measurements: Vec<&'r MeasurementReport>,
}

/// The figures of a measurement.
enum Found<'r> {
    Games(&'r MeasurementReport),
    Odds(&'r OddsReport),
    Ceiling(&'r CeilingReport),
}

impl<'r> Found<'r> {
    /// The figures of the measurement with this name.
    fn of(report: &'r Report, name: &str) -> Result<Found<'r>> {
        let games = report.measurements.iter().find(|one| one.name == name);
        let odds = report.odds.iter().find(|one| one.name == name);
        let ceiling = report.ceilings.iter().find(|one| one.name == name);
        let (found, count, is_outdated) = if let Some(games) = games {
            (Found::Games(games), games.games, games.outdated.is_some())
        } else if let Some(odds) = odds {
            (Found::Odds(odds), odds.positions, odds.outdated.is_some())
        } else if let Some(ceiling) = ceiling {
            (Found::Ceiling(ceiling), ceiling.games, ceiling.outdated.is_some())
        } else {
            bail!("no measurement is called {name}")
        };
        ensure!(count > 0 || !is_outdated, "{name} has no figures of today's play");
        ensure!(count > 0, "{name} is not measured: run `results run {name}`");
        Ok(found)
    }

    fn games(report: &'r Report, name: &str) -> Result<&'r MeasurementReport> {
        match Found::of(report, name)? {
            Found::Games(games) => Ok(games),
            Found::Odds(_) => bail!("{name} is of no games; give `odds {name}`"),
            Found::Ceiling(_) => bail!("{name} is of no games; give `ceilings {name}`"),
        }
    }

    fn odds(report: &'r Report, name: &str) -> Result<&'r OddsReport> {
        match Found::of(report, name)? {
            Found::Odds(odds) => Ok(odds),
            Found::Games(_) => bail!("{name} is of no odds; give `results {name}`"),
            Found::Ceiling(_) => bail!("{name} is of no odds; give `ceilings {name}`"),
        }
    }

    fn ceiling(report: &'r Report, name: &str) -> Result<&'r CeilingReport> {
        match Found::of(report, name)? {
            Found::Ceiling(ceiling) => Ok(ceiling),
            Found::Games(_) | Found::Odds(_) => {
                bail!("{name} is no ceiling; give `result {name} FIELD`")
            }
        }
    }
}

/// What a place-holder is filled with.
fn content(words: &[&str], report: &Report) -> Result<String> {
    let games = |name: &&str| Found::games(report, name);
    let effort = |name: &&str| {
        let one = games(name)?;
        let effort = one.effort.with_context(|| {
            format!("{name} is of no effort of the whole engine; give `results {name}`")
        })?;
        Ok((effort, one))
    };
    let text = |table: comfy_table::Table| Ok(format!("\n\n{table}\n\n"));
    match words {
        ["result", name, field] => match Found::of(report, name)? {
            Found::Games(games) => field_text(games, field),
            Found::Odds(odds) => odds_text(odds, field),
            Found::Ceiling(ceiling) => ceiling_text(ceiling, field),
        },
        ["results", names @ ..] if !names.is_empty() => {
            text(results_table(&names.iter().map(games).collect::<Result<Vec<_>>>()?))
        }
        ["differences", names @ ..] if !names.is_empty() => {
            text(differences_table(&names.iter().map(games).collect::<Result<Vec<_>>>()?))
        }
        ["efforts", names @ ..] if !names.is_empty() => {
            text(efforts_table(&names.iter().map(effort).collect::<Result<Vec<_>>>()?))
        }
        ["odds", names @ ..] if !names.is_empty() => {
            let odds = names.iter().map(|name| Found::odds(report, name));
            text(odds_table(&odds.collect::<Result<Vec<_>>>()?))
        }
        ["ceilings", names @ ..] if !names.is_empty() => {
            let ceilings = names.iter().map(|name| Found::ceiling(report, name));
            text(ceilings_table(&ceilings.collect::<Result<Vec<_>>>()?))
        }
        ["picture", file, _, ..] => {
            ensure!(file.ends_with(".svg"), "{file}: the picture is an SVG: end its name in .svg");
            Ok(format!("\n\n![Games won against the CPU time of a game]({file})\n\n"))
        }
        _ => bail!(
            "give `result NAME FIELD`, `results NAME...`, `differences NAME...`, \
             `efforts NAME...`, `odds NAME...`, `ceilings NAME...` or `picture FILE.svg NAME...`"
        ),
    }
}

fn odds_text(one: &OddsReport, field: &str) -> Result<String> {
    let us = |value: &Option<f64>| Decimals(0).text(value) + " us";
    Ok(match field {
        "positions" => grouped(one.positions),
        "solved" => grouped(one.solved),
        "agreeing" => grouped(one.agreeing),
        "median" => us(&one.median_us),
        "p99" => us(&one.p99_us),
        _ => bail!("`{field}` is no field of odds: give median, p99, solved, agreeing, positions"),
    })
}

fn ceiling_text(one: &CeilingReport, field: &str) -> Result<String> {
    Ok(match field {
        "games" => grouped(one.games),
        "gain" => one.gain_text(),
        _ => bail!("`{field}` is no field of a ceiling: give gain or games"),
    })
}

fn field_text(one: &MeasurementReport, field: &str) -> Result<String> {
    let with = |value: String, interval: String| format!("{value} ({interval})");
    let adjusted = scaled(one.is_classic());
    Ok(match field {
        "boards" => grouped(one.games),
        "won" => with(Percent(1).text(&one.won) + " %", Percent(1).text(&one.won_interval)),
        "mines" => with(Decimals(3).text(&one.mines), Decimals(3).text(&one.mines_interval)),
        "adjusted" => with(adjusted.text(&one.adjusted), adjusted.text(&one.adjusted_interval)),
        "cpu" => Decimals(2).text(&one.cpu_ms) + " ms",
        "clicks" => Decimals(0).text(&one.clicks),
        field => {
            let parts: Vec<&str> = field.split(':').collect();
            match parts[..] {
                ["less", name, field] => {
                    let less = one.less.iter().find(|less| less.than == name);
                    let less =
                        less.with_context(|| format!("{} is not compared with {name}", one.name))?;
                    difference_text(less, field, one.is_classic())?
                }
                ["clicks", step] if Step::ALL.iter().any(|one| one.name() == step) => {
                    ensure!(
                        !one.clicks_by.is_empty(),
                        "{} is of a bot, whose steps are not known",
                        one.name
                    );
                    Decimals(1).text(&one.clicks_by.get(step).copied().unwrap_or(0.0))
                }
                _ => bail!(
                    "`{field}` is no field: give won, mines, adjusted, boards, cpu, clicks, \
                     clicks:STEP, less:NAME:points, less:NAME:mines or less:NAME:adjusted"
                ),
            }
        }
    })
}

fn difference_text(less: &DifferenceReport, field: &str, is_classic: bool) -> Result<String> {
    let (format, value, interval) = match field {
        "points" => (Signed(2), less.points, less.points_interval),
        "mines" => (Signed(4), less.mines, less.mines_interval),
        "adjusted" => (signed(is_classic), less.adjusted, less.adjusted_interval),
        _ => bail!("`{field}` is no difference: give points, mines or adjusted"),
    };
    Ok(format!("{} ({})", format.text(&value), format.text(&interval)))
}

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups.filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let found = [0, 999, 1000, 20_000, 1_234_567].map(grouped);
        assert_eq!(found, ["0", "999", "1,000", "20,000", "1,234,567"]);
    }

    #[test]
    fn a_comment_that_names_a_measurement_is_a_place_holder() {
        let page = "<!-- a note on a --> <!-- picture a.svg safe -->x<!-- end -->";
        assert_eq!(Vec::from_iter(used(page, &["opens", "safe"]).unwrap()), ["safe"]);
        for misspelt in ["<!-- resutl safe won -->", "<!-- Results\nsafe -->", "<!-- safe"] {
            let error = used(&format!("# A\n{misspelt}"), &["safe"]).unwrap_err().to_string();
            assert!(error.starts_with("line 2: ") && error.contains("is no place-holder"));
        }
    }

    #[test]
    fn a_place_holder_that_cannot_be_filled_is_named() {
        let report = Report::default();
        let page = "# A\n<!-- other --> b\n";
        assert_eq!(filled(page, &report).unwrap().text, page);
        for (page, expected) in [
            ("# A\n\n<!-- result a won -->", "line 3: a place-holder without <!-- end -->"),
            ("<!-- result a won -->1<!-- end -->", "no measurement is called a"),
            ("<!-- result a -->1<!-- end -->", "give `result NAME FIELD`"),
            ("<!-- results -->1<!-- end -->", "give `result NAME FIELD`"),
            ("<!-- odds a -->1<!-- end -->", "no measurement is called a"),
            ("<!-- picture a.png a -->1<!-- end -->", "end its name in .svg"),
            ("<!-- picture a.svg -->1<!-- end -->", "give `result NAME FIELD`"),
            ("<!-- result a won", "a comment without an end"),
            ("<!-- result a won -->1 <!-- result b won -->2<!-- end -->", "before the next"),
        ] {
            let error = format!("{:#}", filled(page, &report).err().unwrap());
            assert!(error.contains(expected), "{page}: {error}");
        }
    }
}
