//! The options of `judge coach` and its help text.

use std::path::PathBuf;

use analysis::review::coach::PLAYOUTS;
use sapper::{Effort, Objective};

use crate::cli::{
    GameOptions, LimitOptions, effort_parser, objective_parser, parse_count, parse_from,
    parse_integer,
};

/// Find out which decisions of a bot cost how much.
///
/// Plays games with a bot, or reads recorded ones. Wherever it opens another cell than sapper
/// would, or than the bot of --against would, both are judged from that very position: by playouts,
/// or exactly in an endgame that is solved.
#[derive(clap::Args)]
// It is refused: not all layouts are equally likely then.
#[command(mut_arg("skipfirst", |option| option.hide(true)))]
#[command(override_usage = "\
    judge coach [OPTIONS] --bot <CMD>\n       judge coach [OPTIONS] <GAME.json>...")]
#[command(after_help = "\
Examples:
  judge coach --bot ./mybot --seeds 1..50
  judge coach --bot 'python3 samples/bots/simple.py --keep-running' \\
      --level 16x16/40 --seeds 1..20 --log games
  judge coach --bot ./mybot --level expert --rule safe-first --games 200
  judge coach samples/games/default-30x20-80.json --json
  judge coach games/*.json --pages pages
  judge coach --bot 'sapper --keep-running' --effort fast --games 500 --reuse
  judge coach --bot ./mybot --against './mybot-before' --games 500

Sapper at --effort is the policy that the bot is compared with, and that plays on in the playouts.
A cell that is proven safe costs nothing. In an endgame that sapper solves, the cost of a cell is
exact. Any other cell that is not sapper's own is judged by --playouts games after it and as many
after sapper's cell, on the same layouts, drawn uniformly from all that fit the numbers; by up to
four times as many where some playouts before, which do not count, say that a standard error of 0.01
needs them. A playout costs the exact odds of its guesses (clean-win: the probability to lose at one
of them), so that it needs no luck. A decision cannot be judged where no safe cell is left, or where
the layouts are too many to count exactly.

The costs of a bot's decisions add up to its difference in strength to that policy, exactly on
average (the performance difference lemma; Kakade and Langford, 2002). So bots that are compared
with the same --effort stand on one scale: give both the same --seeds and a --csv FILE, and
`judge compare` the two files. A negative cost is one that the bot gains.

The decisions that cost most and those that gain most are drawn: A is the cell that the bot opened,
B the other. Their costs have their standard error, unless they are exact. Only those of two
standard errors are listed; of many, the greatest are chosen, and look greater than they are. What
the two-ply look-ahead says alone is told for comparison, and does not count. --pages DIR
writes a `judge replay` page of each game that they are from, and links them to their turns. Without
it the links are to the page that `scripts/page` writes: what follows `sapper.html` shows the
position.

With --against CMD the cells of another bot stand in place of sapper's: it is asked in every turn of
the games, with the history of what was opened, and its answers change nothing. A bot that keeps
running must find out from `changed` that other cells than its own were opened. Where only a few
decisions differ, the costs are still those of two bots, but not exactly their difference in
strength, because sapper plays on.

The rows of the table are kinds of decisions, shares of the safe cells that are open, and cells at
the edge of the field or inside. `safe cell` is a proven cell where the other bot opens one that is
not. `first cell` is the first of a covered field, where all odds are equal and cells differ in what
they are likely to open; it is listed once for all games. The columns:
  a game           decisions in a game, without those that open proven cells on
                   both sides; each with its weight, where decisions have one
  differ           decisions of all games in which the cells differ
  cost a game      mines, or % of a clean win (in --json and --csv from 0 to 1)
  of all %         the part of the cost of all, if that is shown not to be 0
  cost a decision  cost a game, divided by `a game`

At fast effort, a decision that differs takes about half a second on the default field, one to four
seconds on expert boards, and minutes on 11x11 with 80 mines, where a playout has dozens of guesses.
At standard effort it takes about ten times as long, and at full effort minutes: fewer --playouts
are faster, and less exact. At full effort a bot takes up to 0.4 s of CPU a turn. On a
machine that is too busy for that its clock ends the search, and it may open another cell than
before: leave it a core (--jobs).

Under botzone, with clean-win, only the decisions before the first mine of a game count. Under
safe-first and open-first, where a hit ends the game, the policy plays for a clean win. A guess that
would hit is survived there, as in `judge play`, and each decision counts with its weight: the
probability of the game to come to it. A recorded game that ended with its hit counts as it fell;
one that survived hits needs the file that `judge play --log` wrote, which names their turns.

Faults are reported, those of recorded games by the platform's verdict, which has one name for some
of them. A fault itself has no cost in the table. In the CSV file the cost of a game with a fault,
or without its end, is blank. A file that cannot be judged is reported, and the others are judged.
Games with skipfirst or firstclick cannot be judged: not all layouts are equally likely there.

--csv FILE has a row for each game:
  index    the seed
  won      1 if the game was finished without an opened mine, else 0
  hits     mines opened; blank after a fault of the bot and without an end
  outcome  done, unfinished, or the name of the bot's fault
  cost     what the decisions of the game cost; blank where `hits` is, and after
           a fault of the bot of --against
  options  level, rule and first cell of the game, and the checksum of a field
           that is not the seed's
  policy   objective, effort and other bot, on which the cost depends
`judge compare` pairs the games of a seed, and wants `options` and `policy` to be equal.

--json prints one object: bot, against, rule, objective and effort; the numbers of games,
unfinished, safe (proven cells opened), same, differing and unjudged; not_judged (files); all, and
the lists kinds, phases and places, whose rows have the keys name, a_game, decisions (that differ),
cost, interval, share and cost_a_decision; the lists costliest and gains; faults and other_faults
(their numbers), first_faults and first_other_faults. A decision has the keys game, turn, games,
cell and instead (row and column), odds, odds_instead, weight, cost (without the weight),
standard_error, playouts (0 if the cost is exact), kind, phase, place, why, field, address and page.

Exit code: 0 no fault, 1 a fault of a bot, 2 bad usage or a file that cannot be judged (even if
there is a fault), 130 interrupted.")]
pub struct Arguments {
    /// Recorded games or Botzone logs of one rule, instead of --bot; - for standard input
    #[arg(value_name = "GAME.json")]
    #[arg(conflicts_with_all = ["bot", "log", "games", "seeds", "level", "width", "height"])]
    #[arg(conflicts_with_all = ["mines", "skipfirst", "first"])]
    pub recorded: Vec<PathBuf>,
    /// The bot's command line
    #[arg(long, value_name = "CMD", required_unless_present = "recorded")]
    pub bot: Option<String>,
    /// Another bot's command line, whose cells stand in place of sapper's
    #[arg(long, value_name = "CMD")]
    pub against: Option<String>,
    /// The number of games: seeds 1 to N
    #[arg(long = "games", id = "games", value_name = "N", value_parser = parse_count::<u16>)]
    #[arg(conflicts_with = "seeds")]
    pub number_of_games: Option<u16>,
    #[command(flatten)]
    pub options: GameOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// What the policy plays for [default: fewest-hits under botzone, clean-win under the other
    /// rules]
    #[arg(long, value_parser = objective_parser())]
    pub objective: Option<Objective>,
    /// The effort of the policy, which also plays on
    #[arg(long, value_parser = effort_parser(), default_value_t = Effort::Fast)]
    pub effort: Effort,
    /// The fewest playouts of each of two cells; a few may be equal by chance, and look exact
    #[arg(long, value_name = "N", default_value_t = PLAYOUTS)]
    #[arg(value_parser = parse_from::<2, u32>)]
    pub playouts: u32,
    /// The most decisions that are listed as costly, and as gains
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_integer::<usize>)]
    pub list: usize,
    /// Write a row for each game to FILE
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write each game to DIR/WIDTHxHEIGHT-MINES-SEED[-RULE].json, as `judge replay` reads it
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// Write a page of each game with a decision that is listed to DIR, and link to its turn
    #[arg(long, value_name = "DIR")]
    pub pages: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
