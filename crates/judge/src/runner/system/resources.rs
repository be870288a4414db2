//! What a system tells of the processes of a bot.

use std::time::Duration;

/// The resources that processes have used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Resources {
    /// CPU time of all processes.
    pub cpu: Duration,
    /// Peak memory in bytes; 0 if it is not known.
    pub memory_bytes: u64,
}

/// How the first process of a bot ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    Code(i32),
    /// It was ended by the signal of this number.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has no signals"))]
    Signal(i32),
    /// The system did not tell.
    Unknown,
}

/// The end of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    pub exit: Exit,
    /// CPU time of the first process and of the children that it waited for, and the peak memory of
    /// one of these.
    pub resources: Resources,
    /// Processes that were still running and had to be killed.
    pub left_behind: u32,
}
