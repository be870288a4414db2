//! Proofs for people: every step follows from its own premises, everything proven is told exactly
//! once, and the first proof is short.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use analysis::groups::{GroupIndex, GroupSource};
use analysis::rules::{Fact, Reason};
use analysis::search::{ProofSearch, ProofStep};
use analysis::sentences::sentences;
use game::board_gen::generate;
use game::rule::Rule;
use game::rule::Start;
use game::simulate::play;
use sapper::board::geometry::{Cell, Shape};
use sapper::board::group::{MineCount, Position};
use sapper::board::{Board, CellState};
use sapper::bot::engine::{Engine, Step};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::probability::odds::Odds;
use sapper::probability::solver::ProbabilitySolver;
use sapper::settings::budget::Budget;
use sapper::settings::params::{COUNT_NODES, Effort, Objective};

/// The position of `board` and its odds.
fn counted(board: &Board, mine_count: MineCount) -> (Position, Odds) {
    let position = Position { mine_count, ..board.position() };
    let (mut deducer, mut solver) = (Deducer::default(), ProbabilitySolver::default());
    let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
    let mut budget = Budget::of_nodes(COUNT_NODES);
    let odds = solver.run(deduced, &mut budget).unwrap().odds().clone();
    (position, odds)
}

/// A board of which some cells of a random layout are open, and few are hidden.
fn random_board(random: &mut fastrand::Rng) -> Board {
    let shape = Shape::new(random.u64(1..=6), random.u64(3..=6)).unwrap();
    let cells: Vec<Cell> = shape.cells().collect();
    let density = 0.1 + 0.4 * random.f64();
    let mines: Vec<bool> = cells.iter().map(|_| random.f64() < density).collect();
    let total = mines.iter().filter(|mine| **mine).count();
    let mut board = Board::new(shape, total as u32);
    let hide = random.usize(2..=13).min(cells.len());
    let mut order = cells.clone();
    random.shuffle(&mut order);
    // On some boards, a few numbers cannot be read.
    let is_damaged = random.u8(0..4) == 0;
    // Most mines stay hidden.
    order.sort_by_cached_key(|cell| mines[cell.index()] && random.u8(0..8) > 0);
    for &cell in &order[..cells.len() - hide] {
        let around = shape.neighbours(cell);
        let number = around.iter().filter(|other| mines[other.index()]).count() as u8;
        let state = match mines[cell.index()] {
            _ if is_damaged && random.u8(0..8) == 0 => CellState::Illegible,
            true => CellState::Hit,
            false => CellState::Number(number),
        };
        board.open(cell, state);
    }
    board
}

/// All layouts of `cells` that fit some groups and facts, as the sets of mined cells.
fn layouts(
    search: &ProofSearch,
    cells: &[Cell],
    groups: &[GroupIndex],
    facts: &[Fact],
) -> Vec<u32> {
    let bit = |cell: Cell| 1_u32 << cells.iter().position(|&other| other == cell).unwrap();
    let groups: Vec<(u32, u32)> = groups
        .iter()
        .map(|&id| {
            let group = search.groups().group(id);
            (group.cells().iter().map(|&cell| bit(cell)).sum(), group.mines())
        })
        .chain(facts.iter().map(|fact| (bit(fact.cell), u32::from(fact.is_mine))))
        .collect();
    let fits =
        |layout: &u32| groups.iter().all(|(mask, mines)| (layout & mask).count_ones() == *mines);
    (0..1_u32 << cells.len()).filter(fits).collect()
}

/// Whether the groups and facts alone prove `claim`, over all layouts of the cells that they name.
fn proves(search: &ProofSearch, groups: &[GroupIndex], facts: &[Fact], claim: Fact) -> bool {
    let mut cells: BTreeSet<Cell> = facts.iter().map(|fact| fact.cell).collect();
    cells.extend(groups.iter().flat_map(|&id| search.groups().group(id).cells()));
    cells.insert(claim.cell);
    let cells: Vec<Cell> = cells.into_iter().collect();
    let bit = 1_u32 << cells.iter().position(|&cell| cell == claim.cell).unwrap();
    let layouts = layouts(search, &cells, groups, facts);
    assert!(!layouts.is_empty());
    layouts.iter().all(|layout| (layout & bit != 0) == claim.is_mine)
}

