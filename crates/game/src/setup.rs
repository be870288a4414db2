//! Init data: the parameters of a game, with the official judge's defaults and limits.
//!
//! Init data is an object, or a JSON string that holds one. A side or a mine count that is not an
//! integer counts as absent and takes a default. One that is out of bounds takes *another* default,
//! not the nearest bound. The judge echoes the result in its first output and judges the later
//! turns from that echo alone. The echo has the replaced sizes but not the `firstclick` that the
//! user gave, which is therefore forgotten after the first turn.
//!
//! | | absent | out of bounds | bounds |
//! |---|---|---|---|
//! | `width` | 30 | 40 | 11-100 |
//! | `height` | 20 | 20 | 11-60 |
//! | `minecount` | 80 | 40 | 11-100 |
//!
//! [`SizeLimits::AnySize`] replaces this table for fields that the platform does not have. It also
//! reads `rule` and `first`, the promise of the classic rules about their first cell.
//!
//! Not reproduced: above 80 columns or 40 rows the judge writes outside its own arrays. Here such a
//! field has the size that was asked for.

use std::fmt;

use serde_json::{Map, Value, json};

use super::board_file::Layout;
use super::board_gen::generate;
use super::field::{Field, FieldError, MINE};
use super::glibc::Rand;
use super::init_rule;
use super::rule::Start;
use sapper::board::geometry::{Cell, Shape, ShapeError};

/// The sizes and mine counts that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeLimits {
    /// The official bounds and defaults.
    Official,
    /// Any size and any mine count that fits; there are no defaults.
    AnySize,
}

/// The parameters of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Rows and columns.
    pub shape: Shape,
    /// The announced mine count. A given `field` may hold another number of mines.
    pub mines: u32,
    /// The seed of the C library's generator.
    pub seed: i32,
    /// The values of the field, where it is not generated from the seed.
    pub field: Option<String>,
    /// Whether a safe cell is opened before the first turn, and reported.
    pub skip_first: bool,
    /// A cell that is opened before the first turn and *not* reported: row, column.
    pub first_click: Option<(i64, i64)>,
    /// The rule: what is promised about the first cell, and whether a hit ends the game.
    pub start: Start,
}

/// The reason why init data does not describe a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// It is neither an object nor a string that holds one.
    NoObject,
    /// A key that [`SizeLimits::AnySize`] needs is absent or not an integer in its range.
    Key(&'static str),
    /// The size is invalid.
    Shape(ShapeError),
    /// The field is invalid.
    Field(FieldError),
    /// `firstclick` is outside the field. The official judge reads outside its memory here.
    FirstClick,
    /// `rule` and `first` name no rule with its first cell.
    Rule,
    /// The field breaks the promise of its rule about the first cell.
    Promise,
    /// `skipfirst` is set and no cell is safe. The official judge does not terminate here.
    NoSafeCell,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoObject => write!(f, "initdata is not an object"),
            SetupError::Key(key) => write!(f, "initdata: `{key}` must be a 32-bit integer"),
            SetupError::Shape(error) => write!(f, "initdata: {error}"),
            SetupError::Field(error) => write!(f, "initdata: {error}"),
            SetupError::FirstClick => {
                write!(f, "initdata: `firstclick` is not a cell of the field")
            }
            SetupError::Rule => {
                write!(
                    f,
                    "initdata: `rule` is not safe-first or open-first with a `first` cell of the \
                     field"
                )
            }
            SetupError::Promise => write!(f, "initdata: the field breaks its rule"),
            SetupError::NoSafeCell => {
                write!(f, "initdata: `skipfirst` is set, but no cell is safe")
            }
        }
    }
}

impl std::error::Error for SetupError {}

impl From<FieldError> for SetupError {
    fn from(error: FieldError) -> SetupError {
        SetupError::Field(error)
    }
}

/// An integer as the judge's JSON reader accepts it: 32 bits, written without a fraction.
pub(super) fn int(value: Option<&Value>) -> Option<i32> {
    value?.as_i64().and_then(|number| i32::try_from(number).ok())
}

