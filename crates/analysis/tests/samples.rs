//! Everything under `samples/`: pictures with exact counts, requests with answers, bad inputs.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use analysis::layout_count::count_layouts;
use sapper::board::text_format::BoardText;
use sapper::bot::session::respond;
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::{Budget, NoClock};
use serde_json::Value;

fn samples(folder: &str, suffix: &str) -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(folder);
    let mut found: Vec<(String, PathBuf)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix(suffix)?.to_owned();
            Some((name, path))
        })
        .collect();
    found.sort();
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Each picture states its number of layouts and, for each hidden cell, the number of layouts with
/// a mine there. The numbers come from another program, which counts by backtracking with integers.
#[test]
fn pictures_have_the_counts_they_state() {
    let fields = samples("fields", ".txt");
    assert!(fields.len() >= 12);
    for (name, path) in fields {
        let stated: Value = serde_json::from_str(&read(&path.with_extension("json"))).unwrap();
        let picture: BoardText = read(&path).parse().unwrap();
        let board = picture.board(0).unwrap();
        let position = board.position();
        let all = stated["layouts"].as_u64().unwrap();
        let counted = count_layouts(&position, &mut Budget::unlimited());
        assert_eq!(counted, Ok(Some(all.into())), "{name}");
        let mut deducer = Deducer::default();
        let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
        let mut solver = ProbabilitySolver::default();
        let mut budget = Budget::unlimited();
        let odds = solver.run(deduced, &mut budget).unwrap().odds();
        let shape = board.shape();
        let mut hidden = 0;
        for cell in shape.cells() {
            let (row, column) = (shape.row(cell) as usize, shape.column(cell) as usize);
            let mined = &stated["mined"][row][column];
            assert_eq!(board.is_hidden(cell), mined.is_u64(), "{name} {row},{column}");
            if let Some(mined) = mined.as_u64() {
                let exact = mined as f64 / all as f64;
                assert!((odds.of(cell) - exact).abs() < 1e-12, "{name} {row},{column}");
                assert_eq!(odds.of(cell) == 0.0, mined == 0, "{name} {row},{column}");
                assert_eq!(odds.of(cell) == 1.0, mined == all, "{name} {row},{column}");
                hidden += 1;
            }
        }
        assert_eq!(hidden, position.hidden.len(), "{name}");
    }
}

/// `judge samples` compares the answers with the files; this test also compares the steps.
#[test]
fn requests_are_answered_by_the_expected_step() {
    let requests = samples("requests", ".expected.json");
    assert!(requests.len() >= 12);
    let mut steps = Vec::new();
    for (name, path) in requests {
        let expected: Value = serde_json::from_str(&read(&path)).unwrap();
        let Some(by) = expected["by"].as_str() else { continue };
        let text = read(&path.with_file_name(format!("{name}.json")));
        let answer = respond(&text, &NoClock).unwrap();
        let decision = answer.decision.unwrap();
        assert_eq!(decision.by.name(), by, "{name}");
        let shape = answer.board.shape();
        let cell = decision.cell();
        let answered = serde_json::json!([shape.row(cell), shape.column(cell)]);
        assert!(expected["answer"].as_array().unwrap().contains(&answered), "{name}: {answered}");
        let has_warnings = name == "impossible-history";
        assert_eq!(!answer.warnings.is_empty(), has_warnings, "{name}: {:?}", answer.warnings);
        steps.push(by.to_owned());
    }
    for step in sapper::bot::engine::Step::ALL {
        assert!(steps.iter().any(|by| by == step.name()), "no sample for {}", step.name());
    }
}

#[test]
fn bad_inputs_are_refused_for_the_reason_they_state() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/bad");
    let reasons: Value = serde_json::from_str(&read(&folder.join("reasons.json"))).unwrap();
    let bad = samples("bad", ".txt");
    assert_eq!(bad.len(), reasons.as_object().unwrap().len());
    for (name, path) in bad {
        let error = respond(&read(&path), &NoClock).unwrap_err().to_string();
        let reason = reasons[&name].as_str().unwrap();
        assert!(error.contains(reason), "{name}: {error}");
    }
}

#[test]
fn an_inconsistent_history_is_answered_with_every_reason() {
    let path = samples("requests", ".json")
        .into_iter()
        .find(|(name, _)| name == "impossible-history")
        .unwrap()
        .1;
    let warnings = respond(&read(&path), &NoClock).unwrap().warnings.join("\n");
    for reason in ["no such cell", "val 12 is neither", "shows 8, but at most 7"] {
        assert!(warnings.contains(reason), "{warnings}");
    }
}
