//! The language of a bot, by which Botzone limits its time.

use std::fmt;
use std::str::FromStr;

use super::system::program_name;

/// A programming language that Botzone's time limits distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Cpp,
    Pascal,
    Javascript,
    Java,
    Python,
    Csharp,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 6] = [
        Language::Cpp,
        Language::Pascal,
        Language::Javascript,
        Language::Java,
        Language::Python,
        Language::Csharp,
    ];

    /// The name of the language in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Language::Cpp => "cpp",
            Language::Pascal => "pascal",
            Language::Javascript => "javascript",
            Language::Java => "java",
            Language::Python => "python",
            Language::Csharp => "csharp",
        }
    }

    /// Botzone's factor of the time limit.
    pub fn time_factor(self) -> u32 {
        match self {
            Language::Cpp | Language::Pascal => 1,
            Language::Javascript => 2,
            Language::Java => 3,
            Language::Python | Language::Csharp => 6,
        }
    }

    /// The language whose interpreter `program` is; `None` if it is not an interpreter.
    pub fn of_interpreter(program: &str) -> Option<Language> {
        let name = program_name(program).to_ascii_lowercase();
        // The version is not part of the name: python3, python3.12, node18.
        match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            // `py` starts Python on Windows.
            "python" | "py" | "pypy" => Some(Language::Python),
            "node" | "nodejs" | "bun" | "deno" => Some(Language::Javascript),
            "java" => Some(Language::Java),
            "mono" | "dotnet" => Some(Language::Csharp),
            _ => None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = String;

    /// Reads the name of a language, in capital letters or small ones.
    fn from_str(text: &str) -> Result<Language, String> {
        let is_meant = |language: &Language| language.name().eq_ignore_ascii_case(text);
        let names = Language::ALL.map(Language::name).join(", ");
        Language::ALL.into_iter().find(is_meant).ok_or_else(|| format!("give one of {names}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_is_known_by_its_name_on_every_system() {
        for (programs, language) in [
            (&["python", "py", "python3", "python3.12", "pypy3"][..], Some(Language::Python)),
            (&["python.exe", "py.exe", "Python3.12.EXE", "PY"], Some(Language::Python)),
            (&[r"C:\Python312\python.exe", "/usr/bin/python3"], Some(Language::Python)),
            (&["node", "node.exe", "deno"], Some(Language::Javascript)),
            (&[r"C:\Program Files\Java\bin\java.exe"], Some(Language::Java)),
            (&["dotnet.exe", "mono"], Some(Language::Csharp)),
            (&["bot", "bot.py", "pybot", "python.sh", ".exe", ""], None),
        ] {
            for program in programs {
                assert_eq!(Language::of_interpreter(program), language, "{program}");
            }
        }
    }
}