/// All steps in the order in which they are told.
fn tell_all(search: &mut ProofSearch, preferred: Option<Cell>) -> Vec<ProofStep> {
    let mut steps: Vec<ProofStep> =
        search.tell_easiest(preferred).map(|proof| proof.steps).unwrap_or_default();
    steps.extend(preferred.map(|cell| search.tell_cell(cell)).unwrap_or_default());
    steps.extend(search.tell_rest());
    steps
}

#[test]
fn every_step_follows_from_its_premises_and_everything_proven_is_told_once() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut by_reason = [0; 5];
    let (mut forms, mut suppositions, mut damaged) = (0, 0, 0);
    for _ in 0..6000 {
        let board = random_board(&mut random);
        let without_total = random.bool().then_some(MineCount::Density(0.3));
        let mine_count = without_total.unwrap_or(board.position().mine_count);
        let (position, odds) = counted(&board, mine_count);
        let is_damaged = board.iter().any(|(_, state)| state == CellState::Illegible);
        let mut search = ProofSearch::new(&position, &odds);
        let all = search.all_proven();
        let preferred = all.get(random.usize(0..=all.len())).map(|fact| fact.cell);
        let steps = tell_all(&mut search, preferred);
        // What the enumeration of all layouts proves is told, and nothing else, once.
        let ids: Vec<GroupIndex> =
            search.groups().numbers().chain(search.groups().total()).collect();
        let layouts = layouts(&search, &position.hidden, &ids, &[]);
        let mut proven = BTreeSet::new();
        for (index, &cell) in position.hidden.iter().enumerate() {
            let mined = layouts.iter().filter(|layout| *layout >> index & 1 == 1).count();
            if mined == 0 || mined == layouts.len() {
                proven.insert(Fact { cell, is_mine: mined > 0 });
            }
        }
        let told: Vec<Fact> = steps.iter().flat_map(|step| step.tells.clone()).collect();
        assert_eq!(told.iter().copied().collect::<BTreeSet<_>>(), proven);
        assert_eq!(told.len(), proven.len());
        let mut known: BTreeSet<Fact> = BTreeSet::new();
        for step in &steps {
            assert!(step.known.iter().chain(&step.again).all(|fact| known.contains(fact)));
            assert!(!step.tells.is_empty());
            let groups = step.reason.groups();
            for &claim in step.tells.iter().chain(&step.again) {
                assert!(proves(&search, &groups, &step.known, claim), "{step:?}");
            }
            // None of several groups, and no fact, can be left out.
            let kind = match &step.reason {
                Reason::Complete(_) => 0,
                Reason::Full(_) => 1,
                Reason::Compare { .. } => 2,
                Reason::Together(set) => {
                    for &id in set {
                        let others: Vec<GroupIndex> =
                            set.iter().copied().filter(|&other| other != id).collect();
                        let is_needed = !proves(&search, &others, &step.known, step.tells[0]);
                        assert!(is_needed, "{step:?}");
                    }
                    3 + usize::from(
                        set.iter().any(|&id| search.groups().source(id) == GroupSource::Total),
                    )
                }
            };
            for fact in &step.known {
                let others: Vec<Fact> =
                    step.known.iter().copied().filter(|other| other != fact).collect();
                let mut given = step.tells.iter().chain(&step.again);
                assert!(given.any(|&claim| !proves(&search, &groups, &others, claim)), "{step:?}");
            }
            by_reason[kind] += 1;
            known.extend(&step.tells);
        }
        // Step after step, without a search for short proofs, tells the same facts.
        let plain = ProofSearch::new(&position, &odds).tell_rest();
        let plain: BTreeSet<Fact> = plain.iter().flat_map(|step| step.tells.clone()).collect();
        assert_eq!(plain, proven);
        // The same again, in the same words.
        let mut again = ProofSearch::new(&position, &odds);
        assert_eq!(tell_all(&mut again, preferred), steps);
        let sentences = sentences(&board, &steps);
        damaged += usize::from(is_damaged) * steps.len();
        for (step, sentence) in steps.iter().zip(&sentences) {
            forms += usize::from(check_sentence(&board, &search, step, sentence));
            suppositions += usize::from(sentence.contains(". Suppose "));
        }
    }
    assert!(by_reason.iter().all(|count| *count > 20), "{by_reason:?}");
    assert!(forms > 2000 && suppositions > 0, "{forms} {suppositions}");
    assert!(damaged > 500, "{damaged} steps beside illegible cells");
}

