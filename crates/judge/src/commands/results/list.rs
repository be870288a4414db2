//! The list of measurements: `samples/results/list.txt`, a measurement a line.
//!
//! A line is a name and options, which are those of `judge bench` where they mean the same:
//!
//! ```text
//! safe-standard --level expert --rule safe-first --less safe-fast
//!     --try 500 --day 20000 --record 200000
//! odds-mid --odds mid-game --try 20 --record 500
//! safe-ceiling --ceiling fast --playouts 2000 --effort full --level expert --rule safe-first
//!     --record 1000
//! ```
//!
//! (The first line and the last are broken here only.) `--try`, `--day` and `--record` are the
//! numbers of boards, or of positions, in the three sizes: those of a size are the first of those
//! of a larger one, so that no game is played twice. Results of games are adjusted too, but with
//! `--plain`. `--ceiling` is the `--policy` of `judge ceiling`. Empty lines and what follows `#`
//! are left out.
//!
//! Invariant: names are unique, no size has fewer boards than a smaller one, and the measurements
//! of `--less` are of the same boards.

use std::collections::BTreeSet;
use std::path::Path;

use analysis::review::second_step::SecondStepSettings;
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use fixtures::odds_positions::PositionSet;
use game::rule::Rule;
use sapper::Effort;

use super::ceiling::Ceiling;
use super::games::{Games, Player};
use super::measurement::{Kind, Measurement};
use super::odds::Odds;
use crate::cli::{
    LevelOptions, RowColumn, Strength, checked_start, effort_parser, parse_count, rule_parser,
};
use crate::runner::files::read_text;
use crate::runner::judged_game::CANDIDATES;

/// A line of the list.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, disable_version_flag = true)]
struct ListLine {
    name: String,
    #[command(flatten)]
    level: LevelOptions,
    /// Rule of the games
    #[arg(long, value_parser = rule_parser())]
    rule: Option<Rule>,
    /// First cell under safe-first and open-first
    #[arg(long)]
    first: Option<RowColumn>,
    #[command(flatten)]
    strength: Strength,
    /// A set of positions, whose odds are measured in place of games
    #[arg(long, value_name = "SET", value_parser = PositionSet::named)]
    #[arg(conflicts_with_all = ["level", "rule", "first", "objective", "effort", "without"])]
    #[arg(conflicts_with_all = ["plain", "less", "seed", "ceiling"])]
    odds: Option<&'static PositionSet>,
    /// How much strength is left is measured, by playouts of this effort
    #[arg(long, value_name = "EFFORT", value_parser = effort_parser())]
    #[arg(requires = "playouts")]
    #[arg(conflicts_with_all = ["odds", "bot", "plain", "less", "objective"])]
    ceiling: Option<Effort>,
    /// Playouts of a candidate
    #[arg(long, requires = "ceiling", value_parser = parse_count::<u32>)]
    playouts: Option<u32>,
    /// A bot that plays in place of the engine, or a program that computes odds: its name
    #[arg(long, conflicts_with_all = ["objective", "effort", "without"])]
    bot: Option<String>,
    /// Leave out the results without the luck of the guesses
    #[arg(long)]
    plain: bool,
    /// The measurements that this one is compared with
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    less: Vec<String>,
    /// The first seed
    #[arg(long, default_value_t = 7_000_001, allow_hyphen_values = true)]
    seed: i32,
    /// The boards of each size
    #[arg(long = "try", value_parser = parse_count::<u32>)]
    of_try: Option<u32>,
    #[arg(long, value_parser = parse_count::<u32>)]
    day: Option<u32>,
    #[arg(long, value_parser = parse_count::<u32>)]
    record: Option<u32>,
}

