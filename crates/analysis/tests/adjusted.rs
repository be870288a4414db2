//! Results without the luck of the guesses: unbiased for every bot that sees the numbers only.
// A test may compare with the machine's own functions.
#![allow(clippy::disallowed_methods)]
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use analysis::adjusted::adjuster::{Adjuster, field_of};
use analysis::adjusted::click_odds::ClickOdds;
use analysis::adjusted::luck::Luck;
use analysis::adjusted::observer::Observer;
use analysis::adjusted::playouts::Playouts;
use game::board_file::Layout;
use game::field::Field;
use game::referee::Referee;
use game::rule::Rule;
use game::simulate::{GuessObserver, PlayResult, play, play_adjusted};
use game::told::{Telling, play_told, tell};
use sapper::board::geometry::{Cell, Shape};
use sapper::board::text_format::BoardText;
use sapper::board::{Board, CellState};
use sapper::bot::engine::Engine;
use sapper::evaluate;
use sapper::kit::elementary::power;
use sapper::kit::rng::Random;
use sapper::settings::budget::{NoClock, Turn};
use sapper::settings::params::{Effort, Objective};
use twin::playouts::{OBJECTIVES, guesses};

/// All layouts of a field; the first cell is safe if it is to be opened beforehand.
fn layouts(columns: u64, rows: u64, mines: u32, rule: Rule) -> Vec<Layout> {
    let shape = Shape::new(rows, columns).unwrap();
    let first = Cell::from_index(0);
    let from = u32::from(rule.is_classic());
    let cells = shape.len() as u32;
    let layouts = (0..1_u32 << (cells - from)).filter(|layout| layout.count_ones() == mines);
    let mines = |layout: u32| (from..cells).filter(move |cell| layout >> (cell - from) & 1 == 1);
    layouts
        .map(|layout| Layout { shape, first, mines: mines(layout).map(|c| c as usize).collect() })
        .collect()
}

/// A bot: what it opens on a board, with the layout for one that cheats. `None` ends the game.
type Bot<'b> = &'b mut dyn FnMut(&Board, &Field) -> Option<Cell>;

/// Plays by Botzone's rules.
fn play_on(layout: &Layout, bot: Bot) -> Luck {
    let mines = layout.mines.len() as u32;
    let mut referee = Referee::new(layout.field(), mines);
    let mut board = Board::new(layout.shape, mines);
    let mut observer = Observer::new(board.clone(), 0);
    while !referee.ended() {
        let Some(cell) = bot(&board, referee.field()) else { break };
        let opened = referee.open(cell).unwrap();
        show(&mut board, opened.changed);
        observer.add_click(referee.changed());
    }
    assert_eq!(observer.luck().hits, u64::from(referee.hits()));
    observer.luck()
}

/// Plays by the classic rules, surviving hits. Returns the luck, and whether no guess would have
/// hit.
fn survive(layout: &Layout, seed: u64, adjuster: &mut Adjuster, bot: Bot) -> (Luck, bool) {
    let mines = layout.mines.len() as u32;
    let mut referee = Referee::new(layout.field(), mines);
    let mut board = Board::new(layout.shape, mines);
    show(&mut board, referee.open_beforehand(layout.first));
    adjuster.begin(layout.shape.len(), seed);
    let mut over = referee.hidden_len() == mines as usize;
    while !over {
        let cell = bot(&board, referee.field()).unwrap();
        let hit = referee.field().is_mine(cell);
        adjuster.add_click(&board, cell, hit);
        if hit && !adjuster.survive(&board, cell, &mut referee) {
            break;
        }
        let opened = referee.open(cell).unwrap();
        over = opened.ended;
        show(&mut board, opened.changed);
    }
    (adjuster.luck(), adjuster.luck().hits == 0)
}

fn show(board: &mut Board, changed: &[(Cell, u8)]) {
    for &(cell, value) in changed {
        board.open(cell, CellState::from_value(Some(value.into())));
    }
}

fn sapper(engine: &mut Engine, board: &Board) -> Option<Cell> {
    Some(engine.decide(board, Turn::UNTIMED)?.cell())
}

/// A bad bot: the last hidden cell, whatever the numbers say.
fn last(board: &Board, _: &Field) -> Option<Cell> {
    board.hidden().last()
}

/// One that opens safe cells only, because it knows the layout, and always the last.
fn cheat(board: &Board, field: &Field) -> Option<Cell> {
    board.hidden().filter(|&cell| !field.is_mine(cell)).last()
}

fn random(random: &mut Random, board: &Board) -> Option<Cell> {
    let hidden: Vec<Cell> = board.hidden().collect();
    Some(hidden[random.below(hidden.len())])
}

