//! `judge optimum`: the engine against optimal play, exactly.

use serde_json::Value;

use crate::bots::judge;

fn rows(options: &[&str]) -> Vec<Value> {
    let run = judge([&["optimum", "--json"], options].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{options:?}");
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    told["rows"].as_array().unwrap().clone()
}

fn played<'r>(row: &'r Value, play: &str) -> &'r Value {
    row["played"].as_array().unwrap().iter().find(|played| played["play"] == play).unwrap()
}

/// Both first clicks, both objectives; sparse, dense and nearly full.
#[test]
fn with_its_limits_lifted_the_engine_plays_to_the_optimum() {
    let levels = ["3x3/2", "3x3/4", "3x3/7", "4x3/3", "4x3/5", "5x2/4", "7x1/3", "3x2/1", "2x2/3"];
    let mut below = 0;
    for objective in ["fewest-hits", "clean-win"] {
        let play = ["--play", "fast,lifted", "--rule", "botzone,safe-first,open-first"];
        let rows = rows(&[&levels[..], &["--objective", objective], &play].concat());
        assert_eq!(rows.len(), 3 * levels.len());
        for row in &rows {
            assert_eq!(row["objective"], objective);
            assert_eq!(played(row, "lifted")["total"], row["optimum"]["total"], "{row}");
            assert_eq!(played(row, "lifted")["gap_percent"], 0.0, "{row}");
            let gap = played(row, "fast")["gap_percent"].as_f64().unwrap();
            assert!(gap >= 0.0, "{row}");
            below += usize::from(gap > 0.0);
        }
    }
    assert!(below > 0, "fast effort has its limits");
}

/// The optima were computed by another program; how near the efforts come is what they are set for.
#[test]
fn the_optimum_is_the_published_one_and_efforts_come_near_it() {
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
