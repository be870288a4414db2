//! Recordings of people: what every click and chord risked, and what that cost.
//!
//! Each game is analyzed as `judge replay` does, and its judgements are summed. The odds are exact,
//! and so are the costs of guesses in endgames that are solved; those of other guesses are
//! estimates ([`analysis::mistakes`]). Playouts tell the chance to win at the clicks that are
//! listed, and at every needless risk.
//!
//! | file | holds |
//! |---|---|
//! | [`judged`] | the clicks of a game, judged |
//! | [`account`] | the sums over games, and the costliest clicks |
//! | [`view`] | the report |

mod account;
mod judged;
mod view;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use analysis::Analyzer;
use analysis::chance::{Chances, POLICY};
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::{Result, ensure};
use sapper::kit::text::pluralize;

use super::arguments::Arguments;
use super::pages;
use super::source::{People, PersonFile, ensure_all_judged};
use crate::cli::{Outcome, print_report};
use crate::report::recorded_games::make_directory;
use crate::report::{CsvWriter, Over, progress};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use account::PeopleAccount;
use judged::{GameReport, JudgedGame, OBJECTIVE, judge};
use view::Report;

/// Judges these games, and reports them.
pub fn run(arguments: &Arguments, people: &People) -> Result<Outcome> {
    let People { games, unsuitable } = people;
    for (is_given, name) in [
        (arguments.against.is_some(), "--against"),
        (arguments.playouts.is_some(), "--playouts"),
        (arguments.options.rule.is_some(), "--rule"),
    ] {
        ensure!(!is_given, "{name} is for games of bots, and these are of people; omit {name}");
    }
    ensure!(
        arguments.objective.is_none_or(|objective| objective == OBJECTIVE),
        "in a person's game a hit ends the game: the objective is clean-win; omit --objective"
    );
    if let Some(directory) = &arguments.pages {
        make_directory(directory)?;
    }
    let inputs: Vec<&Path> = arguments.recorded.iter().map(PathBuf::as_path).collect();
    let over = Over { inputs: &inputs, force: arguments.over.force() };
    let mut csv = CsvWriter::create(arguments.csv.as_deref(), over, &GameReport::default())?;
    let mut account = PeopleAccount::new(arguments.list, arguments.per_kind);
    let teller = || Chances::new(OBJECTIVE, POLICY, interrupt::is_requested);
    let bar = progress::bar(games.len() as u64, "games");
    let mut interrupted = play_games(
        arguments.options.jobs.count(None),
        games.len(),
        || (Analyzer::new(OBJECTIVE, arguments.effort), teller()),
        |workers, index| {
            interrupt::unless_requested(|| {
                let PersonFile { name, game } = &games[index];
                Ok(judge(name, game, workers, interrupt::is_requested))
            })
        },
        |game: JudgedGame| {
            csv.add(&game.report)?;
            account.add(game);
            bar.inc(1);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    bar.finish_and_clear();
    account.finish();
    let mut chances = teller();
    account.costliest.iter_mut().for_each(|mistake| mistake.tell_chances(&mut chances));
    if let Some(directory) = &arguments.pages {
        let listed = account.listed_games();
        let listed = games.iter().filter(|game| listed.contains(game.name.as_str()));
        let listed = listed.map(|file| (file.name.as_str(), &file.game as &dyn ReviewedGame));
        let (written, is_cut) =
            pages::write_all(directory, over, listed, OBJECTIVE, arguments.effort)?;
        account.link(&written);
        interrupted |= is_cut;
    }
    let report = Report::of(arguments, unsuitable, &account);
    if arguments.json || !account.games.is_empty() || !interrupted {
        print_report(arguments.json, || &report, || report.text());
    }
    if !interrupted {
        ensure_all_judged(unsuitable)?;
    }
    let after = format!(" after {}", pluralize(account.games.len(), "game", "games"));
    Ok(Outcome::Good.unless_interrupted(interrupted, &after))
}
