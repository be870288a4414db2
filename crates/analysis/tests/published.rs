//! Numbers that others have published: layouts, odds, and games won by optimal play.
//!
//! Positions and numbers are those of the source; no program of theirs runs here. Where a source
//! rounds, the tolerance is half a unit of its last digit, and otherwise 1e-12. Where few cells are
//! hidden, the odds are compared with enumeration too.
//!
//! | source, commit | what it states |
//! |---|---|
//! | [Code Golf 34276] | 961 of 1,820 layouts won by optimal play, 285 of 360; all best cells |
//! | [Zomis/Minesweeper-Analyze], 6951d73 | 8.27e36, 66 and 24 layouts; odds, also of numbers |
//! | [hakank/hakank], cbc30a1 | 131,072, 2 and 4 layouts of positions of Richard Kaye |
//! | [mrgriscom/minesweepr], 1955ad8, and [Starwort/minesweeprs], 23b27f0 | odds in READMEs |
//! | [Sou7ai1/IntroAI], 6188178 | odds that a teacher calculated for an assignment |
//! | [LewisGaul/minesolver], 1427609 | odds on boards of up to expert size |
//!
//! [Code Golf 34276]:
//! https://codegolf.stackexchange.com/questions/34276/optimal-minesweeper-on-the-largest-board
//! [Zomis/Minesweeper-Analyze]: https://github.com/Zomis/Minesweeper-Analyze
//! [hakank/hakank]: https://github.com/hakank/hakank
//! [mrgriscom/minesweepr]: https://github.com/mrgriscom/minesweepr
//! [Starwort/minesweeprs]: https://github.com/Starwort/minesweeprs
//! [Sou7ai1/IntroAI]: https://github.com/Sou7ai1/IntroAI
//! [LewisGaul/minesolver]: https://github.com/LewisGaul/minesolver

// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

use analysis::layout_count::count_layouts;
use sapper::board::geometry::Cell;
use sapper::board::group::{MineCount, Position};
use sapper::board::text_format::BoardText;
use sapper::board::{Board, CellState};
use sapper::deduction::groups::deducer::{Deducer, Reach};
use sapper::evaluate;
use sapper::probability::frontier_dp::Refusal;
use sapper::probability::odds::Odds;
use sapper::probability::solver::ProbabilitySolver;
use sapper::search::endgame::layouts::{Layouts, MINE};
use sapper::search::endgame::solve;
use sapper::settings::budget::Budget;
use sapper::settings::params::{Effort, Objective};

/// A fraction that the source states in full.
const EXACT: f64 = 1e-12;
/// A number that the source rounds to four, five or eight digits.
const FOUR_DIGITS: f64 = 0.5e-4;
const FIVE_DIGITS: f64 = 0.5e-5;
const EIGHT_DIGITS: f64 = 0.5e-8;

/// The largest number of hidden cells whose subsets are all tried.
const FEW_HIDDEN: usize = 21;

/// The board of a text. If the text states no mine count, the count is not to be used.
fn board(text: &str) -> Board {
    let text: BoardText = text.parse().unwrap();
    text.board(text.known_mines()).unwrap()
}

fn odds_of(position: &Position) -> Odds {
    let mut deducer = Deducer::default();
    let deduced = deducer.run(position, Reach::FixedPoint).unwrap();
    let mut solver = ProbabilitySolver::default();
    let odds = solver.run(deduced, &mut Budget::unlimited()).unwrap().odds().clone();
    assert_eq!(odds.approximate(), 0);
    odds
}