/// The first JSON value of a text. Like the judge's reader, this ignores what follows.
pub(super) fn first_value(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text).into_iter().next()?.ok()
}

/// The object in init data; empty for null, and for a string without an object.
fn object(initdata: &Value) -> Result<Map<String, Value>, SetupError> {
    let unpacked = match initdata {
        Value::String(text) => match first_value(text) {
            None | Some(Value::String(_)) => Value::Null,
            Some(value) => value,
        },
        other => other.clone(),
    };
    match unpacked {
        Value::Null => Ok(Map::new()),
        Value::Object(object) => Ok(object),
        _ => Err(SetupError::NoObject),
    }
}

/// One row of the table of the official limits.
struct OfficialLimits {
    absent: u32,
    out_of_bounds: u32,
    max: i32,
}

const WIDTH: OfficialLimits = OfficialLimits { absent: 30, out_of_bounds: 40, max: 100 };
const HEIGHT: OfficialLimits = OfficialLimits { absent: 20, out_of_bounds: 20, max: 60 };
const MINE_COUNT: OfficialLimits = OfficialLimits { absent: 80, out_of_bounds: 40, max: 100 };

impl OfficialLimits {
    const MIN: i32 = 11;

    fn apply(&self, value: Option<i32>) -> u32 {
        match value {
            None => self.absent,
            Some(number) if (Self::MIN..=self.max).contains(&number) => number as u32,
            Some(_) => self.out_of_bounds,
        }
    }
}

fn first_click(value: &Value) -> Result<(i64, i64), SetupError> {
    let part = |key| match value.get(key) {
        None | Some(Value::Null) => Ok(0),
        Some(number) => number.as_i64().ok_or(SetupError::FirstClick),
    };
    if value.is_object() { Ok((part("row")?, part("col")?)) } else { Err(SetupError::FirstClick) }
}

impl Setup {
    /// Whether every layout of the field is equally likely, whatever a bot is shown before its
    /// first turn. A cell that is opened because it is the first zero says more than its number.
    pub fn is_uniform(&self) -> bool {
        self.field.is_none() && !self.skip_first && self.first_click.is_none()
    }

    /// A field generated from this seed, with no cell opened before the first turn.
    pub fn new(shape: Shape, mines: u32, seed: i32) -> Setup {
        let (field, first_click) = (None, None);
        Setup { shape, mines, seed, field, skip_first: false, first_click, start: Start::CHOSEN }
    }

    /// Reads init data. `default_seed` replaces an absent seed; the official judge takes the time
    /// in seconds.
    ///
    /// # Errors
    /// [`SetupError`] for init data that is not an object, for a `firstclick` that is not a cell,
    /// and under [`SizeLimits::AnySize`] for an absent or invalid size.
    pub fn read(
        initdata: &Value,
        limits: SizeLimits,
        default_seed: i32,
    ) -> Result<Setup, SetupError> {
        let initdata = object(initdata)?;
        let key = |key| int(initdata.get(key));
        let (columns, rows, mines) = match limits {
            SizeLimits::Official => (
                WIDTH.apply(key("width")),
                HEIGHT.apply(key("height")),
                MINE_COUNT.apply(key("minecount")),
            ),
            SizeLimits::AnySize => {
                let size = |name| key(name).and_then(|number| u32::try_from(number).ok());
                (
                    size("width").ok_or(SetupError::Key("width"))?,
                    size("height").ok_or(SetupError::Key("height"))?,
                    size("minecount").ok_or(SetupError::Key("minecount"))?,
                )
            }
        };
        let shape = Shape::new(rows.into(), columns.into()).map_err(SetupError::Shape)?;
        Ok(Setup {
            shape,
            mines,
            seed: key("seed").unwrap_or(default_seed),
            field: initdata.get("field").and_then(Value::as_str).map(str::to_owned),
            skip_first: initdata.get("skipfirst") == Some(&Value::Bool(true)),
            first_click: match initdata.get("firstclick") {
                None | Some(Value::Null) => None,
                Some(value) => Some(first_click(value)?),
            },
            start: match limits {
                SizeLimits::Official => Start::CHOSEN,
                SizeLimits::AnySize => init_rule::read(&initdata, shape).ok_or(SetupError::Rule)?,
            },
        })
    }

