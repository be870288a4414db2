//! `judge odds` on fields drawn as text, compared with the enumeration of all layouts.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::bots::{Run, judge};

/// Runs the command with the field in one file and the expected list, if given, in another.
fn odds(field: &str, expected: Option<&str>, options: &[&str]) -> Run {
    let directory = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mut arguments = vec!["odds".to_owned(), write("field.txt", field)];
    if let Some(expected) = expected {
        arguments.extend(["--expect".to_owned(), write("list.txt", expected)]);
    }
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    judge(arguments)
}

/// What is known about the number of mines.
#[derive(Clone, Copy)]
enum Prior {
    Count(u32),
    Density(f64),
}

/// The odds of each hidden cell: the weight of the layouts with a mine there, divided by the weight
/// of all layouts.
///
/// Enumerates every assignment of mines to the hidden symbols and reads nothing but the drawing.
fn enumerate(rows: &[Vec<char>], prior: Prior) -> BTreeMap<(usize, usize), f64> {
    let (height, width) = (rows.len(), rows[0].len());
    let cells = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let hidden: Vec<(usize, usize)> =
        cells().filter(|&(row, column)| matches!(rows[row][column], '?' | '.')).collect();
    let (mut all, mut mined) = (0.0, vec![0.0; hidden.len()]);
    for layout in 0..1_u32 << hidden.len() {
        let is_mine = |cell: (usize, usize)| match rows[cell.0][cell.1] {
            '!' | '*' => true,
            _ => hidden
                .iter()
                .position(|&other| other == cell)
                .is_some_and(|bit| layout >> bit & 1 == 1),
        };
        let fits = cells().all(|(row, column)| match rows[row][column].to_digit(10) {
            None => true,
            Some(number) => {
                let around = cells().filter(|&(r, c)| r.abs_diff(row).max(c.abs_diff(column)) == 1);
                around.filter(|&cell| is_mine(cell)).count() as u32 == number
            }
        });
        let mines = cells().filter(|&cell| is_mine(cell)).count() as u32;
        let laid = layout.count_ones() as i32;
        let weight = match prior {
            Prior::Count(count) => f64::from(u8::from(mines == count)),
            Prior::Density(density) => {
                density.powi(laid) * (1.0 - density).powi(hidden.len() as i32 - laid)
            }
        };
        if fits && weight > 0.0 {
            all += weight;
            for (bit, mined) in mined.iter_mut().enumerate() {
                *mined += weight * f64::from(layout >> bit & 1);
            }
        }
    }
    assert!(all > 0.0, "the field has a layout");
    hidden.into_iter().zip(mined).map(|(cell, mined)| (cell, mined / all)).collect()
}

/// A partly open field in both sets of symbols, and its number of mines.
fn random_field(random: &mut fastrand::Rng) -> (Vec<Vec<char>>, u32) {
    let (height, width) = (random.usize(1..=5), random.usize(1..=6));
    let density = [0.1, 0.2, 0.4][random.usize(0..3)];
    let mines: Vec<Vec<bool>> =
        (0..height).map(|_| (0..width).map(|_| random.f64() < density).collect()).collect();
    let mut order: Vec<(usize, usize)> =
        (0..height).flat_map(|row| (0..width).map(move |column| (row, column))).collect();
    random.shuffle(&mut order);
    let mut rows = vec![vec!['?'; width]; height];
    let open = (order.len() / 3).max(order.len().saturating_sub(13));
    for (row, column) in order.drain(..open) {
        let near = |r: usize, c: usize| r.abs_diff(row).max(c.abs_diff(column)) == 1;
        let cells = (0..height).flat_map(|r| (0..width).map(move |c| (r, c)));
        let number = cells.filter(|&(r, c)| near(r, c) && mines[r][c]).count() as u32;
        rows[row][column] = match mines[row][column] {
            true => ['!', '*'][random.usize(0..2)],
            false => char::from_digit(number, 10).unwrap(),
        };
    }
    for (row, column) in order {
        rows[row][column] = ['?', '.'][random.usize(0..2)];
    }
    (rows, mines.iter().flatten().filter(|mine| **mine).count() as u32)
}

fn drawn(rows: &[Vec<char>], mines: Option<u32>) -> String {
    let mut text = format!("{} {}", rows[0].len(), rows.len());
    if let Some(mines) = mines {
        text.push_str(&format!(" {mines}"));
    }
    for row in rows {
        text.push('\n');
        text.extend(row);
    }
    text + "\n"
}

fn check(rows: &[Vec<char>], text: &str, prior: Prior, options: &[&str]) {
    let run = odds(text, None, options);
    assert_eq!(run.code, 0, "{text}{}", run.stderr);
    let expected = enumerate(rows, prior);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{text}{}", run.stdout);
    for (line, ((row, column), odds)) in lines.iter().zip(expected) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[..2], [row.to_string(), column.to_string()], "{text}");
        let found: f64 = words[2].parse().unwrap();
        assert!((found - odds).abs() < 6e-7, "{text}{line}: expected {odds}");
        // Odds have no decimals if and only if they are proven.
        let proven = ["0", "1"].contains(&words[2]);
        let certain = odds == 0.0 || (odds - 1.0).abs() < 1e-12;
        assert_eq!(proven, certain, "{text}{line}");
        assert!(proven || words[2].len() == 8, "{line}");
    }
}

