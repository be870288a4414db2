//! `judge openings`: its output is the table of first cells in the source.

use sapper::board::geometry::Shape;
use sapper::search::endgame::opening_table::best;

use crate::bots::judge;

#[test]
fn the_table_is_the_output_of_the_command() {
    let fields =
        ["8x2/4", "5x4/4", "5x4/5", "6x3/4", "12x1/6", "6x6/3", "7x6/3", "9x2/3", "34x1/2"];
    let run = judge([&["openings", "--nodes", "1500"], &fields[..]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), fields.len());
    for line in lines {
        let numbers = line.trim().trim_start_matches('(').trim_end_matches("),");
        let numbers: Vec<u64> = numbers.split(", ").map(|number| number.parse().unwrap()).collect();
        let [rows, columns, mines, first, cost] = numbers[..] else { panic!("{line}") };
        let shape = Shape::new(rows, columns).unwrap();
        let best = best(shape, mines as u32).unwrap();
        assert_eq!((best.cell.index() as u64, u64::from(best.cost)), (first, cost), "{line}");
    }
}

#[test]
fn fields_solved_by_standard_effort_and_unsolved_fields_are_left_out() {
    let run = judge(["openings", "6x3/4", "--json"]);
    let output: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let best = best(Shape::new(3, 6).unwrap(), 4).unwrap();
    let first = best.cell.index();
    let field =
        serde_json::json!({"rows": 3, "columns": 6, "mines": 4, "first": first, "cost": best.cost});
    assert_eq!(output, serde_json::json!({"fields": [field]}));
    let run = judge(["openings", "4x4/4"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let run = judge(["openings", "5x4/5", "--nodes", "100"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("5x4/5") && run.stderr.contains("--nodes"), "{}", run.stderr);
}