/// Compares the odds of all cells with a picture: the size and the mines of a board, then each of
/// its rows beside the odds of the row. There `-` is an open cell, `0` and `1` are proven, and a
/// letter stands for a number of `legend`. With a density, the mine count is not known.
fn check(picture: &str, density: Option<f64>, legend: &[(char, f64)], tolerance: f64) {
    let lines = picture.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut text, mut stated) = (String::new(), Vec::new());
    for (index, line) in lines.enumerate() {
        let (of_board, of_odds) =
            if index == 0 { (line, "") } else { line.split_once(' ').unwrap() };
        text += of_board;
        text += "\n";
        stated.extend(of_odds.chars());
    }
    let board = board(&text);
    let mut position = board.position();
    if let Some(density) = density {
        position.mine_count = MineCount::Density(density);
    }
    let odds = odds_of(&position);
    assert_eq!(stated.len(), board.shape().len(), "{text}");
    for (cell, symbol) in board.shape().cells().zip(&stated) {
        assert_eq!(board.is_hidden(cell), *symbol != '-', "{text}{cell:?}");
        let expected = match symbol {
            '-' => continue,
            '0' => 0.0,
            '1' => 1.0,
            letter => legend.iter().find(|(other, _)| other == letter).unwrap().1,
        };
        let found = odds.of(cell);
        let is_proven = found == 0.0 || found == 1.0;
        assert_eq!(is_proven, "01".contains(*symbol), "{text}{cell:?}: {found}");
        assert!((found - expected).abs() <= tolerance, "{text}{cell:?}: {found}, {expected}");
    }
    assert!(legend.iter().all(|(letter, _)| stated.contains(letter)), "{text}");
    if density.is_none() && position.hidden.len() <= FEW_HIDDEN {
        let truth = twin::enumerate_board(&board);
        for (&cell, &mined) in position.hidden.iter().zip(&truth.mined) {
            assert!((odds.of(cell) - mined as f64 / truth.layouts as f64).abs() <= 1e-12, "{text}");
        }
    }
}

/// The layouts lost by optimal play.
fn lost(board: &Board) -> u32 {
    if !board.reasons().is_empty() {
        return 0;
    }
    let position = board.position();
    let mut deducer = Deducer::default();
    let Ok(deduced) = deducer.run(&position, Reach::FixedPoint) else { return 0 };
    let mut solver = ProbabilitySolver::default();
    let Ok(counted) = solver.run(deduced, &mut Budget::unlimited()) else { return 0 };
    if let Some(&safe) = counted.odds().safe().first() {
        return lost_after(board, safe);
    }
    let undecided = deduced.undecided();
    let layouts = Layouts::list(board, &undecided, usize::MAX, &mut Budget::unlimited()).unwrap();
    let best = solve(&layouts, Objective::CleanWin, &mut Budget::unlimited()).unwrap();
    best.map_or(0, |best| best.cost)
}

/// The layouts lost by optimal play once `cell` shows a number.
fn lost_after(board: &Board, cell: Cell) -> u32 {
    let show = |number| {
        let mut next = board.clone();
        next.open(cell, CellState::Number(number));
        lost(&next)
    };
    (0..=8).map(show).sum()
}

/// The two examples of Code Golf 34276. Every layout is equally likely, the first cell may be a
/// mine, and a mine loses the game. There a zero does not open its neighbours, which costs optimal
/// play nothing.
#[test]
fn as_many_games_are_won_by_the_same_first_cells() {
    let edges = [[0, 1], [0, 2], [1, 0], [1, 3], [2, 0], [2, 3], [3, 1], [3, 2]];
    for (text, layouts, won, best) in [
        ("4 4 4\n....\n....\n....\n....", 1820, 961, &edges[..]),
        ("5 4 5\n.....\n.1...\n.3...\n.....", 360, 285, &[[0, 2]]),
    ] {
        let board = board(text);
        let truth = twin::enumerate_board(&board);
        assert_eq!(truth.layouts, layouts);
        let won_by = board.hidden().zip(&truth.mined).map(|(cell, &mined)| {
            let at = [board.shape().row(cell), board.shape().column(cell)];
            (at, layouts - mined - u64::from(lost_after(&board, cell)))
        });
        let won_by: Vec<([u32; 2], u64)> = won_by.collect();
        let most = won_by.iter().map(|&(_, won)| won).max();
        assert_eq!(most, Some(won), "{board}");
        assert_eq!(layouts - u64::from(lost(&board)), won, "{board}");
        let found: Vec<[u32; 2]> =
            won_by.iter().filter(|&&(_, by_cell)| by_cell == won).map(|&(at, _)| at).collect();
        assert_eq!(found, best, "{board}");
        // The bot opens one of them.
        let evaluation = evaluate(&board).unwrap();
        let place = evaluation.best_move(Objective::CleanWin, Effort::Full).unwrap().place();
        assert!(best.contains(&[place.row, place.column]), "{board}{place}");
    }
}