    /// Init data that [`Setup::read`] reads as this setup, if its sizes are within the limits.
    pub fn to_initdata(&self) -> Value {
        let mut initdata = self.sizes_and_seed();
        if let Some(field) = &self.field {
            initdata["field"] = json!(field);
        }
        if self.skip_first {
            initdata["skipfirst"] = json!(true);
        }
        if let Some((row, col)) = self.first_click {
            initdata["firstclick"] = json!({"row": row, "col": col});
        }
        init_rule::write(&mut initdata, self.start, self.shape);
        initdata
    }

    /// Whether the official judge would play exactly this game.
    pub fn is_official(&self) -> bool {
        Setup::read(&self.to_initdata(), SizeLimits::Official, self.seed).as_ref() == Ok(self)
    }

    /// The field, and the state of the generator afterwards.
    ///
    /// # Errors
    /// [`FieldError`] when the mines do not fit, or the given values are not a field.
    pub fn field(&self) -> Result<(Field, Rand), FieldError> {
        let mut rand = Rand::new(self.seed);
        let field = match &self.field {
            Some(text) => Field::from_text(self.shape, text)?,
            None if self.start.rule().is_classic() => {
                generate(self.shape, self.mines, self.start, self.seed)?.field()
            }
            None => Field::generate(self.shape, self.mines, &mut rand)?,
        };
        Ok((field, rand))
    }

    /// The layout of the mines. Its first cell is the one that the game opens beforehand; without
    /// one it is the first of the field.
    ///
    /// # Errors
    /// As [`Setup::field`].
    pub fn layout(&self) -> Result<Layout, FieldError> {
        let (field, _) = self.field()?;
        let layout = Layout::new(self.shape, field.mines().map(Cell::index).collect());
        Ok(Layout { first: self.start.first().unwrap_or(layout.first), ..layout })
    }

    /// The init data that the judge echoes. `skipped` is the cell that `skipfirst` opened.
    pub fn echo(&self, field: &Field, skipped: Option<Cell>) -> Value {
        let mut echo = self.sizes_and_seed();
        echo["field"] = json!(self.field.clone().unwrap_or_else(|| field.to_string()));
        if let Some(cell) = skipped {
            echo["firstclick"] =
                json!({"row": self.shape.row(cell), "col": self.shape.column(cell)});
        }
        echo
    }

    fn sizes_and_seed(&self) -> Value {
        json!({
            "width": self.shape.columns(),
            "height": self.shape.rows(),
            "minecount": self.mines,
            "seed": self.seed,
        })
    }
}

