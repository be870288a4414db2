//! Where the names of points go: beside them, or above or below with a line to them, and on nothing
//! else.
//!
//! Points are named one by one, each at the first of the places around it where its name and its
//! line cover no mark and no other name and stay inside; where there is none, at the place that
//! covers least.

use plotters::style::text_anchor::HPos;

use super::style::{Pixel, SMALL};

/// A part of the picture: left, top, right, bottom.
pub type Area = (i32, i32, i32, i32);

/// A point with the height of its mark and its interval.
#[derive(Debug)]
pub struct Named<'n> {
    pub at: Pixel,
    pub top: i32,
    pub bottom: i32,
    pub name: &'n str,
}

/// Where a name goes.
pub struct Label {
    /// The middle of its left side.
    at: Pixel,
    /// Its right side is the one near the point: there it must stay, however wide its letters are.
    ends: bool,
    /// The ends of the line to its point, where it is not beside it.
    pub line: Option<[Pixel; 2]>,
}

impl Label {
    /// Where to write `name`: the middle of this side.
    pub fn anchor(&self, name: &str) -> (HPos, Pixel) {
        let (x, y) = self.at;
        if self.ends { (HPos::Right, (x + width(name), y)) } else { (HPos::Left, self.at) }
    }
}

/// How wide a text of small letters is at most, nearly: the letters of the reader's machine are not
/// known, and SVG's size of letters is four fifths of their height here.
pub fn width(text: &str) -> i32 {
    text.chars().count() as i32 * SMALL * 52 / 100
}

/// A place for each point's name. `marks` are all that is drawn already, the points' own marks
/// among it.
pub fn places(points: &[Named], marks: &[Area], inside: Area) -> Vec<Label> {
    let mut taken = marks.to_vec();
    let mut labels = Vec::new();
    for point in points {
        let wide = width(point.name);
        let covered = |label: &Label| {
            let name = area(label.at, wide);
            let outside = area_of(name) - overlap(name, inside);
            let covers = |part: Area| taken.iter().map(|&other| overlap(part, other)).sum::<i32>();
            outside * 4 + covers(name) + label.line.map_or(0, |line| 20 * covers(strip(line)))
        };
        // The first of those that cover least.
        if let Some(best) = around(point, wide).into_iter().min_by_key(covered) {
            taken.push(area(best.at, wide));
            taken.extend(best.line.map(strip));
            labels.push(best);
        }
    }
    labels
}

/// The places around a point, the best first.
fn around(&Named { at: (x, y), top, bottom, .. }: &Named, wide: i32) -> Vec<Label> {
    let beside = |left, ends| Label { at: (left, y), ends, line: None };
    let mut places = vec![beside(x + 10, false), beside(x - 10 - wide, true)];
    for lines in 1..=8 {
        for (left, ends) in [(x - wide / 2, false), (x - 8, false), (x + 8 - wide, true)] {
            // A line's height and a gap from the interval's end, and the line ends short of both.
            let away = lines * (SMALL + 2) - 2;
            let near = away - SMALL / 2 - 2;
            let line = |from: i32, to: i32| Some([(x, from), (x, to)]);
            places.push(Label { at: (left, top - away), ends, line: line(top - 2, top - near) });
            places.push(Label {
                at: (left, bottom + away),
                ends,
                line: line(bottom + 2, bottom + near),
            });
        }
    }
    places
}

/// What an upright line covers.
fn strip([(x, a), (_, b)]: [Pixel; 2]) -> Area {
    (x - 1, a.min(b), x + 1, a.max(b))
}

/// What a name covers, with some air around it.
fn area((left, middle): Pixel, wide: i32) -> Area {
    let half = SMALL / 2 + 2;
    (left - 3, middle - half, left + wide + 3, middle + half)
}

fn area_of((left, top, right, bottom): Area) -> i32 {
    (right - left).max(0) * (bottom - top).max(0)
}

fn overlap(a: Area, b: Area) -> i32 {
    area_of((a.0.max(b.0), a.1.max(b.1), a.2.min(b.2), a.3.min(b.3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cover_neither_marks_nor_each_other() {
        let mut random = fastrand::Rng::with_seed(91);
        let inside = (0, 0, 800, 500);
        for _ in 0..50 {
            // In eight columns, or two intervals would lie on each other and leave no place.
            let points: Vec<Named> = (0..8)
                .map(|column| {
                    let (x, y) = (50 + column * 95 + random.i32(-30..30), random.i32(120..380));
                    let (top, bottom) = (y - random.i32(6..60), y + random.i32(6..60));
                    Named { at: (x, y), top, bottom, name: "a name of a bot" }
                })
                .collect();
            let mark = |point: &Named| (point.at.0 - 4, point.top, point.at.0 + 4, point.bottom);
            let marks: Vec<Area> = points.iter().map(mark).collect();
            let labels = places(&points, &marks, inside);
            assert_eq!(labels.len(), points.len());
            for line in labels.iter().filter_map(|label| label.line) {
                assert!(marks.iter().all(|&mark| overlap(strip(line), mark) == 0));
            }
            let wide = width(points[0].name);
            let names: Vec<Area> = labels.iter().map(|label| area(label.at, wide)).collect();
            for (index, &name) in names.iter().enumerate() {
                assert_eq!(overlap(name, inside), area_of(name));
                assert!(marks.iter().all(|&mark| overlap(name, mark) == 0));
                assert!(
                    names[..index].iter().all(|&other| overlap(name, other) == 0),
                    "{points:?}"
                );
            }
        }
    }
}