/// `aWholeLotOfConnectedThreesComplexMap` of Zomis's `AnalyzeTest`. Its number of layouts is a sum
/// of floats, for which it allows an error of 1e25.
#[test]
fn seventeen_threes_have_as_many_layouts() {
    let board = board(
        "16 16 51
        ................
        .3.......3...3..
        ................
        ...3...3...3....
        ................
        .....3..........
        ................
        .......3...3....
        ................
        .3.......3......
        ................
        ...3...3...3....
        ................
        .3...3.......3..
        ................
        ................",
    );
    let odds = odds_of(&board.position());
    let layouts = odds.layouts().unwrap().to_f64();
    assert!((layouts - 8.268912597471693e36).abs() <= 1e25, "{layouts}");
    // Another program, which counts in whole numbers, finds this many.
    let exact = 8_268_912_597_471_262_197_869_762_270_151_788_980_u128 as f64;
    assert!((layouts / exact - 1.0).abs() <= 1e-14, "{layouts}");
    for (column, row, expected) in
        [(15, 15, 0.08875309776194928), (2, 3, 0.2707636258317718), (8, 0, 0.26833148025906883)]
    {
        let found = odds.of(board.shape().cell(row, column).unwrap());
        assert!((found - expected).abs() <= EXACT, "({row},{column}): {found}");
    }
}

/// `pattern_13` and `pattern_14_withSameCharacters` of Zomis's `AnalyzeTest`.
#[test]
fn two_numbers_side_by_side_have_the_same_layouts_and_odds() {
    for (numbers, layouts, odds, legend) in [
        (
            "13",
            66,
            ["ABBC", "A--C", "ABBC", "DDDD"],
            &[
                ('A', 0.0909090909090909),
                ('B', 0.1818181818181818),
                ('C', 0.7575757575757576),
                ('D', 0.6818181818181818),
            ][..],
        ),
        ("14", 24, ["0BB1", "0--1", "0BB1", "DDDD"], &[('B', 0.25), ('D', 0.5)]),
    ] {
        let rows = ["....", &format!(".{numbers}."), "....", "...."];
        let text = format!("4 4 6\n{}", rows.join("\n"));
        let counted = count_layouts(&board(&text).position(), &mut Budget::unlimited());
        assert_eq!(counted, Ok(Some(layouts)), "{text}");
        let rows = rows.iter().zip(odds).map(|(row, odds)| format!("\n{row} {odds}"));
        check(&format!("4 4 6{}", rows.collect::<String>()), None, legend, EXACT);
    }
}

/// Zomis's `DetailAnalyzeTest`, at 365b154: the probability that a cell is safe and shows a number,
/// for each number.
#[test]
fn cells_show_each_number_as_often() {
    let board = board("3 5 5\n...\n...\n2.3\n...\n...");
    let position = board.position();
    let mut deducer = Deducer::default();
    let deduced = deducer.run(&position, Reach::FixedPoint).unwrap();
    let undecided = deduced.undecided();
    let layouts = Layouts::list(&board, &undecided, usize::MAX, &mut Budget::unlimited()).unwrap();
    let of_corner =
        [0.047619047619047616, 0.30158730158730157, 0.2857142857142857, 0.07936507936507936];
    let of_side = [
        0.031746031746031744,
        0.2698412698412698,
        0.38095238095238093,
        0.15873015873015872,
        0.015873015873015872,
        0.0,
    ];
    let of_middle = [0.0, 0.0, 0.0, 0.23809523809523808, 0.19047619047619047, 0.0, 0.0, 0.0, 0.0];
    for (column, row, stated) in
        [(2, 0, &of_corner[..]), (0, 3, &of_side[..]), (1, 2, &of_middle[..])]
    {
        let cell = board.shape().cell(row, column).unwrap();
        let number = layouts.cells().iter().position(|&other| other == cell).unwrap();
        let values = layouts.values(number);
        let share = |value: u8| {
            values.iter().filter(|&&other| other == value).count() as f64 / values.len() as f64
        };
        for (value, expected) in (0..).zip(stated) {
            let found = share(value);
            assert!((found - expected).abs() <= EXACT, "({row},{column}) {value}: {found}");
        }
        assert!((share(MINE) + stated.iter().sum::<f64>() - 1.0).abs() <= EXACT);
    }
}

/// The layouts of every number of mines.
fn layouts_of_any_total(board: &Board) -> u128 {
    let mut position = board.position();
    let totals = 0..=position.hidden.len() as u32;
    let of_total = |mines| {
        position.mines = mines;
        match count_layouts(&position, &mut Budget::unlimited()) {
            Ok(layouts) => layouts.unwrap(),
            Err(Refusal::NoLayout) => 0,
            Err(refusal) => panic!("{refusal:?}"),
        }
    };
    totals.map(of_total).sum()
}