const FIELDS: [(u64, u64, u32); 4] = [(3, 3, 2), (4, 3, 3), (5, 2, 4), (4, 4, 2)];

/// The luck of a bot over all layouts of all fields.
fn over_all_layouts(bot: Bot) -> Luck {
    let mut all = Luck::default();
    for (columns, rows, mines) in FIELDS {
        let layouts = layouts(columns, rows, mines, Rule::Botzone);
        layouts.iter().for_each(|layout| all.merge(&play_on(layout, bot)));
    }
    all
}

/// Every layout once: the mean of the odds is exactly that of the hits.
#[test]
fn over_all_layouts_the_odds_sum_to_the_hits() {
    let mut engine = Engine::new(Objective::FewestHits, Effort::Fast);
    let careful = over_all_layouts(&mut |board, _| sapper(&mut engine, board));
    let bad = over_all_layouts(&mut last);
    // A bot that gives up at its first hit, and one after three cells.
    let coward = over_all_layouts(&mut |board, field| {
        if board.hits() == 0 { last(board, field) } else { None }
    });
    let lazy = over_all_layouts(&mut |board, field| {
        if board.hidden_len() + 3 > board.shape().len() { last(board, field) } else { None }
    });
    for luck in [careful, bad, coward, lazy] {
        assert!(luck.excess().abs() < 1e-9 * luck.expected, "{luck:?}");
        assert!(luck.hits > 100 && luck.inexact == 0 && !luck.is_refuted());
    }
    assert!(careful.expected < 0.5 * bad.expected, "{careful:?} {bad:?}");
    assert!(coward.hits < bad.hits && lazy.hits < bad.hits);
}

/// The random bot opens other cells of other layouts, so its sums differ by chance.
#[test]
fn a_random_bot_fits_its_odds_and_a_cheat_does_not() {
    let mut numbers = Random::new(5);
    let mut by_chance = Luck::default();
    (0..20).for_each(|_| {
        by_chance.merge(&over_all_layouts(&mut |board, _| random(&mut numbers, board)));
    });
    assert!(by_chance.z().unwrap().abs() < 3.0 && !by_chance.is_refuted(), "{by_chance:?}");
    let cheating = over_all_layouts(&mut cheat);
    assert_eq!(cheating.hits, 0);
    // What it hits without the layout, it is charged with it.
    assert!(cheating.expected > 100.0 && cheating.is_refuted(), "{cheating:?}");
}

/// The layouts that are drawn again are those with the cell safe, equally often.
#[test]
fn redrawn_layouts_are_uniform() {
    let picture: BoardText = "5 3 4\n1....\n..2..\n.....".parse().unwrap();
    let board = picture.board(0).unwrap();
    let fits = |layout: &Layout| {
        let field = layout.field();
        let agrees = |(cell, state): (Cell, CellState)| match state {
            CellState::Number(number) => field.value(cell) == number,
            _ => true,
        };
        board.iter().all(agrees)
    };
    let all: Vec<Layout> = layouts(5, 3, 4, Rule::Botzone).into_iter().filter(fits).collect();
    let (mut odds, mut random) = (ClickOdds::default(), Random::new(11));
    odds.begin(15);
    for cell in board.hidden() {
        let (mined, safe): (Vec<&Layout>, Vec<&Layout>) =
            all.iter().partition(|layout| layout.mines.contains(&cell.index()));
        let probability = odds.odds(&board, cell).unwrap();
        let share = 1.0 - safe.len() as f64 / all.len() as f64;
        assert!((probability - share).abs() < 1e-12, "{cell:?}");
        let mut counts = vec![0_u32; safe.len()];
        for _ in 0..100 * safe.len() {
            // The layout before is any in which the cell is a mine.
            let old = mined[random.below(mined.len())];
            let is_mine = |other: Cell| old.mines.contains(&other.index());
            let mut mines = odds.redraw(&board, cell, is_mine, random.next_u64()).unwrap();
            mines.sort_unstable();
            let mines: Vec<usize> = mines.into_iter().map(Cell::index).collect();
            counts[safe.iter().position(|layout| layout.mines == mines).unwrap()] += 1;
        }
        let chi: f64 = counts.iter().map(|&n| power(f64::from(n) - 100.0, 2) / 100.0).sum();
        let degrees = counts.len() as f64 - 1.0;
        assert!((chi - degrees).abs() < 5.0 * (2.0 * degrees).sqrt(), "{cell:?}: {chi}, {degrees}");
    }
}

