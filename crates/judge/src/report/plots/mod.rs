//! Pictures of results, as SVG.
//!
//! | file | draws, or reads |
//! |---|---|
//! | [`input`] | the files of results |
//! | [`rates`] | games won against CPU time |
//! | [`diagonal`] | predicted odds against mines, or chances against games won |
//! | [`bars`] | how far boards were explored |
//! | [`style`] | colours, axes and legends, which all have |
//!
//! Invariant: a picture follows from its files and its title alone.

mod bars;
mod diagonal;
mod input;
mod rates;
mod style;

use anyhow::Result;
use plotters::prelude::*;
use sapper::kit::text::pluralize;

pub use input::{ResultFile, name_and_path};

use input::{Content, measured};
use style::{SIZE, series};

/// The kinds of pictures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    WinRate,
    Calibration,
    Explored,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::WinRate, Kind::Calibration, Kind::Explored];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::WinRate => "win-rate",
            Kind::Calibration => "calibration",
            Kind::Explored => "explored",
        }
    }

    /// What is drawn, for the help.
    pub fn help(self) -> &'static str {
        match self {
            Kind::WinRate => "Games won against the CPU time of a game",
            Kind::Calibration => {
                "Predicted odds against the observed share of mines, or chances against games won"
            }
            Kind::Explored => "Games by the share of safe cells that were open at the end",
        }
    }
}

/// The picture, as SVG, of the games won against the CPU time of measurements; `json` is what
/// `judge results show --json` prints.
///
/// # Errors
/// No measurement has boards and a CPU time.
pub fn picture_of_measurements(json: &str) -> Result<String> {
    let content = measured(json)?;
    let input = ResultFile { path: String::new(), name: None, setting: None, content };
    draw(&[input], Kind::WinRate, None)
}

/// The kind of picture for these results, unless another is asked for.
pub fn default_kind(inputs: &[ResultFile]) -> Kind {
    match inputs.iter().map(|input| &input.content).collect::<Vec<_>>()[..] {
        [Content::Calibration(_), ..] => Kind::Calibration,
        [Content::Report(_)] => Kind::Explored,
        _ => Kind::WinRate,
    }
}

/// Draws the picture and returns it as SVG.
///
/// # Errors
/// A result has nothing for this kind of picture.
pub fn draw(inputs: &[ResultFile], kind: Kind, title: Option<&str>) -> Result<String> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    match kind {
        Kind::WinRate => rates::draw(&area, inputs, title)?,
        Kind::Calibration => {
            let series = series(inputs, kind.name(), |content| match content {
                Content::Calibration(one) => Some((one, one.size.clone())),
                _ => None,
            })?;
            diagonal::draw(&area, &series, title)?;
        }
        Kind::Explored => {
            let series = series(inputs, kind.name(), |content| match content {
                Content::Report(one) => Some((one, pluralize(one.games, "game", "games"))),
                _ => None,
            })?;
            bars::draw(&area, &series, title)?;
        }
    }
    area.present()?;
    drop(area);
    Ok(svg)
}