/// The positions are Richard Kaye's, in Hakan Kjellerstrand's constraint models, which state the
/// counts (`minizinc/minesweeper_splitter.mzn`, `_wire.mzn` and `_config_page3.mzn`); none states
/// a number of mines. By these files the splitter and the wire are of "How Complicated is
/// Minesweeper?", pages 35 and 33, and the last one of "Some Minesweeper Configurations", page 3.
#[test]
fn positions_without_a_mine_count_have_as_many_layouts() {
    let splitter = "11 11
        ...0...0...
        ...01.10...
        ...01.10...
        00001110000
        .1111.1111.
        ...1.2.1...
        .1111.1111.
        00001110000
        ...01.10...
        ...01.10...
        ...0...0...";
    let wire = "14 5
        .000000000000.
        .111111111111.
        ..1..1..1..1..
        .111111111111.
        .000000000000.";
    let configuration = "8 8
        23.22.21
        ..4..4.2
        ......4.
        .5.6...2
        2...55.2
        134...4.
        01.4...3
        012.23.2";
    for (text, layouts) in [(splitter, 131_072), (wire, 2), (configuration, 4)] {
        let board = board(text);
        assert_eq!(layouts_of_any_total(&board), layouts, "{board}");
        let position = board.position();
        if position.hidden.len() <= FEW_HIDDEN {
            assert_eq!(u128::from(twin::enumerate(&position, None, false).layouts), layouts);
        }
    }
}

/// The example of the READMEs of minesweepr, which rounds, and of minesweeprs, which does not.
#[test]
fn a_front_has_the_odds_of_two_readmes() {
    let picture = "10 10 10
        001....... ---0AAAAAA
        002....... ---1AAAAAA
        003....... ---1AAAAAA
        002....... ---1AAAAAA
        112....... ---0AAAAAA
        .......... AB0AAAAAAA
        .......... AAAAAAAAAA
        .......... AAAAAAAAAA
        .......... AAAAAAAAAA
        .......... AAAAAAAAAA";
    check(picture, None, &[('A', 0.0779), ('B', 0.9221)], FOUR_DIGITS);
    check(picture, None, &[('A', 0.07792207792207792), ('B', 0.9220779220779222)], EXACT);
}

/// The tests of an assignment in a course (`06-probability_minesweeper/probability_test.py`). Only
/// the probability of a mine in each cell is known, not their number.
#[test]
fn a_teacher_calculated_the_same_odds() {
    let third = 1.0 / 3.0;
    check("3 2\n1.. -AB\n... AAB", Some(0.2), &[('A', third), ('B', 0.2)], EXACT);
    check("3 2\n2.. -AB\n... AAB", Some(0.7), &[('A', 2.0 * third), ('B', 0.7)], EXACT);
    check("3 2\n1.. -AB\n1.. -AB", Some(0.2), &[('A', 0.5), ('B', 0.2)], EXACT);
    check("3 3\n1.. -0A\n1.. -1A\n1.. -0A", Some(0.3), &[('A', 0.3)], EXACT);
    check("3 3\n1.. -1A\n2.. -0A\n1.. -1A", Some(0.4), &[('A', 0.4)], EXACT);
    check("3 3\n1.. -AA\n2.. -BA\n*21 ---", Some(0.15), &[('A', 0.15), ('B', 0.85)], EXACT);
    check(
        "7 5
        01..... --ABBCC
        01.3... --A-DCC
        0113... ----ECC
        01.3... --A-DCC
        01..... --ABBCC",
        Some(0.2),
        &[('A', 0.5), ('B', 0.3), ('C', 0.2), ('D', 0.6), ('E', 0.8)],
        EXACT,
    );
    check(
        "7 5
        02*3.2. ----A-B
        03.5... --1-ABB
        13..... --1CDEE
        ..4.... DC-FEEE
        ....... EFFFEEE",
        Some(0.22),
        &[
            ('A', 0.5),
            ('B', third),
            ('C', 0.73898942),
            ('D', 0.26101058),
            ('E', 0.22),
            ('F', 0.38050529),
        ],
        EIGHT_DIGITS,
    );
}