#[test]
fn odds_agree_with_enumeration() {
    let mut random = fastrand::Rng::with_seed(31);
    for _ in 0..60 {
        let (rows, mines) = random_field(&mut random);
        check(&rows, &drawn(&rows, Some(mines)), Prior::Count(mines), &[]);
        let text = drawn(&rows, None);
        check(&rows, &text, Prior::Density(0.2), &[]);
        let density = (random.f64() * 100.0).round().clamp(1.0, 99.0) / 100.0;
        check(&rows, &text, Prior::Density(density), &["--density", &density.to_string()]);
    }
}

/// A deduction from the number of mines left needs a mine count.
#[test]
fn without_a_mine_count_the_total_proves_nothing() {
    let run = odds("3 1 1\n1?.\n", None, &[]);
    assert_eq!(run.stdout, "0 1 1\n0 2 0\n");
    let run = odds("3 1\n1?.\n", None, &[]);
    assert_eq!(run.stdout, "0 1 1\n0 2 0.200000\n");
    let run = odds("2 2\n!?\n??\n", None, &["--density", "0.37"]);
    assert_eq!(run.stdout, "0 1 0.370000\n1 0 0.370000\n1 1 0.370000\n");
    for density in ["1e-9", "0.999999"] {
        let run = odds("3 2\n1?.\n1?.\n", None, &["--density", density, "--json"]);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(
            (&found["odds"][0][1], &found["odds"][0][2]),
            (&0.5.into(), &density.parse::<f64>().unwrap().into())
        );
    }
}