/// One of 20,001 layouts has the cell safe, which is hardly ever drawn.
#[test]
fn a_cell_that_is_hardly_ever_safe_is_survived() {
    let picture = format!("20005 1 2\n.1.1.{}", ".".repeat(20_000));
    let board = picture.parse::<BoardText>().unwrap().board(0).unwrap();
    let (mut odds, mut random) = (ClickOdds::default(), Random::new(2));
    odds.begin(20_005);
    let is_mine = |cell: Cell| [2, 10].contains(&cell.index());
    let mut mines = odds.redraw(&board, Cell::from_index(2), is_mine, random.next_u64()).unwrap();
    mines.sort_unstable();
    assert_eq!(mines, [0, 4].map(Cell::from_index));
}

/// Two games on the same layouts continue alike, whatever was survived before; others do not.
#[test]
fn a_layout_drawn_again_follows_from_the_seed_and_the_cell() {
    let rows = "......................\n1....................1\n".repeat(3);
    let picture: BoardText = format!("22 6 30\n{rows}").parse().unwrap();
    let board = picture.board(0).unwrap();
    let mut odds = ClickOdds::default();
    odds.begin(board.shape().len());
    let first = odds.layouts(&board, 1, &mut Random::new(6)).unwrap().remove(0);
    let is_mine = |cell: Cell| first.contains(&cell);
    let field = field_of(&board, &first).unwrap();
    let mut mined = board.hidden().filter(|&cell| is_mine(cell));
    let [before, cell, other] = [(); 3].map(|()| mined.next().unwrap());
    let survive = |seed, cells: &[Cell]| {
        let mut adjuster = Adjuster::default();
        adjuster.begin(board.shape().len(), seed);
        let mut layout = Vec::new();
        for &cell in cells {
            let mut referee = Referee::new(field.clone(), 30);
            for (open, _) in board.iter().filter(|(_, shown)| *shown != CellState::Hidden) {
                referee.open_beforehand(open);
            }
            assert!(adjuster.survive(&board, cell, &mut referee));
            layout = board.hidden().filter(|&hidden| referee.field().is_mine(hidden)).collect();
            assert!(!layout.contains(&cell) && layout.len() == 30);
        }
        layout
    };
    let survived = survive(1, &[cell]);
    assert_eq!(survive(1, &[before, cell]), survived);
    assert_ne!(survive(2, &[cell]), survived);
    assert_ne!(survive(1, &[other]), survived);
    // Independent layouts have 30 * 30 / 126 mines in common on average.
    let kept = survived.iter().filter(|mine| is_mine(**mine)).count();
    assert!(kept >= 15, "{kept}");
}

#[test]
fn a_mine_is_never_survived() {
    let mut odds = ClickOdds::default();
    let picture: BoardText = "2 1 1\n1.".parse().unwrap();
    let board = picture.board(0).unwrap();
    odds.begin(2);
    assert_eq!(odds.odds(&board, Cell::from_index(1)), Some(1.0));
    let mine = Cell::from_index(1);
    assert_eq!(odds.redraw(&board, mine, |cell| cell == mine, 1), None);
}

/// Over all layouts, drawn again many times: the mean of the products is the share of games won.
#[test]
fn survived_games_have_the_mean_of_the_games_won() {
    let mut engine = Engine::new(Objective::CleanWin, Effort::Fast);
    let mut numbers = Random::new(3);
    let bots: [(&str, Bot); 3] = [
        ("sapper", &mut |board, _| sapper(&mut engine, board)),
        ("bad", &mut last),
        ("random", &mut |board, _| random(&mut numbers, board)),
    ];
    for (name, bot) in bots {
        for (columns, rows, mines) in FIELDS {
            let layouts = layouts(columns, rows, mines, Rule::SafeFirst);
            let (mut adjuster, mut all) = (Adjuster::default(), Luck::default());
            let (mut sum, mut squares, mut won, mut games) = (0.0, 0.0, 0.0, 0.0);
            for sweep in 0..=2000 / layouts.len() as u64 {
                for (layout, index) in layouts.iter().zip(0..) {
                    let seed = sweep << 32 | index;
                    let (luck, clean) = survive(layout, seed, &mut adjuster, bot);
                    sum += luck.survival;
                    squares += luck.survival * luck.survival;
                    (won, games) = (won + f64::from(u8::from(clean)), games + 1.0);
                    all.merge(&luck);
                }
            }
            let (mean, share): (f64, f64) = (sum / games, won / games);
            let error = ((squares / games - mean * mean) / games).sqrt();
            let tolerance =
                4.0 * (error + if name == "random" { (share / games).sqrt() } else { 0.0 });
            assert!(
                (mean - share).abs() < tolerance + 1e-9,
                "{name}, {columns}x{rows}: {mean}, {share}"
            );
            assert!(squares / games - mean * mean < share * (1.0 - share), "{name}");
            assert!(!all.is_refuted() && all.inexact == 0, "{name}: {all:?}");
        }
    }
}