/// Checks that a sentence names the groups and the cells of its step and no others, and that the
/// count it states, if any, is right. Returns whether it states one.
fn check_sentence(board: &Board, search: &ProofSearch, step: &ProofStep, sentence: &str) -> bool {
    let (shape, groups) = (board.shape(), search.groups());
    let name = |cell: Cell| format!("({},{})", shape.row(cell), shape.column(cell));
    let mut may_name = BTreeSet::new();
    let set = step.reason.groups();
    for &id in &set {
        may_name.extend(groups.group(id).cells().iter().map(|&cell| name(cell)));
        if let (GroupSource::Number(cell), Reason::Together(_)) = (groups.source(id), &step.reason)
        {
            may_name.insert(name(cell));
            assert!(sentence.contains(&name(cell)), "{sentence}");
        } else if let GroupSource::Number(cell) = groups.source(id) {
            let CellState::Number(shown) = board.state(cell) else { panic!("{sentence}") };
            may_name.insert(name(cell));
            assert!(sentence.contains(&format!("he {shown} at {}", name(cell))), "{sentence}");
        }
        // How many mines a number needs besides those on the board, and those named before.
        let GroupSource::Number(cell) = groups.source(id) else { continue };
        let mines = groups.group(id).mines() as usize;
        let known = step.known.iter().filter(|fact| fact.is_mine);
        let known = known.filter(|fact| groups.group(id).contains(fact.cell)).count();
        let needs = format!("at {} (needs ", name(cell));
        let mut stated = sentence.split(&needs).skip(1);
        let is_right = |count: &str| [mines, mines - known].iter().any(|n| n.to_string() == count);
        assert!(stated.all(|rest| is_right(rest.split(' ').next().unwrap())), "{sentence}");
        if sentence.contains(" already: ") {
            assert_eq!(mines, 0, "{sentence}");
        }
    }
    may_name.extend(step.known.iter().map(|fact| name(fact.cell)));
    let named = sentence.match_indices('(').map(|(at, _)| &sentence[at..]);
    let named = named.filter(|rest| rest[1..].starts_with(|c: char| c.is_ascii_digit()));
    for cell in named.map(|rest| &rest[..=rest.find(')').unwrap()]) {
        assert!(may_name.contains(cell), "{cell}: {sentence}");
    }
    assert!(
        step.tells.len() > 8 || step.tells.iter().all(|fact| sentence.contains(&name(fact.cell)))
    );
    let is_told = |is_mine| step.tells.iter().any(|fact| fact.is_mine == is_mine);
    assert!(
        !is_told(true) || sentence.contains("mine") && !is_told(false) || sentence.contains("safe")
    );
    // The stated counts.
    const WORDS: [&str; 9] =
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    let between = |start: &str, end: &str| {
        let rest = sentence.split_once(start)?.1;
        let word = rest.split_once(end)?.0;
        WORDS.iter().position(|other| *other == word).or_else(|| word.parse().ok())
    };
    let mut cells: Vec<Cell> =
        set.iter().flat_map(|&id| groups.group(id).cells()).copied().collect();
    cells.sort_unstable();
    cells.dedup();
    let layouts = || layouts(search, &cells, &set, &step.known);
    let mask = |id: GroupIndex| -> u32 {
        let is_in = |(_, cell): &(usize, &Cell)| groups.group(id).contains(**cell);
        cells.iter().enumerate().filter(is_in).map(|(index, _)| 1 << index).sum()
    };
    match (&step.reason, between(" has ", " hidden neighbour")) {
        (Reason::Full(id), Some(count)) => assert_eq!(groups.group(*id).cells().len(), count),
        (Reason::Compare { more, fewer }, _) if sentence.contains("sees all") => {
            let (sees, seen) = match sentence.contains("both need the same") {
                true => (*fewer, *more),
                false => (*more, *fewer),
            };
            let is_known = |cell: &Cell| step.known.iter().any(|fact| fact.cell == *cell);
            let mut unknown = groups.group(seen).cells().iter().filter(|cell| !is_known(cell));
            assert!(unknown.all(|cell| groups.group(sees).contains(*cell)), "{sentence}");
            let other = groups
                .group(seen)
                .cells()
                .iter()
                .any(|cell| is_known(cell) && !groups.group(sees).contains(*cell));
            assert_eq!(sentence.contains("all other hidden"), other, "{sentence}");
            let unknown = |id: GroupIndex| -> u32 {
                let bits = cells.iter().enumerate().filter(|(_, cell)| !is_known(cell));
                bits.map(|(index, _)| 1 << index).sum::<u32>() & mask(id)
            };
            if sees == *fewer {
                let count = between("both need the same ", " mines").unwrap_or(1) as u32;
                let is_right = |layout: u32| {
                    [sees, seen].iter().all(|&id| (layout & unknown(id)).count_ones() == count)
                };
                assert!(layouts().into_iter().all(is_right), "{sentence}");
            }
        }
        (Reason::Compare { more, fewer }, _) if groups.source(*more) != GroupSource::Total => {
            if let Some(most) = between("t most ", " of the ") {
                let shared = mask(*more) & mask(*fewer);
                let counts = layouts().into_iter().map(|layout| (layout & shared).count_ones());
                assert!(counts.max().unwrap() as usize <= most, "{sentence}");
            }
        }
        (Reason::Together(set), _) if sentence.contains("fit together in") => {
            let ways = between("fit together in ", " way").unwrap();
            let blocks: BTreeSet<Vec<bool>> = cells
                .iter()
                .map(|cell| set.iter().map(|&id| groups.group(id).contains(*cell)).collect())
                .collect();
            let block = |of: &Vec<bool>| -> u32 {
                let sees = |cell: Cell| -> Vec<bool> {
                    set.iter().map(|&id| groups.group(id).contains(cell)).collect()
                };
                let is_unknown = |cell: Cell| step.known.iter().all(|fact| fact.cell != cell);
                let is_in = |cell: Cell| sees(cell) == *of && is_unknown(cell);
                (0..cells.len()).filter(|&index| is_in(cells[index])).map(|index| 1 << index).sum()
            };
            let counts: BTreeSet<Vec<u32>> = layouts()
                .into_iter()
                .map(|layout| blocks.iter().map(|of| (layout & block(of)).count_ones()).collect())
                .collect();
            assert_eq!(counts.len(), ways, "{sentence}");
        }
        _ => return false,
    }
    true
}