/// The cell that `skipfirst` opens: the first zero in row-major order. Where there is none, cells
/// are drawn until one is safe, the column first, unlike in [`Field::generate`].
///
/// # Errors
/// [`SetupError::NoSafeCell`] when every cell is a mine.
pub fn skipped_cell(field: &Field, rand: &mut Rand) -> Result<Cell, SetupError> {
    let shape = field.shape();
    if let Some(zero) = shape.cells().find(|&cell| field.value(cell) == 0) {
        return Ok(zero);
    }
    if field.mines().count() == shape.len() {
        return Err(SetupError::NoSafeCell);
    }
    loop {
        let column = rand.below(shape.columns());
        let row = rand.below(shape.rows());
        let cell = Cell::from_index(row * shape.columns() + column);
        if field.value(cell) != MINE {
            return Ok(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn official(given: &Value) -> Setup {
        Setup::read(given, SizeLimits::Official, 7).unwrap()
    }

    fn sizes(given: &Value) -> (u32, u32, u32) {
        let setup = official(given);
        (setup.shape.columns(), setup.shape.rows(), setup.mines)
    }

    #[test]
    fn absent_and_out_of_bounds_take_different_defaults() {
        assert_eq!(sizes(&json!({})), (30, 20, 80));
        assert_eq!(sizes(&Value::Null), (30, 20, 80));
        for odd in [json!("12"), json!(12.5), json!(12.0), json!(null), json!(4_000_000_000u64)] {
            let given = json!({"width": odd, "height": odd, "minecount": odd, "seed": odd});
            assert_eq!((sizes(&given), official(&given).seed), ((30, 20, 80), 7), "{odd}");
        }
        for out in [10, 0, -5, 101, i32::MAX] {
            let given = json!({"width": out, "height": out, "minecount": out});
            assert_eq!(sizes(&given), (40, 20, 40), "{out}");
        }
        assert_eq!(sizes(&json!({"width": 11, "height": 11, "minecount": 11})), (11, 11, 11));
        assert_eq!(sizes(&json!({"width": 100, "height": 60, "minecount": 100})), (100, 60, 100));
        assert_eq!(sizes(&json!({"height": 61})), (30, 20, 80));
    }

    #[test]
    fn init_data_may_be_a_string() {
        assert_eq!(sizes(&json!(r#"{"width":12} and more"#)), (12, 20, 80));
        assert_eq!(sizes(&json!("width 12")), (30, 20, 80));
        assert_eq!(sizes(&json!("")), (30, 20, 80));
        assert_eq!(sizes(&json!(r#""twice""#)), (30, 20, 80));
        assert_eq!(Setup::read(&json!([1]), SizeLimits::Official, 7), Err(SetupError::NoObject));
        assert_eq!(Setup::read(&json!("3"), SizeLimits::Official, 7), Err(SetupError::NoObject));
    }

    #[test]
    fn any_size_has_no_defaults() {
        let small = json!({"width": 3, "height": 2, "minecount": 0, "seed": -1});
        let setup = Setup::read(&small, SizeLimits::AnySize, 7).unwrap();
        assert_eq!((setup.shape.len(), setup.mines, setup.seed), (6, 0, -1));
        assert!(!setup.is_official() && official(&json!({})).is_official());
        assert_eq!(setup.to_initdata(), small);
        let missing = json!({"width": 3, "height": 2});
        assert_eq!(
            Setup::read(&missing, SizeLimits::AnySize, 7),
            Err(SetupError::Key("minecount"))
        );
    }

    #[test]
    fn the_echo_has_a_first_click_only_when_one_was_skipped() {
        let given = json!({"seed": 5, "firstclick": {"row": 3}, "skipfirst": "true"});
        let setup = official(&given);
        assert_eq!((setup.first_click, setup.skip_first), (Some((3, 0)), false));
        let (field, _) = setup.field().unwrap();
        let echo = setup.echo(&field, None);
        assert!(echo.get("firstclick").is_none());
        assert_eq!(echo["field"], json!(field.to_string()));
        let echo = setup.echo(&field, setup.shape.cell(1, 2));
        assert_eq!(echo["firstclick"], json!({"row": 1, "col": 2}));
        for bad in [json!(3), json!([1, 2]), json!({"row": "1"})] {
            let given = json!({"firstclick": bad});
            assert_eq!(Setup::read(&given, SizeLimits::Official, 7), Err(SetupError::FirstClick));
        }
    }

    #[test]
    fn without_a_zero_the_column_is_drawn_first() {
        // No zero, and the only safe cells are in the last row.
        let text = format!("{}{}", "9".repeat(110), "3".repeat(11));
        let setup = official(&json!({"width": 11, "height": 11, "seed": 3, "field": text}));
        let (field, mut rand) = setup.field().unwrap();
        let cell = skipped_cell(&field, &mut rand.clone()).unwrap();
        let (row, column) = loop {
            let column = rand.draw() % 11;
            let row = rand.draw() % 11;
            if row == 10 {
                break (row, column);
            }
        };
        assert_eq!((field.shape().row(cell), field.shape().column(cell)), (row, column));
        let full = Field::from_text(field.shape(), &"9".repeat(121)).unwrap();
        assert_eq!(skipped_cell(&full, &mut rand), Err(SetupError::NoSafeCell));
    }
}