impl ListLine {
    fn parse_line(line: &str) -> Result<ListLine> {
        ListLine::try_parse_from(line.split_whitespace()).map_err(|error| {
            let text = error.to_string();
            // What is wrong, with the possible values; then there are tips and the usage.
            let what = text.split("\n\n").next().unwrap_or_default();
            let what = what.strip_prefix("error: ").unwrap_or(what);
            let words: Vec<&str> = what.split_whitespace().collect();
            let options = match error.kind() {
                ErrorKind::UnknownArgument => format!("; a line takes {}", ListLine::options()),
                _ => String::new(),
            };
            anyhow!("{}{options}", words.join(" "))
        })
    }

    /// The names of the options of a line.
    fn options() -> String {
        let line = ListLine::command();
        let names = line.get_arguments().filter_map(|argument| argument.get_long());
        let names: Vec<String> = names.map(|name| format!("--{name}")).collect();
        names.join(", ")
    }

    fn measurement(self, before: &[Measurement]) -> Result<Measurement> {
        let name = self.name.clone();
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        ensure!(name.chars().all(is_name), "`{name}` is no name: give letters, digits, - and _");
        let is_taken = before.iter().any(|other| other.name == name);
        ensure!(!is_taken, "another measurement is called {name}; give each its own name");
        let sizes = self.sizes()?;
        let kind = match (self.odds, self.ceiling.zip(self.playouts)) {
            (Some(set), _) => Kind::Odds(self.positions(set, sizes[2])?),
            (None, Some((policy, playouts))) => {
                let (strength, games) = (self.strength.clone(), self.games(sizes[2], before)?);
                let (objective, effort) = strength.whole(games.rule())?;
                let (candidates, playouts) = (CANDIDATES as usize, playouts as usize);
                let step = SecondStepSettings { objective, effort, policy, candidates, playouts };
                Kind::Ceiling(Ceiling { games, step })
            }
            (None, None) => Kind::Games(self.games(sizes[2], before)?),
        };
        Ok(Measurement { name, kind, sizes })
    }

    /// The numbers of boards or positions of the three sizes.
    fn sizes(&self) -> Result<[u32; 3]> {
        let given = [self.of_try, self.day, self.record];
        let is_given = given.iter().any(Option::is_some);
        ensure!(is_given, "no number of boards; give --try, --day or --record");
        let mut sizes = [0; 3];
        let mut before_it = 0;
        for (size, given) in sizes.iter_mut().zip(given) {
            *size = given.unwrap_or(before_it);
            ensure!(
                *size >= before_it,
                "a larger size has fewer boards; give --try, --day and \
                     --record in rising order"
            );
            before_it = *size;
        }
        Ok(sizes)
    }

    /// The odds of the positions of a set, of which so many are measured at most.
    fn positions(self, set: &'static PositionSet, largest: u32) -> Result<Odds> {
        let (name, count) = (set.name, set.texts().len());
        ensure!(largest as usize <= count, "{name} has {count} positions; give no more");
        Ok(Odds { set, program: self.bot })
    }

    /// The games on boards, of which so many are played at most.
    fn games(self, largest: u32, before: &[Measurement]) -> Result<Games> {
        let (level, first) = (self.level.level(), self.seed);
        let start = checked_start(self.rule.unwrap_or_default(), level, self.first)?;
        let player = match self.bot {
            Some(bot) => Player::Bot(bot),
            None => Player::Engine(self.strength),
        };
        let last = i64::from(first) + i64::from(largest) - 1;
        ensure!(i32::try_from(last).is_ok(), "the last seed, {last}, has more than 32 bits");
        let is_adjusted = !self.plain;
        let games = Games { level, start, player, is_adjusted, less: Vec::new(), first };
        let of_less = |name: String| {
            let Some(other) = before.iter().find(|other| other.name == name) else {
                bail!("--less: no line before this one is called {name}");
            };
            let other = other.games().with_context(|| format!("--less: {name} is of no games"))?;
            ensure!(
                other.boards_text() == games.boards_text(),
                "--less: {name} has other boards: {}",
                other.boards_text()
            );
            Ok((name, other.player.clone()))
        };
        let less = self.less.into_iter().map(of_less).collect::<Result<_>>()?;
        Ok(Games { less, ..games })
    }
}

