//! A frame as SVG: a picture that stands by itself, and the board of the page, which the script
//! only repaints.
//!
//! Every fill is an attribute, so that programs without style sheets show it too; the page's own
//! style goes over it.

use sapper::board::geometry::{Cell, Shape};
use svg::Document;
use svg::node::element::{Group, Rectangle, Text, Title};

use super::frames::Frame;
use super::look::{Look, UNKNOWN, of_odds, of_open};

/// The side of a cell.
pub const SIDE: u32 = 20;
/// Room for the numbers of rows and columns.
pub const PROBABILITY_MARGIN: u32 = 18;
/// Room below the board for the caption and the legend.
const BELOW: u32 = 52;
/// Room for the caption, however few columns there are.
const LEAST_WIDTH: u32 = 420;
/// Rows and columns are numbered every so many.
const NUMBERED: u32 = 5;

/// The whole picture.
pub fn picture(frame: &Frame, looks: &[Look]) -> Document {
    let shape = frame.board.shape();
    let right = PROBABILITY_MARGIN + shape.columns() * SIDE;
    let bottom = PROBABILITY_MARGIN + shape.rows() * SIDE;
    let (width, height) = ((right + SIDE / 2).max(LEAST_WIDTH), bottom + BELOW);
    let mut cells = Group::new().set("id", "cells").set("text-anchor", "middle");
    let mut odds = frame.odds.iter().flatten();
    for (cell, shown) in frame.board.iter() {
        let look = if frame.board.is_hidden(cell) {
            odds.next().map_or(UNKNOWN, |&odds| of_odds(odds))
        } else {
            of_open(shown)
        };
        cells = cells.add(self::cell(corner(shape, cell), &looks[look]));
    }
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
        .add(rectangle((0, 0), (width, height)).set("class", "paper").set("fill", "#ffffff"))
        .add(numbers(shape))
        .add(cells)
        .add(marks(frame))
        .add(legend((PROBABILITY_MARGIN, bottom + 28), looks))
        .add(
            Text::new(frame.caption.as_str())
                .set("id", "caption")
                .set("class", "label")
                .set("x", PROBABILITY_MARGIN)
                .set("y", bottom + 18)
                .set("font-size", 12)
                .set("fill", "#1c1c1c"),
        )
}

/// The upper left corner of a cell.
fn corner(shape: Shape, cell: Cell) -> (u32, u32) {
    (PROBABILITY_MARGIN + shape.column(cell) * SIDE, PROBABILITY_MARGIN + shape.row(cell) * SIDE)
}

fn rectangle((x, y): (u32, u32), (width, height): (u32, u32)) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

fn cell((x, y): (u32, u32), look: &Look) -> Group {
    let back =
        rectangle((x, y), (SIDE, SIDE)).set("fill", look.fill.as_str()).set("stroke", "#8a8a8a");
    let text = Text::new(look.text.as_str())
        .set("x", x + SIDE / 2)
        .set("y", y + SIDE / 2 + 4)
        .set("fill", look.ink.as_str());
    Group::new().set("class", look.class.as_str()).add(back.set("stroke-width", "0.5")).add(text)
}

/// Every fifth row and column by its number.
fn numbers(shape: Shape) -> Group {
    let mut group =
        Group::new().set("class", "label").set("fill", "#1c1c1c").set("text-anchor", "middle");
    for column in (0..shape.columns()).step_by(NUMBERED as usize) {
        let x = PROBABILITY_MARGIN + column * SIDE + SIDE / 2;
        group =
            group.add(Text::new(column.to_string()).set("x", x).set("y", PROBABILITY_MARGIN - 5));
    }
    for row in (0..shape.rows()).step_by(NUMBERED as usize) {
        let y = PROBABILITY_MARGIN + row * SIDE + SIDE / 2 + 4;
        group = group.add(Text::new(row.to_string()).set("x", PROBABILITY_MARGIN / 2).set("y", y));
    }
    group
}

/// The three marks and how each is drawn in a cell whose corner is (0, 0).
///
/// White beside black, so that they show on every colour; dots, dashes and a full line tell them
/// apart.
pub fn kinds_of_marks() -> [(&'static str, Group); 3] {
    let line = |inset: u32, width: u32, stroke: &str, dashes: &str| {
        let side = SIDE - 2 * inset;
        let line =
            rectangle((inset, inset), (side, side)).set("fill", "none").set("stroke", stroke);
        line.set("stroke-width", width).set("stroke-dasharray", dashes)
    };
    let strong =
        |dashes| Group::new().add(line(1, 4, "#000000", "none")).add(line(1, 2, "#ffffff", dashes));
    [
        ("uses", Group::new().add(line(2, 2, "#ffffff", "none")).add(line(2, 2, "#00224e", "2 2"))),
        ("instead", strong("3 3")),
        ("move", strong("none")),
    ]
}

/// What is marked: the numbers that a proof stands on, the engine's own choice, and the move over
/// all.
fn marks(frame: &Frame) -> Group {
    let shape = frame.board.shape();
    let marked = |kind: &str| -> Vec<Cell> {
        match kind {
            "uses" => frame.uses.clone(),
            "instead" => frame.instead.into_iter().collect(),
            _ => frame.opens.into_iter().collect(),
        }
    };
    let mut group = Group::new().set("id", "marks");
    for (kind, mark) in kinds_of_marks() {
        for cell in marked(kind) {
            let (x, y) = corner(shape, cell);
            let place = format!("translate({x} {y})");
            group = group.add(mark.clone().set("class", kind).set("transform", place));
        }
    }
    group
}

/// What the colours mean.
fn legend((x, y): (u32, u32), looks: &[Look]) -> Group {
    const SHOWN: [usize; 8] = [0, 2, 5, 10, 20, 30, 50, 100];
    let mut group = Group::new().set("id", "legend").set("text-anchor", "middle");
    for (number, percent) in (0..).zip(SHOWN) {
        group = group.add(cell((x + number * SIDE, y), &looks[percent]));
    }
    let label = Text::new("odds of a mine in percent; ok, \u{d7} proven")
        .set("class", "label")
        .set("text-anchor", "start")
        .set("fill", "#1c1c1c")
        .set("x", x + SHOWN.len() as u32 * SIDE + 6)
        .set("y", y + SIDE / 2 + 4);
    group.add(label)
}
