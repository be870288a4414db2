//! The report of a pit: its fields are what `--json` prints, and the tables of bots show them.

use std::fmt::Write as _;

use game::rule::Rule;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::sprt::{Sprt, SprtReport};
use super::tally::{BoardScores, Pair, Totals};
use crate::cli::Competitor;
use crate::cli::repeat::play_again;
use crate::report::paired::{self, BALANCED, Finding, MeasureReport};
use crate::report::table::Format::{Decimals, Signed};
use crate::report::table::{Column, table};
use crate::report::{
    FaultReport, LuckReport, NamedFault, Paired, Tally, TallyReport, TimesReport, fewer_boards_text,
};
use crate::runner::boards::BoardRange;
use crate::runner::bots::GameResult;
use crate::runner::setups::GameSetups;

/// The report of a pit.
#[derive(Serialize)]
pub struct Report<'a> {
    /// The size and the mines of every board; `None` if the boards of a file differ.
    width: Option<u32>,
    height: Option<u32>,
    minecount: Option<u32>,
    skipfirst: bool,
    rule: Rule,
    /// The first and the last seed of the run, or rank of a board in the file.
    seeds: BoardRange,
    /// The boards that all bots have played.
    boards: usize,
    resumed_games: usize,
    /// Whether the run was interrupted before its last board.
    interrupted: bool,
    bots: Vec<BotReport>,
    /// The names of the bots, the best first.
    ranking: Vec<&'a str>,
    /// Each two bots once, in the order in which they were given.
    pairs: Vec<PairReport<'a>>,
    sprt: Option<SprtReport>,
}

/// The figures of a bot.
#[derive(Serialize)]
struct BotReport {
    name: String,
    command: String,
    /// The limits of a turn: seconds, and MiB.
    time_limit: f64,
    memory_limit: u32,
    #[serde(flatten)]
    tally: TallyReport,
    first_faults: Vec<NamedFault>,
}

/// The comparison of two bots: the differences are B - A.
#[derive(Serialize)]
struct PairReport<'a> {
    a: &'a str,
    b: &'a str,
    /// The bot with the better score, if a difference is shown.
    better: Option<&'a str>,
    score: MeasureReport,
    adjusted_score: Option<MeasureReport>,
    adjusted_mines: Option<MeasureReport>,
    /// The factor by which adjusted scores need fewer boards.
    fewer_boards: Option<f64>,
    clean_percent: MeasureReport,
    mines: Option<MeasureReport>,
    /// The boards with the largest differences of score.
    most_apart: &'a [BoardScores],
}

/// The columns of the first table of bots.
const RESULTS: [Column<BotReport>; 9] = [
    ("bot", |bot| bot.name.clone()),
    ("games", |bot| Decimals(0).text(&bot.tally.games)),
    ("score", |bot| Decimals(2).text(&bot.tally.score.mean)),
    ("95 %", |bot| Decimals(2).text(&bot.tally.score.interval)),
    ("mines", |bot| Decimals(3).text(&bot.tally.mines.mean)),
    ("95 %", |bot| Decimals(3).text(&bot.tally.mines.interval)),
    ("clean %", |bot| Decimals(1).text(&bot.tally.clean_percent)),
    ("95 %", |bot| Decimals(1).text(&bot.tally.clean_interval)),
    ("faults", |bot| Decimals(0).text(&bot.tally.faults)),
];
/// The columns of the second table of bots.
const RESOURCES: [Column<BotReport>; 10] = [
    ("bot", |bot| bot.name.clone()),
    ("turns", |bot| Decimals(0).text(&bot.tally.turns)),
    ("wall ms: median", |bot| time_text(&bot.tally.wall_ms, |times| times.median)),
    ("99 %", |bot| time_text(&bot.tally.wall_ms, |times| times.p99)),
    ("worst", |bot| time_text(&bot.tally.wall_ms, |times| times.worst)),
    ("CPU ms: median", |bot| time_text(&bot.tally.cpu_ms, |times| times.median)),
    ("99 %", |bot| time_text(&bot.tally.cpu_ms, |times| times.p99)),
    ("worst", |bot| time_text(&bot.tally.cpu_ms, |times| times.worst)),
    ("worst MB", |bot| Decimals(1).text(&bot.tally.memory_mb)),
    ("limit s", |bot| Decimals(2).text(&bot.time_limit)),
];

