//! Where the names of points go: beside them, and on nothing else.
//!
//! Points are named one by one, each at the first place around it where its name covers no mark and no other name and
//! stays inside; where there is none, at the place that covers least.

use super::style::{Pixel, SMALL};

/// A part of the picture: left, top, right, bottom.
pub type Area = (i32, i32, i32, i32);

/// How wide a text of small letters is at most, nearly: the letters of the reader's machine are not known.
pub fn width(text: &str) -> i32 {
    text.chars().count() as i32 * SMALL * 58 / 100
}

/// The middle of the left side of each point's name.
pub fn places(points: &[(Pixel, &str)], marks: &[Area], inside: Area) -> Vec<Pixel> {
    let mut taken = marks.to_vec();
    let mut places = Vec::new();
    for &((x, y), name) in points {
        let wide = width(name);
        let (near, line) = (10, SMALL + 2);
        let right = [0, -line, line].map(|down| (x + near, y + down));
        let left = [0, -line, line].map(|down| (x - near - wide, y + down));
        let far = [2, -2, 3, -3, 4, -4].map(|lines| (x - wide / 2, y + lines * line));
        let all = right.into_iter().chain(left).chain(far);
        let covered = |&(left, middle): &Pixel| {
            let name = area((left, middle), wide);
            let outside = area_of(name) - overlap(name, inside);
            outside * 4 + taken.iter().map(|&other| overlap(name, other)).sum::<i32>()
        };
        // The first of those that cover least.
        let best = all.min_by_key(covered).unwrap_or((x + near, y));
        taken.push(area(best, wide));
        places.push(best);
    }
    places
}

fn area((left, middle): Pixel, wide: i32) -> Area {
    (left, middle - SMALL / 2, left + wide, middle + SMALL / 2)
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
            let points: Vec<(Pixel, &str)> = (0..10)
                .map(|_| ((random.i32(5..795), random.i32(20..480)), "a name of a bot"))
                .collect();
            let marks: Vec<Area> =
                points.iter().map(|&((x, y), _)| (x - 4, y - 6, x + 4, y + 6)).collect();
            let names = places(&points, &marks, inside);
            let names: Vec<Area> = names.iter().map(|&at| area(at, width(points[0].1))).collect();
            for (index, &name) in names.iter().enumerate() {
                assert_eq!(overlap(name, inside), area_of(name));
                assert!(marks.iter().all(|&mark| overlap(name, mark) == 0), "{points:?}");
                assert!(
                    names[..index].iter().all(|&other| overlap(name, other) == 0),
                    "{points:?}"
                );
            }
        }
    }
}
