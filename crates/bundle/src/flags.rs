//! The options of the bot that are compiled into `sapper.cpp`.

/// The options of the bot that are compiled into `sapper.cpp`.
#[derive(Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct Flags {
    /// Make a bot that keeps running between turns: it prints Botzone's marker line after an answer
    #[arg(long)]
    pub keep_running: bool,
    /// Make a bot that explains every answer in the `debug` field, which Botzone logs
    #[arg(long)]
    pub debug: bool,
}

impl Flags {
    pub const NONE: Flags = Flags { keep_running: false, debug: false };
    pub const KEEP_RUNNING: Flags = Flags { keep_running: true, debug: false };
    pub const ALL: [Flags; 4] = [
        Flags::NONE,
        Flags::KEEP_RUNNING,
        Flags { keep_running: false, debug: true },
        Flags { keep_running: true, debug: true },
    ];

    /// The command-line options, which are the same for the bot and for `cargo sapper bundle`.
    pub fn arguments(&self) -> impl Iterator<Item = &'static str> + use<> {
        let options = [(self.keep_running, "--keep-running"), (self.debug, "--debug")];
        options.into_iter().filter(|(set, _)| *set).map(|(_, option)| option)
    }

    /// The command line that makes the files with these options.
    pub fn command(&self) -> String {
        std::iter::once("cargo sapper bundle").chain(self.arguments()).collect::<Vec<_>>().join(" ")
    }
}