/// A bot that knows the layout wins every game, and counts no more than what it could know.
#[test]
fn a_cheat_is_not_credited_with_its_wins() {
    let (mut adjuster, mut all, mut sum) = (Adjuster::default(), Luck::default(), 0.0);
    let layouts = layouts(4, 4, 3, Rule::SafeFirst);
    for layout in &layouts {
        let (luck, clean) = survive(layout, 1, &mut adjuster, &mut cheat);
        assert!(clean);
        sum += luck.survival;
        all.merge(&luck);
    }
    let mut engine = Engine::new(Objective::CleanWin, Effort::Fast);
    let wins = layouts
        .iter()
        .filter(|layout| play(layout, Rule::SafeFirst, &mut engine, |_, _, _| {}).won);
    assert!(sum < 0.8 * wins.count() as f64, "{sum}");
    assert!(all.is_refuted(), "{all:?}");
}

/// The plain results of a game are those of a game that is not adjusted.
#[test]
fn adjusting_changes_no_plain_result() {
    let shape = Shape::new(9, 9).unwrap();
    let mut numbers = fastrand::Rng::with_seed(4);
    let mut engine = Engine::new(Objective::CleanWin, Effort::Fast);
    let mut adjuster = Adjuster::default();
    let mut won = [0, 0];
    for seed in 0..300 {
        let first = Cell::from_index(0);
        let layout = Layout { shape, first, mines: numbers.choose_multiple(1..81, 14) };
        for (rule, won) in [Rule::Botzone, Rule::SafeFirst].into_iter().zip(&mut won) {
            let plain = play(&layout, rule, &mut engine, |_, _, _| {});
            adjuster.begin(shape.len(), seed);
            let adjusted = play_adjusted(&layout, rule, &mut engine, &NoClock, &mut adjuster);
            assert_eq!(adjusted, plain);
            let luck = adjuster.luck();
            match rule {
                Rule::Botzone => assert_eq!(luck.hits, u64::from(plain.hits)),
                _ => assert_eq!(luck.hits == 0, plain.won),
            }
            assert!(luck.survival > 0.0 || rule == Rule::Botzone);
            *won += i32::from(plain.won);
        }
    }
    assert!(won.iter().all(|won| (50..250).contains(won)), "{won:?}");
}

/// What a bot's decisions cost, each judged by playouts of the policy, adds up to its difference in
/// strength to the policy, which is exact over all layouts.
#[test]
fn the_costs_of_decisions_add_up_to_the_difference_in_strength() {
    for (objective, rule) in
        [(Objective::FewestHits, Rule::Botzone), (Objective::CleanWin, Rule::SafeFirst)]
    {
        let mut engine = Engine::new(objective, Effort::Fast);
        let mut playouts = Playouts::new(objective, Effort::Fast, || false);
        let mut odds = ClickOdds::default();
        let layouts = layouts(4, 3, 3, Rule::Botzone);
        let (mut of_bot, mut of_policy, mut differing) = (0.0, 0.0, 0_u64);
        let (mut costs, mut variance) = (0.0, 0.0);
        for layout in &layouts {
            let mut clicks: Vec<(Board, Cell)> = Vec::new();
            let luck = play_on(layout, &mut |board, field| {
                let cell = last(board, field)?;
                // With clean wins a game ends with its first hit.
                let is_over = rule.is_classic() && board.hits() > 0;
                clicks.extend((!is_over).then(|| (board.clone(), cell)));
                (!is_over).then_some(cell)
            });
            let policy = play_on(layout, &mut |board, _| {
                let is_over = rule.is_classic() && board.hits() > 0;
                if is_over { None } else { sapper(&mut engine, board) }
            });
            of_bot += luck.hits as f64;
            of_policy += policy.hits as f64;
            odds.begin(12);
            for (board, cell) in &clicks {
                let best = sapper(&mut engine, board).unwrap();
                if best == *cell || odds.odds(board, *cell) == Some(0.0) {
                    continue;
                }
                differing += 1;
                let pairs = playouts.costs(board, [*cell, best], 50, differing).unwrap();
                let all = pairs.iter().map(|[own, other]| own - other);
                let mean = all.clone().sum::<f64>() / 50.0;
                costs += mean;
                variance += all.map(|cost| power(cost - mean, 2)).sum::<f64>() / 50.0 / 49.0;
            }
        }
        let games = layouts.len() as f64;
        let (difference, costs) = ((of_bot - of_policy) / games, costs / games);
        assert!(difference > 0.3 && differing > 400, "{difference}, {differing}");
        let tolerance = 4.0 * variance.sqrt() / games;
        assert!(tolerance < 0.1 * difference, "{tolerance}, {difference}");
        assert!((difference - costs).abs() < tolerance, "{difference}, {costs}");
    }
}

