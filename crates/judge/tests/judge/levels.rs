//! `judge bench` on the boards of seeds, compared with the same boards from a file.

use std::fs;

use game::board_file::Layout;
use game::board_gen::generate;
use game::rule::{Rule, Start};
use game::setup::Setup;
use sapper::board::geometry::{Cell, Shape};
use tempfile::TempDir;

use crate::bots::{judge, rows_without_times};

/// The rows of the CSV without the times: index, won, hits, turns, guesses, options.
fn bench(options: &[&str]) -> Vec<String> {
    let directory = TempDir::new().unwrap();
    let csv = directory.path().join("out.csv");
    let run = judge([&["bench", "--csv", csv.to_str().unwrap()], options].concat());
    assert_eq!(run.code, 0, "{options:?}: {}", run.stderr);
    rows_without_times(&csv)[1..].to_vec()
}

/// The same for these boards in a file, with seeds instead of line numbers as indexes.
fn from_file(layouts: &[Layout], first_seed: i64, rule: &str) -> Vec<String> {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("boards.txt");
    let mut text = String::new();
    for Layout { shape, first, mines } in layouts {
        let (row, column) = (shape.row(*first), shape.column(*first));
        text += &format!("{} {} {} {row} {column}", shape.columns(), shape.rows(), mines.len());
        mines.iter().for_each(|mine| text += &format!(" {mine}"));
        text.push('\n');
    }
    fs::write(&path, text).unwrap();
    let found = bench(&["--boards", path.to_str().unwrap(), "--rule", rule]);
    let seeded = found.iter().map(|line| {
        let (line, _checksum) = line.split_once(", file ").unwrap();
        let (index, rest) = line.split_once(',').unwrap();
        format!("{},{rest}", index.parse::<i64>().unwrap() + first_seed)
    });
    seeded.collect()
}

#[test]
fn boards_of_seeds_follow_the_documented_method() {
    let shape = Shape::new(16, 16).unwrap();
    let first = shape.cell(5, 9).unwrap();
    for (rule, start) in [
        ("safe-first", Start::new(Rule::SafeFirst, first)),
        ("open-first", Start::new(Rule::OpenFirst, first)),
    ] {
        let layouts: Vec<Layout> =
            (-5..25).map(|seed| generate(shape, 40, start, seed).unwrap()).collect();
        let expected = from_file(&layouts, -5, rule);
        let options =
            ["--level", "intermediate", "--seeds", "-5..24", "--first", "5,9", "--rule", rule];
        assert_eq!(bench(&options), expected);
        assert_eq!(expected.len(), 30);
        assert!(expected[0].starts_with("-5,") && expected[29].starts_with("24,"));
        assert_eq!(bench(&[&options[..], &["--jobs", "1"]].concat()), expected);
    }
    // Under Botzone's rules they are the official judge's boards.
    let shape = Shape::new(12, 14).unwrap();
    let layouts: Vec<Layout> = (7..=20)
        .map(|seed| {
            let field = Setup::new(shape, 25, seed).field().unwrap().0;
            let mines = field.mines().map(Cell::index).collect();
            Layout { shape, first: shape.cells().next().unwrap(), mines }
        })
        .collect();
    let expected = from_file(&layouts, 7, "botzone");
    assert_eq!(bench(&["--level", "14x12/25", "--seeds", "7..20", "--rule", "botzone"]), expected);
}

#[test]
fn named_levels_have_the_documented_sizes() {
    for (name, size) in [
        ("beginner", "9x9/10"),
        ("intermediate", "16x16/40"),
        ("expert", "30x16/99"),
        ("botzone", "30x20/80"),
    ] {
        let of = |level| bench(&["--level", level, "--seeds", "1..3", "--rule", "safe-first"]);
        assert_eq!(of(name), of(size), "{name}");
    }
    let of = |size: &[&str]| bench(&[size, &["--seeds", "1..3", "--rule", "safe-first"]].concat());
    assert_eq!(of(&[]), of(&["--level", "botzone"]));
}

#[test]
fn bad_usage_says_what_to_do() {
    for (options, hint) in [
        (vec!["--boards", "x", "--level", "expert", "--seeds", "1"], "cannot be used with"),
        (vec!["--boards", "x", "--mines", "9"], "give --level WIDTHxHEIGHT/MINES"),
        (vec!["--level", "expert", "--mines", "9"], "give --level WIDTHxHEIGHT/MINES"),
        (vec!["--boards", "x", "--first", "0,0"], "cannot be used with"),
        (
            vec!["--level", "hard", "--seeds", "1"],
            "give beginner, intermediate, expert, botzone or",
        ),
        (vec!["--level", "0x3/1", "--seeds", "1"], "at least one row"),
        (vec!["--level", "3x3/1", "--seeds", "2..1"], "did you mean 1..2?"),
        (
            vec!["--level", "3x2/1", "--seeds", "1", "--first", "2,0"],
            "--first 2,0 is outside the field: rows are 0 to 1, columns 0 to 2",
        ),
        (vec!["--boards", "samples"], "cannot read samples: it is a folder"),
        (vec!["--level", "3x3/1", "--seeds", "1", "--first", "3"], "give a row and a column"),
        (vec!["--level", "3x3/9", "--seeds", "1"], "9 mines do not fit into 8 cells"),
        (vec!["--level", "3x3/1", "--seeds", "1", "--games", "1"], "cannot be used with"),
        (vec!["--boards", "/no/such/file"], "cannot read /no/such/file"),
    ] {
        let run = judge([&["bench", "--rule", "safe-first"], &options[..]].concat());
        assert_eq!(run.code, 2, "{options:?}: {}", run.stdout);
        assert!(run.stderr.contains(hint), "{options:?}: {}", run.stderr);
    }
    let options =
        ["bench", "--rule", "botzone", "--level", "expert", "--seeds", "1", "--first", "0,0"];
    let run = judge(options);
    assert!(run.code == 2 && run.stderr.contains("omit --first"), "{}", run.stderr);
}
