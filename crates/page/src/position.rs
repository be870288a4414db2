//! A position of the page: a field as text, what to play for, and how long to think.
//!
//! Invariant: the field is read as `judge explain` reads it, and an analysis has the judge's JSON.

use super::answer::{AheadAnswer, CostAnswer, PageAnswer};
use super::chance::LastChance;
use super::request::{PageRequest, RequestedCell, required};
use analysis::ahead::{Promise, promises};
use analysis::field::{FieldRead, NO_MINE_COUNT, read_field};
use analysis::json::cell::CellReport;
use analysis::json::coordinates::list_coordinates;
use analysis::json::decision::MoveReport;
use analysis::json::impossible::{ConflictReport, ImpossibleReport};
use analysis::json::odds::{SummaryReport, cell_table};
use analysis::json::position::PositionReport;
use analysis::mistakes::judge_click;
use analysis::notation::cell_text;
use analysis::review::coach::{Click, Coach, PLAYOUTS};
use analysis::{Analysis, Analyzer, DEFAULT_DENSITY};
use sapper::board::geometry::{Cell, CellMap, Shape};
use sapper::kit::text::pluralize;
use sapper::settings::params::{Effort, Objective};
use viewer::data::JudgementReport;

/// What a mine that the field shows is called.
const KNOWN_MINE: &str = "a known mine";

/// One warm analyzer for each objective and effort that was asked for.
#[derive(Default)]
pub struct Analyzers {
    kept: Vec<((Objective, Effort), Analyzer)>,
}

impl Analyzers {
    /// The analyzer of the objective and the effort of a request.
    pub fn get(&mut self, request: &PageRequest) -> &mut Analyzer {
        let key @ (objective, effort) = (request.objective, request.effort);
        let index = self.kept.iter().position(|(kept, _)| *kept == key).unwrap_or_else(|| {
            self.kept.push((key, Analyzer::new(objective, effort)));
            self.kept.len() - 1
        });
        &mut self.kept[index].1
    }
}

/// The cell of a request.
///
/// # Errors
/// One line, if it is none of the field.
pub fn cell_of(shape: Shape, [row, column]: RequestedCell) -> Result<Cell, String> {
    shape.cell(row, column).ok_or_else(|| {
        let rows = pluralize(shape.rows(), "row", "rows");
        let columns = pluralize(shape.columns(), "column", "columns");
        format!("({row},{column}) is no cell of the field: it has {rows} and {columns}, from 0")
    })
}

/// Answers a request from an analysis and its density, which a field without a mine count has.
/// Not generic: each generic copy of [`analyze`] would cost the page a kilobyte.
type AnswerFrom<'f> = dyn FnMut(&mut Analysis, Option<f64>) -> Result<PageAnswer, String> + 'f;

/// The answer of `answer` to the analysis; the conflicts if no layout fits the position.
///
/// # Errors
/// One line, where the request is no position.
pub fn analyze(
    request: &PageRequest,
    analyzers: &mut Analyzers,
    answer: &mut AnswerFrom,
) -> Result<PageAnswer, String> {
    let FieldRead { board, reasons, mines } = read_field(required(&request.field, "field")?)?;
    let density = mines.is_none().then(|| request.density.unwrap_or(DEFAULT_DENSITY));
    if density.is_some_and(|density| !(density > 0.0 && density < 1.0)) {
        return Err("the density of mines must be above 0 and below 1".to_owned());
    }
    let conflicts = match analyzers.get(request).analyze(&board, density) {
        Ok(mut analysis) if reasons.is_empty() => return answer(&mut analysis, density),
        Ok(_) => Vec::new(),
        Err(conflicts) => conflicts,
    };
    let reasons = reasons.iter().map(ConflictReport::of_one).collect();
    Ok(PageAnswer::Impossible(ImpossibleReport::new(&board, mines, reasons, &conflicts)))
}

/// The odds, what is proven, and the move.
pub fn odds(request: &PageRequest, analyzers: &mut Analyzers) -> Result<PageAnswer, String> {
    analyze(request, analyzers, &mut |analysis, density| {
        Ok(PageAnswer::Summary(Box::new(SummaryReport::new(analysis, density))))
    })
}

/// The whole analysis; of `cell`, if one is asked about, what `explain --cell` says. The chance to
/// win begins with it.
pub fn analysis(
    request: &PageRequest,
    analyzers: &mut Analyzers,
    chance: &mut LastChance,
) -> Result<PageAnswer, String> {
    analyze(request, analyzers, &mut |analysis, density| {
        let shape = analysis.board().shape();
        let asked = request.cell.map(|cell| cell_of(shape, cell)).transpose()?;
        match asked {
            Some(cell) => analysis.add_candidate(cell),
            None => chance.begin(request, analysis, density),
        }
        let mut report = PositionReport::new(analysis, density);
        report.asked = asked.map(|cell| CellReport::new(analysis, cell, KNOWN_MINE));
        Ok(PageAnswer::Position(Box::new(report)))
    })
}

