use game::board_gen::generate;
use game::rule::Start;
use game::simulate;
use sapper::bot::engine::Engine;

use super::*;

fn field(level: &str) -> TinyField {
    TinyField::new(level.parse().unwrap()).unwrap()
}

/// Under every rule and objective, on sparse, dense and nearly full fields.
#[test]
fn without_limits_the_engine_plays_optimally() {
    let levels = ["3x3/2", "3x3/4", "3x3/7", "4x3/3", "4x3/5", "5x2/4", "7x1/3", "3x2/1", "2x2/3"];
    let (mut seen, mut below) = (0, 0);
    for level in levels {
        let field = field(level);
        for objective in Objective::ALL {
            for rule in Rule::ALL {
                if field.check(rule).is_err() {
                    // Open-first has no layout of these.
                    assert!(rule == Rule::OpenFirst && ["3x3/7", "2x2/3"].contains(&level));
                    continue;
                }
                let costs = compare(&field, rule, objective, &[Play::Fast, Play::Lifted]);
                let [(_, fast), (_, lifted)] = costs.played[..] else { panic!("{level}") };
                assert_eq!(lifted, costs.optimum, "{level} {rule:?} {objective:?}");
                assert_eq!(costs.gap_percent(lifted), 0.0);
                assert!(fast >= costs.optimum && costs.are_sound(), "{level} {rule:?}");
                seen += 1;
                below += usize::from(fast > costs.optimum);
            }
        }
    }
    assert_eq!(seen, 2 * (3 * levels.len() - 2));
    assert!(
        below > 0,
        "fast effort is optimal on all of these fields, so its limits are not tested"
    );
}

/// The optima were published for another program.
#[test]
fn optima_are_the_published_ones_and_efforts_are_close_to_them() {
    for (level, rule, optimum) in [
        ("4x4/2", Rule::Botzone, 0.15833),
        ("4x4/2", Rule::SafeFirst, 0.97143),
        ("12x1/4", Rule::Botzone, 1.21212),
        ("12x1/4", Rule::SafeFirst, 0.34848),
        ("4x4/4", Rule::Botzone, 0.57418),
        ("4x4/4", Rule::SafeFirst, 0.69524),
    ] {
        let field = field(level);
        let plays = [Play::Standard, Play::Full];
        let costs = compare(&field, rule, rule.objective(), &plays);
        let mean = costs.mean(costs.optimum);
        assert!((mean - optimum).abs() < 5e-6, "{level} {rule:?}: {mean}");
        for ((play, cost), most) in costs.played.iter().zip([1.0, 0.1]) {
            assert!(costs.gap_percent(*cost) <= most, "{level} {rule:?} {play:?}");
        }
        let line = costs.line(field.level(), rule);
        assert!(line.contains(level) && line.contains(&format!("{optimum:.5}")), "{line}");
    }
}

/// Where any first cell may be a mine, optimal play wins 961 of the 1,820 layouts, by
/// <https://codegolf.stackexchange.com/questions/34276/optimal-minesweeper-on-the-largest-board>.
#[test]
fn as_many_games_are_won_as_published() {
    let costs = compare(&field("4x4/4"), Rule::Botzone, Objective::CleanWin, &[]);
    assert_eq!((costs.layouts, costs.layouts - costs.optimum), (1820, 961));
}

/// The first cells that a turn cannot prove are in a table. The optimum is computed without it.
#[test]
#[ignore = "slow; scripts/check runs it"]
fn first_cells_of_the_table_are_optimal() {
    for level in ["8x2/4", "6x3/4", "9x2/3", "12x1/6", "3x5/5"] {
        let field = field(level);
        let costs = compare(&field, Rule::Botzone, Objective::FewestHits, &[Play::Full]);
        assert_eq!(costs.played[0].1, costs.optimum, "{level}");
    }
}

/// Botzone's judge checks only after an answer whether the game is over, so one mine is opened.
#[test]
fn a_field_of_mines_only_is_lost_as_in_a_game() {
    for level in ["2x2/4", "1x1/1"] {
        for objective in Objective::ALL {
            let (field, Level { shape, mines }) = (field(level), level.parse().unwrap());
            let layout = generate(shape, mines, Start::CHOSEN, 1).unwrap();
            let mut engine = Engine::new(objective, Effort::Fast);
            let game = simulate::play(&layout, Rule::Botzone, &mut engine, |_, _, _| {});
            assert_eq!((game.won, game.hits), (false, 1), "{level}");
            let costs = compare(&field, Rule::Botzone, objective, &[Play::Fast, Play::Lifted]);
            let lost = if objective == Objective::CleanWin { 0.0 } else { 1.0 };
            for cost in [costs.optimum, costs.played[0].1, costs.played[1].1] {
                assert_eq!(costs.mean(cost), lost, "{level} {objective:?}");
            }
        }
    }
}

#[test]
fn fields_without_a_layout_are_refused() {
    for (level, rule, reason) in [
        (
            "2x2/4",
            Rule::SafeFirst,
            "a corner that safe-first keeps free: 4 mines do not fit into 3 cells",
        ),
        (
            "3x3/6",
            Rule::OpenFirst,
            "a corner that open-first keeps free: 6 mines do not fit into 5 cells",
        ),
    ] {
        let error = field(level).check(rule).unwrap_err().to_string();
        assert!(error.contains(level) && error.contains(reason), "{error}");
    }
}

#[test]
fn fields_that_are_too_large_are_refused() {
    for (level, reason) in [("7x7/3", "32 cells"), ("3x3/10", "do not fit"), ("6x5/12", "layouts")]
    {
        let error = TinyField::new(level.parse().unwrap()).err().unwrap().to_string();
        assert!(error.contains(level) && error.contains(reason), "{error}");
    }
    assert!("4x4".parse::<Level>().is_err());
}