/// The sentences of the proof told first, over turns of expert games that deduction decides, with a
/// quarter to three quarters of the cells open.
#[test]
fn the_proof_told_first_is_short() {
    const TURNS: usize = 1000;
    let mut lengths: Vec<usize> = Vec::new();
    let mut engine = Engine::new(Objective::CleanWin, Effort::Fast);
    let shape = Shape::new(16, 30).unwrap();
    let first = shape.cells().next().unwrap();
    for seed in 1.. {
        let layout = generate(shape, 99, Start::new(Rule::SafeFirst, first), seed).unwrap();
        play(&layout, Rule::SafeFirst, &mut engine, |board, decision, _| {
            let open = shape.len() - board.hidden_len();
            let is_counted = (shape.len() / 4..=shape.len() * 3 / 4).contains(&open);
            if is_counted && decision.by == Step::Deduction && lengths.len() < TURNS {
                let (position, odds) = counted(board, MineCount::Exact);
                let mut search = ProofSearch::new(&position, &odds);
                let proof = search.tell_easiest(Some(decision.cell())).unwrap();
                let text = proof.sentences(board).join(" ");
                lengths.push(text.matches(". ").count() + 1);
            }
        });
        if lengths.len() == TURNS {
            break;
        }
    }
    lengths.sort_unstable();
    let [median, most] = [TURNS / 2, TURNS * 95 / 100].map(|index| lengths[index]);
    let figures =
        format!("median {median}, 95 % at most {most}, all at most {}", lengths[TURNS - 1]);
    println!("sentences of the proof told first, over {TURNS} turns: {figures}");
    assert!(median <= 2 && most <= 6, "{figures}");
}