/// Playouts remember positions, also those of other boards, and cost what they would without.
#[test]
fn a_cost_does_not_depend_on_the_playouts_before_it() {
    let positions = guesses(&mut fastrand::Rng::with_seed(3), 24);
    for objective in OBJECTIVES {
        let new = || Playouts::new(objective, Effort::Fast, || false);
        let mut playouts = new();
        let mut known = 0;
        for _ in 0..2 {
            for (seed, guess) in (0..).zip(&positions) {
                let cells: Vec<Cell> = guess.board.hidden().take(2).collect();
                let &[first, second] = &cells[..] else { continue };
                let expected = new().costs(guess.board, [first, second], 8, seed);
                assert_eq!(playouts.costs(guess.board, [first, second], 8, seed), expected);
                known += u32::from(expected.is_some());
            }
        }
        assert!(known > 30, "{known}");
    }
}

/// One player in four clicks other cells, or ends the game, while a hidden cell is proven safe.
#[test]
fn a_game_is_told_without_the_clicks_that_follow_from_the_numbers() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut adjuster = Adjuster::default();
    let (mut clicked, mut told_clicks, mut early, mut unfinished) = (0, 0, 0, 0);
    for seed in 0..1000 {
        let shape = Shape::new(random.u64(2..=9), random.u64(2..=9)).unwrap();
        let mines = random.usize(1..=shape.len() / 3);
        let mines = random.choose_multiple(1..shape.len(), mines);
        let layout = Layout { shape, first: Cell::from_index(0), mines };
        let (is_classic, is_hasty) = (random.bool(), random.usize(..4) == 0);
        let (mut clicks, mut has_guessed_early) = (Vec::new(), false);
        let mut player = |board: &Board, _: &Field| {
            let evaluation = evaluate(board).unwrap();
            let safe = evaluation.safe().filter_map(|place| shape.cell_at(place));
            let safe: Vec<Cell> = safe.collect();
            let hidden: Vec<Cell> = board.hidden().collect();
            let is_careless = is_hasty && random.usize(..5) == 0;
            let cell = match random.choice(&safe) {
                Some(&safe) if !is_careless => Some(safe),
                _ => random.choice(hidden),
            };
            if is_careless && !is_classic && random.bool() {
                return None;
            }
            has_guessed_early |= !safe.is_empty() && cell.is_some_and(|cell| !safe.contains(&cell));
            clicks.extend(cell);
            cell
        };
        let rule = if is_classic {
            survive(&layout, seed, &mut adjuster, &mut player);
            Rule::SafeFirst
        } else {
            play_on(&layout, &mut player);
            Rule::Botzone
        };
        let cells = || clicks.iter().copied();
        let mut tell = |telling| {
            adjuster.begin(shape.len(), seed);
            let told = tell(&layout, rule, cells(), telling, &mut adjuster);
            (told.unwrap(), adjuster.luck())
        };
        let ((all, result), luck) = tell(Telling::All);
        let ((told, same_result), same_luck) = tell(Telling::Guesses);
        assert_eq!((&same_result, same_luck), (&result, luck));
        let is_early = told.clicks.iter().any(|click| !click.left.is_empty());
        assert_eq!(is_early, has_guessed_early);

        let mut again = |told| {
            adjuster.begin(shape.len(), seed);
            let result = play_told(&layout, rule, told, &mut adjuster);
            result.map(|result| (result, adjuster.luck()))
        };
        let expected = Some((PlayResult { turns: 0, ..result.clone() }, luck));
        assert_eq!(again(&all), expected, "{all:?}");
        assert_eq!(again(&told), expected, "{told:?}");
        assert!(all.clicks.len() >= result.turns as usize);
        clicked += clicks.len();
        told_clicks += told.clicks.len();
        early += u32::from(has_guessed_early);
        unfinished += u32::from(!told.left.is_empty());
    }
    assert!(told_clicks < clicked / 2, "{told_clicks} of {clicked}");
    assert!(early > 50 && unfinished > 5, "{early}, {unfinished}");
}