/// The chance to win after some playouts.
pub fn chance(
    request: &PageRequest,
    analyzers: &mut Analyzers,
    chance: &mut LastChance,
) -> Result<PageAnswer, String> {
    if chance.has(request) {
        return Ok(chance.answer(request));
    }
    analyze(request, analyzers, &mut |analysis, density| {
        chance.begin(request, analysis, density);
        Ok(chance.answer(request))
    })
}

/// What there is to say about one cell.
pub fn cell(request: &PageRequest, analyzers: &mut Analyzers) -> Result<PageAnswer, String> {
    let cell = *required(&request.cell, "cell")?;
    analyze(request, analyzers, &mut |analysis, _| {
        let cell = cell_of(analysis.board().shape(), cell)?;
        analysis.add_candidate(cell);
        Ok(PageAnswer::Cell(Box::new(CellReport::new(analysis, cell, KNOWN_MINE))))
    })
}

/// What opening each hidden cell promises.
pub fn ahead(request: &PageRequest, analyzers: &mut Analyzers) -> Result<PageAnswer, String> {
    analyze(request, analyzers, &mut |analysis, _| {
        let shape = analysis.board().shape();
        let found = promises(analysis).ok_or("chances need the number of mines")?;
        let mut promised = CellMap::new(shape.len(), None);
        for &(cell, promise) in &found {
            promised[cell] = Some(promise);
        }
        let table =
            |chance: fn(Promise) -> f64| cell_table(shape, |cell| promised[cell].map(chance));
        let dead = found.iter().filter(|(_, promise)| promise.is_dead);
        let dead: Vec<Cell> = dead.map(|(cell, _)| *cell).collect();
        Ok(PageAnswer::Ahead(Box::new(AheadAnswer {
            next_safe: table(|promise| promise.next_safe),
            tells_nothing: list_coordinates(shape, &dead),
            zero: table(|promise| promise.zero),
        })))
    })
}

/// The judgement of opening a cell.
pub fn judge(request: &PageRequest, analyzers: &mut Analyzers) -> Result<PageAnswer, String> {
    let cell = *required(&request.cell, "cell")?;
    analyze(request, analyzers, &mut |analysis, _| {
        let board = analysis.board();
        let cell = cell_of(board.shape(), cell)?;
        let judged = judge_click(analysis, cell);
        let judged = judged.ok_or_else(|| format!("{} is open", cell_text(board.shape(), cell)))?;
        let report = JudgementReport::new(board, &judged, analysis.objective());
        Ok(PageAnswer::Judgement(Box::new(report)))
    })
}

/// What opening a cell in turn `turn` of the game with this seed costs above the policy's cell, as
/// `judge coach` counts it; null where it takes playouts, and the layouts are too many to count, or
/// no game comes there.
pub fn cost(request: &PageRequest) -> Result<PageAnswer, String> {
    let FieldRead { board, mines, .. } = read_field(required(&request.field, "field")?)?;
    mines.ok_or(NO_MINE_COUNT)?;
    let cell = cell_of(board.shape(), *required(&request.cell, "cell")?)?;
    if !board.is_hidden(cell) {
        return Err(format!("{} is open", cell_text(board.shape(), cell)));
    }
    let mut coach = Coach::new(request.objective, request.effort, PLAYOUTS, || false);
    coach.begin(board.shape().len());
    let (cost, standard_error) =
        match coach.click(&board, cell, None, request.seed, request.turn).click {
            Click::Safe | Click::Same(_) => (Some(0.0), Some(0.0)),
            Click::Differs(click) => (Some(click.cost.mean), Some(click.cost.standard_error)),
            Click::Unjudged => (None, None),
        };
    Ok(PageAnswer::Cost(CostAnswer { cost, standard_error }))
}

/// The engine's move alone, also where the numbers contradict each other; null where no cell is
/// hidden.
pub fn decide(request: &PageRequest, analyzers: &mut Analyzers) -> Result<PageAnswer, String> {
    let FieldRead { board, mines, .. } = read_field(required(&request.field, "field")?)?;
    mines.ok_or(NO_MINE_COUNT)?;
    let chosen = analyzers.get(request).decide(&board);
    let chosen = chosen.map(|chosen| MoveReport::new(board.shape(), &chosen));
    Ok(PageAnswer::Decision { r#move: chosen })
}