/// The cases of `tests/python_test.py` of LewisGaul/minesolver with at most one mine in a cell.
#[test]
fn boards_up_to_expert_size_have_the_same_odds() {
    check("3 3 3\n..1 AA-\n3.2 -A-\n... A10", None, &[('A', 0.5)], EXACT);
    check("3 3 4\n..1 1A-\n3.2 -A-\n... 101", None, &[('A', 0.5)], EXACT);
    check(
        "5 5 8
        .2... A-ABB
        ..... CCCBB
        .3... D-EFF
        .2.4. D-E-F
        ..... GGHFF",
        None,
        &[
            ('A', 0.27108),
            ('B', 0.31325),
            ('C', 0.48594),
            ('D', 0.26506),
            ('E', 0.50602),
            ('F', 0.54940),
            ('G', 0.10843),
            ('H', 0.24096),
        ],
        FIVE_DIGITS,
    );
    check(
        "14 30 99
        1.22.2........ -1--1-1ABBBBBB
        12.2133....... --1----ABBBBBB
        121101........ ------1CBBBBBB
        .210012....... 1------ABBBBBB
        2.22122....... -1-----ABBBBBB
        24.3.2........ --1-1-1CBBBBBB
        .4.4222....... 1-1----DBBBBBB
        2.3.211....... -1-1---EFFBBBB
        2232.11.3..... ----1--C-FBBBB
        1.12221....... -1-----DFFBBBB
        1111.11....... ----1--EFFBBBB
        2211122.3..... -------C-FBBBB
        ..2001........ 11----1DFFBBBB
        4.20023....... -1-----GBBBBBB
        .33211........ 1-----1GBBBBBB
        23..222....... --11---HJBBBBB
        .223.113...... 1---1---JBBBBB
        2201111....... -------GJBBBBB
        .100012....... 1------HGBBBBB
        111222.3...... ------1-1KLBBB
        222..32223.... ---11-----LBBB
        ..223.101..... 11---1---MLBBB
        .31012222..... 1--------KKBBB
        .11234.3.2.... 0-----1-1-NBBB
        112....312.... ---1111---PBBB
        ..2...3323.... QQ-QQ0----RBBB
        .211.......... Q---00ST1SSBBB
        .2212......... Q----QBBBBBBBB
        .............. 01010QBBBBBBBB
        .............. BBBBBBBBBBBBBB",
        None,
        &[
            ('A', 0.42857),
            ('B', 0.20791),
            ('C', 0.14286),
            ('D', 0.28571),
            ('E', 0.57143),
            ('F', 0.40000),
            ('G', 0.35714),
            ('H', 0.64286),
            ('J', 0.66667),
            ('K', 0.15920),
            ('L', 0.33333),
            ('M', 0.84080),
            ('N', 0.07960),
            ('P', 0.60199),
            ('Q', 0.50000),
            ('R', 0.31841),
            ('S', 0.53980),
            ('T', 0.46020),
        ],
        FIVE_DIGITS,
    );
    check(
        "30 16 99
        .............................. AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        .............................. AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        .............................. AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        .............................. AAAAAAAAAAAA1BA0AAAAAAAAAAAAAA
        ............422............... AAAAAAAAACC1---1DAAAAAAAAAAAAA
        ..........5.2023.............. AAAAAAAAAC-1----DAAAAAAAAAAAAA
        ...........3101............... AAAAAAAAEF1----1DAAAAAAAAAAAAA
        .........6.2012............... AAAAADDDE-1----0GAAAAAAAAAAAAA
        ......2...3101.2.............. AAA0HF-HF1----1-JAAAAAAAAAAAAA
        ....21113.200112.............. AAA0-----1------KAAAAAAAAAAAAA
        ....200011211012.............. AAA1------------GAAAAAAAAAAAAA
        ....2001112.201............... AAA1-------1---1JAAAAAAAAAAAAA
        ....1001.24.3134.............. AAA0----1--1----LAAAAAAAAAAAAA
        ....211222..22................ AAA0------11--11LAAAAAAAAAAAAA
        .....11.112212................ AAA11--1------1MAAAAAAAAAAAAAA
        ....21111000012............... AAA0-----------MAAAAAAAAAAAAAA",
        None,
        &[
            ('A', 0.19352),
            ('B', 0.80648),
            ('C', 0.36559),
            ('D', 0.33333),
            ('E', 0.59676),
            ('F', 0.90324),
            ('G', 0.13778),
            ('H', 0.09676),
            ('J', 0.28741),
            ('K', 0.57481),
            ('L', 0.35630),
            ('M', 0.50000),
        ],
        FIVE_DIGITS,
    );
}
