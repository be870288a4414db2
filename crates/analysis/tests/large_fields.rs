//! Explaining the largest fields takes bounded work: once the nodes of the proofs are spent, the
//! rest is told in one step, and no sentence lists thousands of numbers.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use analysis::Analyzer;
use analysis::explanation::{explain, explain_guess};
use analysis::guesses::fifty_fifties;
use analysis::sentences::sentences;
use sapper::board::Board;
use sapper::board::text_format::BoardText;
use sapper::settings::params::{Effort, Objective};

/// The longest sentence: a dozen groups and some cells.
const MAX_SENTENCE: usize = 1000;

fn board(picture: &str) -> Board {
    picture.parse::<BoardText>().unwrap().board(0).unwrap()
}

/// A field of which the cells that are no mines are open with this probability.
fn random_field(size: usize, density: f64, open: f64, mines: Option<usize>) -> Board {
    let mut random = fastrand::Rng::with_seed(1);
    let mined: Vec<bool> = (0..size * size).map(|_| random.f64() < density).collect();
    let around = |at: usize| at.saturating_sub(1)..=(at + 1).min(size - 1);
    let total = mined.iter().filter(|mine| **mine).count();
    let mut picture = format!("{size} {size} {}\n", mines.unwrap_or(total));
    for y in 0..size {
        for x in 0..size {
            if mined[y * size + x] || random.f64() > open {
                picture.push('.');
                continue;
            }
            let cells = around(y).flat_map(|row| around(x).map(move |column| row * size + column));
            let number = cells.filter(|&cell| mined[cell]).count();
            picture.push_str(&number.to_string());
        }
        picture.push('\n');
    }
    board(&picture)
}

#[test]
fn an_untouched_field_has_no_pairs() {
    let row = ".".repeat(300) + "\n";
    let board = board(&format!("300 300 45000\n{}", row.repeat(300)));
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let analysis = analyzer.analyze(&board, None).unwrap();
    let even = fifty_fifties(&analysis);
    assert!(even.is_empty());
    let chosen = analysis.chosen().unwrap();
    assert!(!explain_guess(&analysis, chosen, &even).is_empty());
}

#[test]
fn thousands_of_numbers_that_prove_something_together_are_counted() {
    let len = 2000;
    let board = board(&format!("{} 1 {}\n{}..", 4 * len + 2, 2 * len, ".1.*".repeat(len)));
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let analysis = analyzer.analyze(&board, None).unwrap();
    assert_eq!(fifty_fifties(&analysis).len(), len);
    let told = explain(&analysis);
    let steps: Vec<_> = told.easiest.iter().flat_map(|told| &told.steps).collect();
    assert!(told.others.is_empty() && steps.len() == 1, "{steps:?}");
    assert_eq!(steps[0].numbers.len(), len);
    let text = told.easiest.iter().flat_map(|told| told.sentences(&board)).collect::<String>();
    assert!(text.contains(&format!("{len} numbers and the {len} mines left together")));
}

#[test]
fn everything_proven_about_a_large_field_is_told_once_in_short_sentences() {
    let board = random_field(300, 0.2, 0.5, None);
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let analysis = analyzer.analyze(&board, None).unwrap();
    let told = explain(&analysis);
    let first = told.easiest.iter().chain(&told.chosen).flat_map(|told| &told.steps);
    let steps: Vec<_> = first.chain(&told.others).collect();
    let of_first = told.easiest.iter().chain(&told.chosen).flat_map(|told| told.sentences(&board));
    let texts: Vec<String> = of_first.chain(sentences(&board, &told.others)).collect();
    assert!(texts.len() == steps.len() && texts.iter().all(|text| text.len() < MAX_SENTENCE));
    let proven = analysis.odds().safe().len() + analysis.odds().mines().len();
    assert_eq!(steps.iter().map(|step| step.tells.len()).sum::<usize>(), proven);
}

#[test]
fn too_few_mines_for_a_large_field_are_one_short_sentence() {
    let board = random_field(300, 0.2, 0.8, Some(5000));
    let mut analyzer = Analyzer::new(Objective::FewestHits, Effort::Fast);
    let conflicts = analyzer.analyze(&board, None).err().unwrap();
    let [one] = &conflicts[..] else { panic!("{} conflicts", conflicts.len()) };
    assert!(one.uses_total && one.numbers.len() > 12, "{}", one.text);
    assert!(one.text.len() < MAX_SENTENCE && one.text.contains(" numbers need at least "));
}
