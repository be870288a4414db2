//! Source code that was given as a program: how it is compiled, and what is then the bot.
//!
//! Invariant: nothing here asks the system that the judge runs on, so that the advice for every
//! system is tested on each.

use std::path::Path;

use crate::runner::system::Conventions;

/// A language that is compiled.
struct Compiled {
    name: &'static str,
    /// The ends of its files, without the dot.
    extensions: &'static [&'static str],
    /// The compiler, up to the name of the program that it makes and that of the file.
    command: &'static str,
    made: Made,
}

/// What a compiler makes.
#[derive(Clone, Copy)]
enum Made {
    /// A program, whose name stands in place of `OUT` in the command.
    Program,
    /// A class of the file's name, in the folder that stands in place of `DIR`.
    Class,
    /// A file that `java -jar` starts.
    Jar,
}

const LANGUAGES: [Compiled; 9] = [
    Compiled::to_program("C", &["c"], "cc -O2 -o OUT FILE -lm"),
    Compiled::to_program("C++", &["cpp", "cc", "cxx", "c++"], "g++ -O2 -o OUT FILE"),
    Compiled::to_program("Rust", &["rs"], "rustc -O -o OUT FILE"),
    Compiled::to_program("Go", &["go"], "go build -o OUT FILE"),
    Compiled::to_program("Pascal", &["pas", "pp"], "fpc -O2 -oOUT FILE"),
    Compiled::to_program("Haskell", &["hs"], "ghc -O2 -o OUT FILE"),
    Compiled::to_program("Swift", &["swift"], "swiftc -O -o OUT FILE"),
    Compiled { made: Made::Class, ..Compiled::to_program("Java", &["java"], "javac -d DIR FILE") },
    Compiled {
        made: Made::Jar,
        ..Compiled::to_program("Kotlin", &["kt"], "kotlinc FILE -include-runtime -d OUT")
    },
];

/// C#, whose compilers differ: the program of `mcs` is started by `mono`.
const CSHARP: &str = "cs";

impl Compiled {
    const fn to_program(
        name: &'static str,
        extensions: &'static [&'static str],
        command: &'static str,
    ) -> Compiled {
        Compiled { name, extensions, command, made: Made::Program }
    }
}

/// How the file of this name is compiled, and which command line is then the bot; `None` if it is
/// no source code of a compiled language. `quote` quotes a word for the user's shell.
pub fn how_to_build(
    file: &str,
    system: Conventions,
    quote: impl Fn(&str) -> String,
) -> Option<String> {
    let path = Path::new(file);
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let program = |end: &str| {
        let program = path.with_extension(end).display().to_string();
        match program.contains(['/', '\\']) {
            true => program,
            false => system.in_this_folder(&program),
        }
    };
    let within = |word: &str| system.quote_within(word, &quote);
    let executable = program(if system == Conventions::Windows { "exe" } else { "" });
    let (name, command, bot) = if extension == CSHARP {
        match system {
            Conventions::Posix => {
                let out = program("exe");
                ("C#", format!("mcs -out:{} FILE", quote(&out)), format!("mono {}", within(&out)))
            }
            Conventions::Windows => {
                ("C#", format!("csc {} FILE", quote(&format!("/out:{executable}"))), executable)
            }
        }
    } else {
        let is_it = |language: &&Compiled| language.extensions.contains(&extension.as_str());
        let Compiled { name, command, made, .. } = LANGUAGES.iter().find(is_it)?;
        let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        let folder = if folder.is_empty() { ".".to_owned() } else { folder };
        let class = path.file_stem().unwrap_or_default().to_string_lossy();
        let (out, bot) = match made {
            Made::Program => (executable.clone(), executable),
            Made::Class => (String::new(), format!("java -cp {} {class}", within(&folder))),
            Made::Jar => (program("jar"), format!("java -jar {}", within(&program("jar")))),
        };
        (*name, command.replace("OUT", &quote(&out)).replace("DIR", &quote(&folder)), bot)
    };
    let command = command.replace("FILE", &quote(file));
    Some(format!(
        "{file} is source code in {name}; compile it by `{command}`, and then give {} in its place",
        quote(&bot)
    ))
}

#[cfg(test)]
mod tests {
    use super::Conventions::{Posix, Windows};
    use super::*;

    #[test]
    fn the_compiler_of_each_language_is_named() {
        let posix = |word: &str| match word.contains(' ') {
            true => format!("'{word}'"),
            false => word.to_owned(),
        };
        for (file, name, command, bot) in [
            ("./my.cpp", "C++", "g++ -O2 -o ./my ./my.cpp", "./my"),
            ("my.CC", "C++", "g++ -O2 -o ./my my.CC", "./my"),
            ("bots/my.c", "C", "cc -O2 -o bots/my bots/my.c -lm", "bots/my"),
            ("/a/my.rs", "Rust", "rustc -O -o /a/my /a/my.rs", "/a/my"),
            ("./my.go", "Go", "go build -o ./my ./my.go", "./my"),
            ("./my.pas", "Pascal", "fpc -O2 -o./my ./my.pas", "./my"),
            ("./my.hs", "Haskell", "ghc -O2 -o ./my ./my.hs", "./my"),
            ("./my.swift", "Swift", "swiftc -O -o ./my ./my.swift", "./my"),
            ("bots/My.java", "Java", "javac -d bots bots/My.java", "'java -cp bots My'"),
            ("My.java", "Java", "javac -d . My.java", "'java -cp . My'"),
            (
                "./my.kt",
                "Kotlin",
                "kotlinc ./my.kt -include-runtime -d ./my.jar",
                "'java -jar ./my.jar'",
            ),
            ("./my.cs", "C#", "mcs -out:./my.exe ./my.cs", "'mono ./my.exe'"),
            ("a b/my.cpp", "C++", "g++ -O2 -o 'a b/my' 'a b/my.cpp'", "'a b/my'"),
        ] {
            let expected = format!(
                "{file} is source code in {name}; compile it by `{command}`, and then give {bot} \
                 in its place"
            );
            assert_eq!(how_to_build(file, Posix, posix).as_deref(), Some(expected.as_str()));
        }
        let windows = |file| how_to_build(file, Windows, str::to_owned).unwrap();
        assert!(
            windows("my.cpp").contains(r"`g++ -O2 -o .\my.exe my.cpp`, and then give .\my.exe")
        );
        assert!(windows("my.cs").contains(r"`csc /out:.\my.exe my.cs`"), "{}", windows("my.cs"));
        for file in ["bot.py", "bot", "cpp", ".cpp", "a.cpp/bot", "bot.jar"] {
            assert_eq!(how_to_build(file, Posix, posix), None, "{file}");
        }
    }
}