#[test]
fn json_lists_the_odds_in_rows() {
    let run = odds("2 2\n1?\n1?\n", None, &["--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        found,
        serde_json::json!({"width": 2, "height": 2, "minecount": null, "density": 0.2,
                           "odds": [[null, 0.5], [null, 0.5]]})
    );
    let run = odds("2 2 1\n1?\n1?\n", None, &["--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&found["minecount"], found.get("density")), (&1.into(), None));
}

#[test]
fn an_empty_file_has_no_position() {
    for (empty, expected) in [("", None), ("\n \n", None), ("\u{feff}", None), ("", Some(""))] {
        let run = odds(empty, expected, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains("is empty: it has no position"), "{}", run.stderr);
    }
}

#[test]
fn a_list_is_compared_to_two_decimals() {
    // Three cells share a mine: each 1/3.
    let field = "2 2\n1?\n??\n";
    for good in
        ["0 1 0.33\n1 0 0.33\n1 1 0.33\n", "# any order\n1 1 0.333\n\n0 1 .33  # a third\n1 0 0.33"]
    {
        let run = odds(field, Some(good), &[]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "Correct\n"), "{}", run.stderr);
    }
    let run = odds(field, Some("0 0 0.5\n0 1 0.34\n1 1 0.33\n"), &[]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "Incorrect\n\
         (0,0): no hidden cell, expected: 0.5\n\
         (0,1): 0.333333, expected: 0.34\n\
         (1,0): 0.333333, expected: not listed\n"
    );
    let run = odds(field, Some("0 1 0.34\n1 0 0.33\n1 1 0.33\n"), &["--json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &found["correct"]), (1, &Value::Bool(false)));
    assert_eq!(found["differences"].as_array().unwrap().len(), 1);
    // Half a unit of the last decimal may be rounded up or down.
    for rounded in ["0.12", "0.13"] {
        let list = format!("0 0 {rounded}");
        assert_eq!(odds("1 1\n?\n", Some(&list), &["--density", "0.125"]).code, 0);
    }
}

#[test]
fn bad_lists_name_their_line() {
    for (list, hint) in [
        ("0 0 0.5\n0 1\n", "list.txt, line 2: `0 1`: expected `row col odds`"),
        ("0 x 0.5\n", "list.txt, line 1: `x` is not a row or column"),
        ("0 0 half\n", "`half` is not a number"),
        ("0 0 1.5\n", "odds 1.5 are not between 0 and 1"),
        ("0 0 NaN\n", "are not between 0 and 1"),
        ("0 0 0.5\n\n0 0 0.5\n", "list.txt, line 3: (0,0) is listed twice"),
    ] {
        let run = odds("1 1\n?\n", Some(list), &[]);
        assert_eq!(run.code, 2, "{list:?}: {}", run.stdout);
        assert!(run.stderr.contains(hint), "{list:?}: {}", run.stderr);
    }
}

#[test]
fn bad_fields_are_refused_with_the_reason() {
    for (field, hint) in [
        ("# nothing\n", "no width or height"),
        ("3\n???\n", "no width or height"),
        ("???\n", "no width or height"),
        (
            "3 2 1 7\n???\n???\n",
            "wrong width or height: the first line has 4 words, too many: it must be `W H` or \
             `W H M`",
        ),
        ("x 2\n???\n???\n", "wrong width or height: `x` is not a whole number from 1"),
        ("3.0 2\n???\n???\n", "wrong width or height: `3.0` is not a whole number from 1"),
        (
            "3x2 1\n???\n???\n",
            "wrong first line `3x2 1`: it must be `W H` or `W H M`; did you mean `3 2 1`?",
        ),
        ("3 1\n?##1\n", "line 2 of the text): 1 symbol, expected 3"),
        ("99999999999999999999 2\n???\n", "width or height: `99999999999999999999` is too large"),
        ("0 2\n", "wrong width or height: a field needs at least one row and one column"),
        ("-3 2\n???\n???\n", "wrong width or height: `-3` is not a whole number from 1"),
        ("999999 999999\n?\n", "is too large"),
        ("3 2 m\n???\n???\n", "wrong number of mines: `m` is not a whole number from 0"),
        ("3 2 -1\n???\n???\n", "wrong number of mines: `-1` is not a whole number from 0"),
        ("3 2 99999999999999999999\n", "number of mines: `99999999999999999999` is too large"),
        ("3 2\n???\n", "too small a field: 1 row, expected 2 (the height)"),
        (
            "3 2\n???\n??\n",
            "too small a field: row 1 (line 3 of the text): 2 symbols, expected 3 (the width)",
        ),
        ("3 1\n????\n", "wrong width: row 0 (line 2 of the text): 4 symbols"),
        ("3 1\n???\n???\n", "wrong height: 2 rows"),
        (
            "2 1 3\n??\n",
            "impossible position:\n  minecount 3 is more than the 2 cells of the field",
        ),
        ("# a\n3 1\n\n?a?\n", "unknown symbol: row 0 (line 4 of the text), col 1: `a`"),
        ("3 1\n?9?\n", "wrong number: row 0 (line 2 of the text), col 1: a 9"),
        ("3 1\n?4?\n", "(0,1) shows 4, but at most 2 of its neighbours can be mines"),
        ("3 1 8\n!8?\n", "(0,1) shows 8, but at most 2 of its neighbours can be mines"),
        ("3 1\n!0?\n", "(0,1) shows 0, but 1 mine was opened around it"),
        ("3 1 0\n!1?\n", "1 mine was opened, but minecount is 0"),
        ("3 1 3\n?1?\n", "3 mines are left for 2 hidden cells"),
        (
            "5 1\n2?1?2\n",
            "impossible position:\n  (0,0) shows 2, but at most 1 of its neighbours can be a mine",
        ),
        (
            "5 1\n1?1?1\n",
            "impossible position:\n  the 1 at (0,0), the 1 at (0,2) and the 1 at (0,4) cannot all \
             be true",
        ),
        (
            "5 1 3\n1?1??\n",
            "impossible position:\n  3 mines are left, but with the 1 at (0,2) at most 2 fit",
        ),
        // Every reason is listed.
        ("9 1\n0?10001?0\n", "the 0 at (0,0) and the 1 at (0,2) contradict each other\n  the 1 at"),
        ("9 1\n0?10001?0\n", "the 1 at (0,6) and the 0 at (0,8) contradict each other\n"),
    ] {
        let run = odds(field, None, &[]);
        assert_eq!(run.code, 2, "{field:?}: {}", run.stdout);
        assert!(
            run.stderr.contains("field.txt: ") && run.stderr.contains(hint),
            "{field:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn json_input_and_a_field_have_the_same_list_and_picture() {
    let input = r#"{"height":3,"width":3,"minecount":1,"changed":[{"row":0,"col":0,"val":1}]}"#;
    for options in [&[][..], &["--draw"]] {
        let [from_json, drawn] =
            [input, "3 3 1\n1..\n...\n..."].map(|text| odds(text, None, options));
        assert_eq!((from_json.code, from_json.stderr.as_str()), (0, ""));
        assert_eq!(from_json.stdout, drawn.stdout);
        let part = if options.is_empty() { "0 1 0.333333\n0 2 0\n" } else { "   1 33% [0]\n" };
        assert!(drawn.stdout.contains(part), "{}", drawn.stdout);
    }
    let list = "0 1 0.33\n0 2 0\n1 0 0.33\n1 1 0.33\n1 2 0\n2 0 0\n2 1 0\n2 2 0\n";
    assert_eq!(odds(input, Some(list), &[]).code, 0);
    let run = odds(input, None, &["--density", "0.3"]);
    assert!(run.code == 2 && run.stderr.contains("without a mine count"), "{}", run.stderr);
    for (bad, hint) in [("{", "ends before its JSON"), ("[1]", "field.txt")] {
        let run = odds(bad, None, &[]);
        assert!(run.code == 2 && run.stderr.contains(hint), "{}", run.stderr);
    }
    for density in ["0", "1", "x", "NaN"] {
        let run = odds("1 1\n?\n", None, &["--density", density]);
        assert!(run.code == 2 && run.stderr.contains("above 0 and below 1"), "{}", run.stderr);
    }
    let help = judge(["odds", "--help"]);
    assert!(help.code == 0 && help.stdout.contains("Examples:"));
}
