//! `judge optimum`: the exact cost of the engine's play and of optimal play.

use serde_json::Value;

use crate::bots::judge;

fn rows(options: &[&str]) -> Vec<Value> {
    let run = judge([&["optimum", "--json"], options].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{options:?}");
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    output["rows"].as_array().unwrap().clone()
}

fn played<'r>(row: &'r Value, play: &str) -> &'r Value {
    row["played"].as_array().unwrap().iter().find(|played| played["play"] == play).unwrap()
}

/// Under every rule and objective, on sparse, dense and nearly full fields.
#[test]
fn without_limits_the_engine_plays_optimally() {
    let levels = ["3x3/2", "3x3/4", "3x3/7", "4x3/3", "4x3/5", "5x2/4", "7x1/3", "3x2/1", "2x2/3"];
    let mut below = 0;
    for objective in ["fewest-hits", "clean-win"] {
        let rows = |levels: &[&'static str], rules| {
            let play = ["--play", "fast,lifted", "--objective", objective, "--rule", rules];
            rows(&[levels, &play].concat())
        };
        let mut found = rows(&levels, "botzone,safe-first");
        // Open-first has no layout of the other fields.
        let open: Vec<&str> =
            levels.iter().copied().filter(|level| !["3x3/7", "2x2/3"].contains(level)).collect();
        found.extend(rows(&open, "open-first"));
        assert_eq!(found.len(), 3 * levels.len() - 2);
        for row in &found {
            assert_eq!(row["objective"], objective);
            assert_eq!(played(row, "lifted")["total"], row["optimum"]["total"], "{row}");
            assert_eq!(played(row, "lifted")["gap_percent"], 0.0, "{row}");
            let gap = played(row, "fast")["gap_percent"].as_f64().unwrap();
            assert!(gap >= 0.0, "{row}");
            below += usize::from(gap > 0.0);
        }
    }
    assert!(
        below > 0,
        "fast effort is optimal on all of these fields, so its limits are not tested"
    );
}

/// The optima were published for another program.
#[test]
fn optima_are_the_published_ones_and_efforts_are_close_to_them() {
    let found = rows(&["4x4/2", "12x1/4", "4x4/4", "--play", "standard,full"]);
    let expected = [
        ("4x4/2", "botzone", 0.15833),
        ("4x4/2", "safe-first", 0.97143),
        ("12x1/4", "botzone", 1.21212),
        ("12x1/4", "safe-first", 0.34848),
        ("4x4/4", "botzone", 0.57418),
        ("4x4/4", "safe-first", 0.69524),
    ];
    assert_eq!(found.len(), expected.len());
    for (row, (level, rule, optimum)) in found.iter().zip(expected) {
        assert_eq!((&row["level"], &row["rule"]), (&level.into(), &rule.into()));
        let mean = row["optimum"]["mean"].as_f64().unwrap();
        assert!((mean - optimum).abs() < 5e-6, "{row}");
        for (play, most) in [("standard", 1.0), ("full", 0.1)] {
            assert!(played(row, play)["gap_percent"].as_f64().unwrap() <= most, "{row}");
        }
    }
    let table = judge(["optimum", "4x4/2", "--play", "fast"]);
    assert_eq!(table.code, 0);
    assert!(
        table.stdout.contains("0.15833") && table.stdout.contains("0.97143"),
        "{}",
        table.stdout
    );
}

/// The first cells that a turn cannot prove are in a table. The optimum is computed without it.
#[test]
#[ignore = "slow; scripts/check runs it"]
fn first_cells_of_the_table_are_optimal() {
    let fields = ["8x2/4", "6x3/4", "9x2/3", "12x1/6", "3x5/5"];
    let found = rows(&[&fields[..], &["--rule", "botzone", "--play", "full"]].concat());
    assert_eq!(found.len(), fields.len());
    for row in &found {
        assert_eq!(played(row, "full")["total"], row["optimum"]["total"], "{row}");
    }
}

/// Botzone's judge checks only after an answer whether the game is over, so one mine is opened.
#[test]
fn a_field_of_mines_only_is_lost_as_in_a_game() {
    for objective in ["fewest-hits", "clean-win"] {
        let options = ["--rule", "botzone", "--objective", objective];
        let found = rows(&[&["2x2/4", "1x1/1", "--play", "fast,lifted"], &options[..]].concat());
        assert_eq!(found.len(), 2);
        for row in found {
            let level = row["level"].as_str().unwrap();
            let bench =
                ["bench", "--level", level, "--seeds", "1..2", "--effort", "fast", "--json"];
            let run = judge([&bench, &options[..]].concat());
            let report: Value = serde_json::from_str(&run.stdout).unwrap();
            let key = if objective == "clean-win" { "win_rate" } else { "mines_a_game" };
            let expected = if objective == "clean-win" { 0.0 } else { 1.0 };
            assert_eq!(report[key], expected, "{report}");
            for mean in [&row["optimum"], played(&row, "fast"), played(&row, "lifted")] {
                assert_eq!(mean["mean"], expected, "{row}");
            }
        }
    }
}

#[test]
fn fields_without_a_layout_are_refused() {
    for (level, rule, reason) in [
        (
            "2x2/4",
            "safe-first",
            "a corner that safe-first keeps free: 4 mines do not fit into 3 cells",
        ),
        (
            "3x3/6",
            "open-first",
            "a corner that open-first keeps free: 6 mines do not fit into 5 cells",
        ),
    ] {
        let run = judge(["optimum", "3x1/1", level, "--rule", rule, "--play", "fast"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{level}");
        assert!(run.stderr.contains(level) && run.stderr.contains(reason), "{}", run.stderr);
    }
}

#[test]
fn fields_that_are_too_large_are_refused() {
    for (level, reason) in [("7x7/3", "32 cells"), ("3x3/10", "do not fit"), ("6x5/12", "layouts")]
    {
        let run = judge(["optimum", level]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{level}");
        assert!(run.stderr.contains(level) && run.stderr.contains(reason), "{}", run.stderr);
    }
    assert_eq!(judge(["optimum", "4x4"]).code, 2);
}