/// Reads the measurements of a list.
///
/// # Errors
/// Fails if the file cannot be read, or names a line that cannot be.
pub fn read_list(path: &Path) -> Result<Vec<Measurement>> {
    parse_list(&read_text(path)?, &path.display().to_string())
}

fn parse_list(text: &str, name: &str) -> Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        let measurement =
            ListLine::parse_line(line).and_then(|line| line.measurement(&measurements));
        measurements.push(measurement.with_context(|| format!("{name}, line {number}"))?);
    }
    ensure!(!measurements.is_empty(), "{name} has no measurement");
    Ok(measurements)
}

/// The measurements with these names, or all of them.
///
/// # Errors
/// Fails if there is none with a name.
pub fn chosen(all: Vec<Measurement>, names: &[String]) -> Result<Vec<Measurement>> {
    let known: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name.as_str())) {
        let known = Vec::from_iter(known).join(", ");
        bail!("no measurement is called {name}; there are {known}");
    }
    let is_chosen = |one: &Measurement| names.is_empty() || names.contains(&one.name);
    Ok(all.into_iter().filter(is_chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::results::measurement::Size;

    const LIST: &str = "\
# A comment.
hill --bot hill --level expert --rule safe-first --try 500 --record 200000

fast --effort fast --level expert --rule safe-first --plain --try 500 --day 1000  # the rest
full --effort full --level expert --rule safe-first --day 500 --less hill,fast
default --seed -7 --try 20 --day 25
";

    #[test]
    fn a_line_is_a_measurement_of_three_sizes() {
        let list = parse_list(LIST, "list").unwrap();
        let sizes = |one: &Measurement| Size::ALL.map(|size| one.count(size));
        let all: Vec<[u32; 3]> = list.iter().map(sizes).collect();
        assert_eq!(all, [[500, 500, 200_000], [500, 1000, 1000], [0, 500, 500], [20, 25, 25]]);
        let day = list[1].parts(Size::Day);
        assert_eq!(
            (day.len(), day[0], day[1]),
            (21, (7_000_001, 7_000_500), (7_000_501, 7_000_525))
        );
        assert_eq!(list[1].parts(Size::Record), day);
        assert_eq!(list[3].parts(Size::Try), [(-7, 12)]);
        // Fewer boards than parts.
        let boards = [(-7, 12), (13, 13), (14, 14), (15, 15), (16, 16), (17, 17)];
        assert_eq!(list[3].parts(Size::Day), boards);
        let record = list[0].parts(Size::Record);
        assert_eq!((record.len(), record[100]), (101, (7_198_006, 7_200_000)));
        assert!(record.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
        assert_eq!(
            list[2].to_string(),
            "clean-win full, --level 30x16/99 --rule safe-first --first 0,0, seeds from 7000001, \
             less hill (bot hill), less fast (clean-win fast)"
        );
        let shifted = list[3].clone().shifted(100).unwrap();
        assert_eq!(shifted.parts(Size::Try), [(93, 112)]);
        assert!(list[0].clone().shifted(i32::MAX as u32).is_err());
        assert!(list[0].clone().shifted(u32::MAX).is_err());
        assert_eq!(chosen(list, &["fast".to_owned()]).unwrap().len(), 1);
    }

    #[test]
    fn a_line_may_be_of_odds() {
        let list =
            "ours --odds mid-game --try 20 --record 500\ntheirs --odds wide --bot x --day 24";
        let list = parse_list(list, "list").unwrap();
        assert_eq!(list[0].parts(Size::Record), [(1, 20), (21, 500)]);
        assert_eq!(list[1].parts(Size::Record), [(1, 24)]);
        assert_eq!((list[0].bot(), list[1].bot()), (None, Some("x")));
        let [ours, theirs] = [&list[0], &list[1]].map(ToString::to_string);
        assert!(ours.starts_with("odds of mid-game ("), "{ours}");
        assert!(theirs.starts_with("bot x, odds of wide ("), "{theirs}");
        // Positions have no seeds.
        let shifted = list[0].clone().shifted(u32::MAX).unwrap();
        assert_eq!(shifted.parts(Size::Try), [(1, 20)]);
    }

    #[test]
    fn a_line_may_be_of_a_ceiling() {
        let line = "a --level 9x9/10 --effort full --ceiling fast --playouts 20 --day 40";
        let list = parse_list(line, "list").unwrap();
        assert_eq!((list[0].parts(Size::Day).len(), list[0].bot()), (20, None));
        assert_eq!(
            list[0].to_string(),
            "ceiling of fewest-hits full, --level 9x9/10 --rule botzone, seeds from 7000001, \
             --policy fast --playouts 20 --candidates 6"
        );
        let shifted = list[0].clone().shifted(100).unwrap();
        assert_eq!(shifted.parts(Size::Day)[0], (7_000_101, 7_000_102));
    }

    #[test]
    fn a_line_that_cannot_be_is_named() {
        for (line, expected) in [
            ("a", "no number of boards"),
            ("a --try 20 --day 10", "a larger size has fewer boards"),
            ("a --try 10 --effort best", "[possible values: fast, standard, full]"),
            ("a --try 10 --rule x", "[possible values: botzone, safe-first, open-first]"),
            ("a --try 10 --games 5", "unexpected argument '--games' found; a line takes --level, "),
            ("hill --try 1000", "another measurement is called hill"),
            ("a.b --try 1000", "`a.b` is no name"),
            ("a --try 1000 --less b", "no line before this one is called b"),
            ("a --try 1000 --less hill", "hill has other boards: --level 30x16/99"),
            ("a --try 1000 --seed 2147483000", "has more than 32 bits"),
            ("a --try 1000 --bot x --effort fast", "cannot be used with"),
            ("a --try 1000 --level 3x3/9 --rule safe-first", "too many mines"),
            ("--try 1000", "required arguments were not provided"),
            ("a --try 10 --ceiling fast", "were not provided: --playouts"),
            ("a --try 10 --playouts 5", "were not provided: --ceiling"),
            ("a --try 10 --playouts 5 --ceiling fast --less hill", "cannot be used with"),
            ("a --try 10 --playouts 5 --ceiling fast --without endgame", "choose --effort"),
            ("a --try 10 --playouts 5 --ceiling fast --objective clean-win", "cannot be used with"),
        ] {
            let list = format!("hill --bot hill --level expert --try 500\n{line}\n");
            let error = format!("{:#}", parse_list(&list, "list").err().unwrap());
            assert!(error.starts_with("list, line 2: ") && error.contains(expected), "{error}");
        }
        for (line, expected) in [
            ("a --odds x --try 10", "no set of positions is called x; there are mid-game, wide"),
            ("a --odds mid-game --try 10 --record 501", "mid-game has 500 positions"),
            ("a --odds mid-game --level expert --try 10", "cannot be used with '--level"),
            ("a --odds mid-game --effort fast --try 10", "cannot be used with '--effort"),
            ("a --odds mid-game --less hill --try 10", "cannot be used with '--less"),
            ("a --odds mid-game --seed 7 --try 10", "cannot be used with '--seed"),
            ("a --less odds --try 10", "--less: odds is of no games"),
        ] {
            let list = format!("odds --odds wide --try 20\n{line}\n");
            let error = format!("{:#}", parse_list(&list, "list").err().unwrap());
            assert!(error.starts_with("list, line 2: ") && error.contains(expected), "{error}");
        }
        assert!(parse_list("# nothing\n", "list").is_err());
        let list = parse_list(LIST, "list").unwrap();
        let error = chosen(list, &["x".to_owned()]).err().unwrap().to_string();
        assert_eq!(error, "no measurement is called x; there are default, fast, full, hill");
    }
}
