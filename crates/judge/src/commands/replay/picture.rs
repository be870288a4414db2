//! A frame as an SVG picture. Every fill is an attribute, for programs without style sheets.

use analysis::review::frame::Frame;
use sapper::{Cell, Shape};
use svg::Document;
use svg::node::element::{Group, Rectangle, Text, Title};
use viewer::page::basis_points;

use super::style::{CellStyle, hidden_style, percent, style};

/// The side of a cell.
const SIDE: u32 = 20;
/// The space for the numbers of rows and columns.
const MARGIN: u32 = 18;
/// The space below the board, for the caption and the legend.
const FOOTER: u32 = 52;
/// The least width of the picture, which the caption needs.
const MIN_WIDTH: u32 = 420;
/// Every fifth row and column has its number at the margin.
const NUMBER_STEP: usize = 5;
/// The colour of the text outside the cells.
const INK: &str = "#1c1c1c";

/// The upper left corner of a shape.
#[derive(Clone, Copy)]
struct Point {
    x: u32,
    y: u32,
}

/// The picture of a frame.
pub fn picture(frame: &Frame) -> Document {
    let shape = frame.board.shape();
    let right = MARGIN + shape.columns() * SIDE;
    let bottom = MARGIN + shape.rows() * SIDE;
    let (width, height) = ((right + SIDE / 2).max(MIN_WIDTH), bottom + FOOTER);
    let mut cells = Group::new().set("id", "cells").set("text-anchor", "middle");
    let mut odds = frame.odds.iter().flatten();
    for (cell, state) in frame.board.iter() {
        let odds = if frame.board.is_hidden(cell) { odds.next() } else { None };
        let style =
            odds.map_or_else(|| style(state), |&odds| hidden_style(percent(basis_points(odds))));
        cells = cells.add(draw_cell(corner(shape, cell), style));
    }
    let paper = rectangle(Point { x: 0, y: 0 }, width, height);
    Document::new()
        .set("id", "board")
        .set("role", "img")
        .set("aria-labelledby", "picture-title")
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("font-family", "system-ui, sans-serif")
        .set("font-size", 10)
        .add(Title::new(frame.caption.as_str()).set("id", "picture-title"))
        .add(paper.set("class", "paper").set("fill", "#ffffff"))
        .add(row_and_column_numbers(shape))
        .add(cells)
        .add(marks(frame))
        .add(legend(Point { x: MARGIN, y: bottom + 28 }))
        .add(
            Text::new(frame.caption.as_str())
                .set("id", "caption")
                .set("class", "label")
                .set("x", MARGIN)
                .set("y", bottom + 18)
                .set("font-size", 12)
                .set("fill", INK),
        )
}

/// The upper left corner of a cell.
fn corner(shape: Shape, cell: Cell) -> Point {
    Point { x: MARGIN + shape.column(cell) * SIDE, y: MARGIN + shape.row(cell) * SIDE }
}

fn rectangle(corner: Point, width: u32, height: u32) -> Rectangle {
    Rectangle::new().set("x", corner.x).set("y", corner.y).set("width", width).set("height", height)
}

fn draw_cell(corner: Point, style: CellStyle) -> Group {
    let square = rectangle(corner, SIDE, SIDE)
        .set("fill", style.fill)
        .set("stroke", "#8a8a8a")
        .set("stroke-width", "0.5");
    let text = Text::new(style.text)
        .set("x", corner.x + SIDE / 2)
        .set("y", corner.y + SIDE / 2 + 4)
        .set("fill", style.ink);
    Group::new().set("class", style.class).add(square).add(text)
}

fn row_and_column_numbers(shape: Shape) -> Group {
    let mut group =
        Group::new().set("class", "label").set("fill", INK).set("text-anchor", "middle");
    for column in (0..shape.columns()).step_by(NUMBER_STEP) {
        let x = MARGIN + column * SIDE + SIDE / 2;
        group = group.add(Text::new(column.to_string()).set("x", x).set("y", MARGIN - 5));
    }
    for row in (0..shape.rows()).step_by(NUMBER_STEP) {
        let y = MARGIN + row * SIDE + SIDE / 2 + 4;
        group = group.add(Text::new(row.to_string()).set("x", MARGIN / 2).set("y", y));
    }
    group
}

/// The marks of a frame: the numbers that the proof uses, the engine's other choice, and the move,
/// which is drawn last.
///
/// Black and white lines together are visible on every fill. Dotted, dashed and solid lines
/// distinguish the kinds.
fn marks(frame: &Frame) -> Group {
    // In a cell whose corner is (0, 0).
    let line = |inset: u32, width: u32, stroke: &str, dashes: &str| {
        let side = SIDE - 2 * inset;
        rectangle(Point { x: inset, y: inset }, side, side)
            .set("fill", "none")
            .set("stroke", stroke)
            .set("stroke-width", width)
            .set("stroke-dasharray", dashes)
    };
    let lines =
        |dashes| Group::new().add(line(1, 4, "#000000", "none")).add(line(1, 2, "#ffffff", dashes));
    let dotted = Group::new().add(line(2, 2, "#ffffff", "none")).add(line(2, 2, "#00224e", "2 2"));
    let mut group = Group::new().set("id", "marks");
    for (kind, mark, cells) in [
        ("uses", dotted, &frame.uses[..]),
        ("instead", lines("3 3"), frame.instead.as_slice()),
        ("move", lines("none"), frame.opens.as_slice()),
    ] {
        for &cell in cells {
            let Point { x, y } = corner(frame.board.shape(), cell);
            let transform = format!("translate({x} {y})");
            group = group.add(mark.clone().set("class", kind).set("transform", transform));
        }
    }
    group
}

/// The colours of some odds.
fn legend(corner: Point) -> Group {
    const PERCENTS: [u16; 8] = [0, 2, 5, 10, 20, 30, 50, 100];
    let mut group = Group::new().set("id", "legend").set("text-anchor", "middle");
    for (index, percent) in (0..).zip(PERCENTS) {
        let corner = Point { x: corner.x + index * SIDE, ..corner };
        group = group.add(draw_cell(corner, hidden_style(percent)));
    }
    let label = Text::new("odds of a mine in percent; ok, \u{d7} proven")
        .set("class", "label")
        .set("text-anchor", "start")
        .set("fill", INK)
        .set("x", corner.x + PERCENTS.len() as u32 * SIDE + 6)
        .set("y", corner.y + SIDE / 2 + 4);
    group.add(label)
}