fn time_text(times: &Option<TimesReport>, time: fn(&TimesReport) -> f64) -> String {
    Decimals(1).text(&times.as_ref().map(time))
}

/// The mean scores of the boards so far.
pub fn score_so_far(competitors: &[Competitor], totals: &Totals) -> String {
    let score = |tally: &Tally| match totals.adjusted {
        true => tally.adjusted_score.value(),
        false => tally.score.value(),
    };
    let scores = competitors.iter().zip(&totals.tallies);
    let scores: Vec<String> =
        scores.map(|(bot, tally)| format!("{} {:.2}", bot.name, score(tally))).collect();
    let boards = pluralize(totals.boards, "board", "boards");
    let adjusted = if totals.adjusted { "adjusted score" } else { "score" };
    format!("{adjusted} after {boards}: {}", scores.join(", "))
}

/// Everything that the report shows.
pub struct View<'a> {
    pub games: &'a GameSetups,
    pub competitors: &'a [Competitor],
    pub totals: &'a Totals,
    /// For each competitor, what it cost that it was started for each turn, if it was.
    pub start_costs: Vec<Option<String>>,
    /// Whether the run was interrupted before its last board.
    pub interrupted: bool,
}

impl View<'_> {
    pub fn text(&self) -> String {
        let (first, _) = self.games.range();
        let size = self.games.level().map_or("of several sizes".to_owned(), |level| {
            let (columns, rows) = (level.shape.columns(), level.shape.rows());
            format!("{columns}x{rows} with {}", pluralize(level.mines, "mine", "mines"))
        });
        let Totals { pairs, sprt, boards, resumed, .. } = self.totals;
        let boards = pluralize(*boards, "board", "boards");
        let mut text = format!("{boards} {size}, {}s from {first}", self.games.unit());
        if self.games.rule().is_classic() {
            write!(text, ", {}", self.games.rule()).ok();
        }
        if *resumed > 0 {
            write!(text, "; {} from the journal", pluralize(*resumed, "game", "games")).ok();
        }
        if self.interrupted {
            text.push_str("; interrupted");
        }
        let report = self.report();
        // Up to two bots are in the order given, more in the order of the ranking.
        let mut order = self.totals.ranking();
        if order.len() < 3 {
            order.sort_unstable();
        }
        let bots = || order.iter().map(|&bot| &report.bots[bot]);
        let (results, resources) = (table(&RESULTS, bots()), table(&RESOURCES, bots()));
        write!(text, "\n\n{results}\n\n{resources}\n").ok();
        self.write_faults(&mut text);
        for (competitor, cost) in self.competitors.iter().zip(&self.start_costs) {
            if let Some(cost) = cost {
                write!(text, "\n{} was {cost}\n", competitor.name).ok();
            }
        }
        match pairs.as_slice() {
            [] => text.push_str("\nOne bot: nothing is compared; give --bot once for each bot.\n"),
            [pair, _] => self.write_pair(pair, &mut text),
            pairs => self.write_ranking(pairs, &order, &mut text),
        }
        if let (Some(sprt), [a, b]) = (sprt, self.competitors) {
            write!(text, "\n{}\n", sprt.text(&a.name, &b.name)).ok();
        }
        text
    }

    fn write_faults(&self, text: &mut String) {
        for (competitor, tally) in self.competitors.iter().zip(&self.totals.tallies) {
            for fault in tally.first_faults.iter().filter_map(|game| self.fault(competitor, game)) {
                write!(text, "\n{}, {}", competitor.name, fault.text()).ok();
            }
            let faults: u64 = tally.faults.values().sum();
            let others = faults - tally.first_faults.len() as u64;
            if others > 0 {
                let others = pluralize(others, "more fault", "more faults");
                write!(text, "\n{}: {others}; --csv FILE has all", competitor.name).ok();
            }
            if faults > 0 {
                text.push('\n');
            }
            if tally.luck.is_refuted() {
                let fit = LuckReport::from(&tally.luck).fit_text();
                write!(text, "\n{}: {fit}\n", competitor.name).ok();
            }
            if tally.left_behind > 0 {
                let processes = pluralize(tally.left_behind, "process", "processes");
                let name = &competitor.name;
                write!(text, "\n{name} left {processes} running; the judge ended them\n").ok();
            }
        }
    }

    fn write_pair(&self, pair: &Pair, text: &mut String) {
        let (a, b) = (&self.competitors[pair.a].name, &self.competitors[pair.b].name);
        let measures =
            [&pair.score, &pair.adjusted_score, &pair.clean, &pair.mines, &pair.adjusted_mines];
        let rows = paired::table(measures.map(|measure| (measure.name, measure)));
        let factor = pair.fewer_boards().map(|factor| fewer_boards_text("scores", factor));
        write!(text, "\nA: {a}, B: {b}\n\n{rows}\n\n").ok();
        factor.into_iter().for_each(|factor| text.push_str(&(factor + "\n")));
        writeln!(text, "{}{}", self.verdict(pair), self.without_play()).ok();
        let unit = self.games.unit();
        let board =
            |&BoardScores { seed, a, b }: &BoardScores| format!("{unit} {seed} ({a:.2}, {b:.2})");
        let boards: Vec<String> = pair.extremes.iter().map(board).collect();
        if !boards.is_empty() {
            let plain = if self.totals.adjusted { "plain score" } else { "score" };
            writeln!(text, "Largest differences ({plain} of A, of B): {}", boards.join(", ")).ok();
        }
    }

    /// Each bot compared with the best one, in the order of the mean scores.
    fn write_ranking(&self, pairs: &[Pair], order: &[usize], text: &mut String) {
        let name = |bot: usize| self.competitors[bot].name.as_str();
        let to_best = |&bot: &usize| pairs.iter().find(|pair| (pair.a, pair.b) == (order[0], bot));
        let others: Vec<&Pair> = order[1..].iter().filter_map(to_best).collect();
        let equal = others.iter().filter(|pair| pair.better() != Some(pair.a));
        let option = self.games.option();
        let hint = |pair: &&Pair| match pair.deciding().more_boards() {
            _ if self.adjusted_tells(pair) => format!("{} (add --adjusted)", name(pair.b)),
            Some(boards) => format!("{} (about {boards} more {option})", name(pair.b)),
            None => name(pair.b).to_owned(),
        };
        let equal: Vec<String> = equal.map(hint).collect();
        let all = |is: fn(&Paired) -> bool| pairs.iter().all(|pair| is(pair.deciding()));
        let best = name(order[0]);
        let verdict = if equal.is_empty() {
            format!("{best} is better than every other.")
        } else if all(|score| score.differing() == 0) {
            "All have the same score on every board.".to_owned()
        } else if all(Paired::too_few) {
            format!("Too few boards to tell: the order may be chance; give more {option}.")
        } else {
            let equal = equal.join(", ");
            format!("{best} has the best score; not shown to be worse: {equal}.")
        };
        let table = paired::table(others.iter().map(|pair| (name(pair.b), pair.deciding())));
        let adjusted = if self.totals.adjusted { "adjusted " } else { "" };
        write!(
            text,
            "\nRanking by {adjusted}score. A: {best}, B: each other\n\n{table}\n\n{verdict}"
        )
        .ok();
        writeln!(text, "{}", self.without_play()).ok();
    }

    /// The bots that finished no game, whose scores say nothing about their play.
    fn without_play(&self) -> String {
        let tallies = self.competitors.iter().zip(&self.totals.tallies);
        let without = tallies.filter(|(_, tally)| !tally.has_finished());
        let names: Vec<&str> = without.map(|(competitor, _)| competitor.name.as_str()).collect();
        match names[..] {
            [] => String::new(),
            _ => format!(" No game without a fault: {}; mend that first.", names.join(", ")),
        }
    }

    /// Whether the adjusted scores would show a difference, and hold.
    fn adjusted_tells(&self, pair: &Pair) -> bool {
        let holds = [pair.a, pair.b].iter().all(|&bot| !self.totals.tallies[bot].luck.is_refuted());
        !self.totals.adjusted && holds && pair.adjusted_score.better().is_some()
    }

    /// Which of two bots is better, or why there is no verdict.
    fn verdict(&self, pair: &Pair) -> String {
        let (a, b) = (&self.competitors[pair.a].name, &self.competitors[pair.b].name);
        let score = pair.deciding();
        if self.adjusted_tells(pair) && pair.better().is_none() {
            return "The scores show no difference, and the adjusted scores show one: add \
                    --adjusted."
                .to_owned();
        }
        if let Some(bot) = pair.better_score().filter(|_| pair.better().is_none()) {
            let [bot, other] = if bot == pair.a { [a, b] } else { [b, a] };
            return format!("{bot} is not better than {other}, whatever the scores.");
        }
        let adjusted = if self.totals.adjusted { ", by adjusted scores" } else { "" };
        let better = |better, worse, low: f64, high: f64| {
            format!(
                "{better} is better than {worse}: by {low:.2} to {high:.2} points per \
                 game{adjusted}."
            )
        };
        match (score.verdict(), score.interval()) {
            (Finding::Equal, _) => format!("{a} and {b} have the same score on every board."),
            (Finding::TooFew, _) => {
                let more = score.more_boards();
                let more = more.map_or("more".to_owned(), |boards| format!("about {boards} more"));
                format!("{}; give {more} {}.", score.too_few_text(), self.games.option())
            }
            (Finding::Better(0), Some((low, high))) => better(a, b, -high, -low),
            (Finding::Better(_), Some((low, high))) => better(b, a, low, high),
            (Finding::Better(side), None) => {
                let (bot, other) = if side == 1 { (b, a) } else { (a, b) };
                let points = score.difference.value().abs();
                format!(
                    "{bot} is better than {other}: by {points:.2} points on every board{adjusted}."
                )
            }
            (Finding::Balanced, _) => format!("{BALANCED}."),
            (Finding::Open(more), interval) => format!(
                "No difference shown: {b} minus {a} is {} points per game; to show a difference of \
                 this size, give about {more} more {}.",
                Signed(2).text(&interval),
                self.games.option()
            ),
        }
    }

    fn fault(&self, competitor: &Competitor, game: &GameResult) -> Option<NamedFault> {
        let fault = FaultReport::of(game, || {
            play_again(Some(&competitor.line), self.games, game.seed, &competitor.limits)
        });
        Some(fault?.named(game, self.games.unit()))
    }

    /// The report of the run.
    pub fn report(&self) -> Report<'_> {
        let level = self.games.level();
        let Totals { tallies, pairs, sprt, boards, resumed, .. } = self.totals;
        let name = |bot: usize| self.competitors[bot].name.as_str();
        let bots = self.competitors.iter().zip(tallies).map(|(competitor, tally)| BotReport {
            name: competitor.name.clone(),
            command: competitor.line.clone(),
            time_limit: competitor.limits.usual_time().as_secs_f64(),
            memory_limit: competitor.limits.memory_limit_mib,
            tally: tally.report(self.games.most_mines_at_stake()),
            first_faults: tally
                .first_faults
                .iter()
                .filter_map(|game| self.fault(competitor, game))
                .collect(),
        });
        let pairs = pairs.iter().filter(|pair| pair.a < pair.b).map(|pair| PairReport {
            a: name(pair.a),
            b: name(pair.b),
            better: pair.better().map(name),
            score: pair.score.report(),
            adjusted_score: pair.adjusted_score.known_report(),
            adjusted_mines: pair.adjusted_mines.known_report(),
            fewer_boards: pair.fewer_boards(),
            clean_percent: pair.clean.report(),
            mines: pair.mines.known_report(),
            most_apart: &pair.extremes,
        });
        Report {
            width: level.map(|level| level.shape.columns()),
            height: level.map(|level| level.shape.rows()),
            minecount: level.map(|level| level.mines),
            skipfirst: self.games.skips_first(),
            rule: self.games.rule(),
            seeds: self.games.range(),
            boards: *boards,
            resumed_games: *resumed,
            interrupted: self.interrupted,
            bots: bots.collect(),
            ranking: self.totals.ranking().into_iter().map(name).collect(),
            pairs: pairs.collect(),
            sprt: sprt.as_ref().map(Sprt::report),
        }
    }
}
