//! The formats that are written, and of what each can be written.

use clap::ValueEnum;
use output::Kind as FileKind;

use crate::cli::option_name;
use crate::report::recorded_games::RECORD;

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Kind {
    /// Position: this project's field as text
    Text,
    /// Position: a .mine file of JSMinesweeper
    Mine,
    /// Position: link of this project's page, from # on
    Link,
    /// Position: link of JSMinesweeper, from ? on
    JsLink,
    /// Layout: the bytes of an MBF file
    Mbf,
    /// Layouts: this project's board file, a line each
    Board,
    /// Layout: link of PTTACG and LlamaSweeper, from ? on
    Pttacg,
    /// Game: Botzone's log, as `play --log` writes it
    Log,
    /// Game or a person's recording: RAWVF, events of a mouse as text
    Rawvf,
}

/// What a format holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Position,
    Layout,
    Game,
}

/// What a file holds, which decides what can be written of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    Position,
    Layouts,
    Games,
    Recording,
}

impl Kind {
    pub fn subject(self) -> Subject {
        match self {
            Kind::Text | Kind::Mine | Kind::Link | Kind::JsLink => Subject::Position,
            Kind::Mbf | Kind::Board | Kind::Pttacg => Subject::Layout,
            Kind::Log | Kind::Rawvf => Subject::Game,
        }
    }

    /// Whether a file of this format is no text.
    pub fn is_binary(self) -> bool {
        self == Kind::Mbf
    }

    /// What may be replaced without `--force`. Files of a format without a mark of its own are
    /// never told from other files.
    pub fn file_kind(self) -> FileKind<'static> {
        let (name, beginnings): (_, &[&str]) = match self {
            Kind::Log => return RECORD,
            Kind::Link => ("link of this project's page", &["#field="]),
            Kind::JsLink => ("link of JSMinesweeper", &["?board="]),
            Kind::Pttacg => ("link of PTTACG", &["?b="]),
            Kind::Rawvf => ("RAWVF recording", &["RawVF_Version"]),
            Kind::Text | Kind::Mine | Kind::Mbf | Kind::Board => ("empty file", &[]),
        };
        FileKind { name, beginnings }
    }
}

impl Held {
    /// The name in messages and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Held::Position => "position",
            Held::Layouts => "layouts",
            Held::Games => "games",
            Held::Recording => "recording",
        }
    }

    fn can_be(self, kind: Kind) -> bool {
        match self {
            Held::Position => kind.subject() == Subject::Position,
            Held::Layouts => kind.subject() == Subject::Layout,
            Held::Games => true,
            Held::Recording => kind != Kind::Log,
        }
    }

    /// Why this format cannot hold it, with those that can; `None` if it can.
    pub fn refusal(self, kind: Kind) -> Option<String> {
        if self.can_be(kind) {
            return None;
        }
        let why = match (self, kind.subject()) {
            (Held::Position, Subject::Layout) => "a position does not say where the mines are",
            (Held::Position, _) => "a position does not say how it was played",
            (Held::Layouts, Subject::Position) => "mine layouts show no position",
            (Held::Layouts, _) => "mine layouts are no game",
            (Held::Games | Held::Recording, _) => {
                "a log has no flags and chords, as a person's recording has"
            }
        };
        let all = Kind::value_variants().iter().filter(|&&kind| self.can_be(kind));
        let names = all.map(option_name).collect::<Vec<_>>().join(", ");
        Some(format!("it cannot be written as {}: {why}; give --to {names}", option_name(&kind)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused_with_what_can() {
        let all = Kind::value_variants();
        for (held, kinds) in
            [(Held::Position, 4), (Held::Layouts, 3), (Held::Games, 9), (Held::Recording, 8)]
        {
            let refused: Vec<String> = all.iter().filter_map(|kind| held.refusal(*kind)).collect();
            assert_eq!(all.len() - refused.len(), kinds, "{held:?}");
            for refusal in refused {
                let (_, names) = refusal.split_once("--to ").unwrap();
                let named = names.split(", ").map(|name| Kind::from_str(name, false).unwrap());
                assert!(named.clone().all(|kind| held.refusal(kind).is_none()), "{refusal}");
                assert_eq!(named.count(), kinds);
            }
        }
    }
}
