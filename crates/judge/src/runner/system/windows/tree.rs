//! All processes of a bot, in a job.
//!
//! Invariant: after [`Tree::end`] the bot has no process left, because its job is closed.

use std::io;
use std::os::windows::io::AsRawHandle as _;
use std::os::windows::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use wait4::Wait4 as _;
use win32job::utils::{ProcessMemoryCounters, get_process_memory_info};
use win32job::{ExtendedLimitInfo, Job, JobError};

use crate::runner::system::resources::{End, Exit, Resources};
use crate::runner::system::sampled;

/// The flag of `CreateProcess` that begins a process group, which Ctrl-C does not reach. A bot that
/// it ended before the judge knows of the interrupt would have a fault.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// The job of a bot; none once it is closed.
type SharedJob = Arc<Mutex<Option<Job>>>;

/// The running bots.
struct Registry {
    jobs: Vec<Weak<Mutex<Option<Job>>>>,
    /// Whether no bot may be started any more.
    is_stopped: bool,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { jobs: Vec::new(), is_stopped: false });

/// The job of the judge, open as long as the judge runs.
static JUDGE: OnceLock<Option<Job>> = OnceLock::new();

/// No code that holds a lock of this file leaves its value inconsistent if it panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A job whose processes end with its last handle.
fn job() -> Result<Job, JobError> {
    Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close())
}

/// The processes of a bot.
#[derive(Debug)]
pub struct Tree {
    job: SharedJob,
    /// The process id of the first process. No other process gets it before [`Tree::end`], as the
    /// process is not waited for.
    leader: u32,
    /// The handle of the first process.
    handle: isize,
}

impl Tree {
    /// Starts the first process of a tree.
    ///
    /// # Errors
    /// Fails if the system cannot start it, or after [`stop_all`].
    pub fn spawn(command: &mut Command) -> io::Result<(Child, Tree)> {
        JUDGE.get_or_init(|| job().and_then(|job| job.assign_current_process().map(|()| job)).ok());
        // Locked from the start to the entry, so that `stop_all` misses no bot.
        let mut registry = lock(&REGISTRY);
        if registry.is_stopped {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let job = job().map_err(io::Error::other)?;
        let mut child = command.creation_flags(CREATE_NEW_PROCESS_GROUP).spawn()?;
        let handle = child.as_raw_handle() as isize;
        if let Err(error) = job.assign_process(handle) {
            // A process that has ended cannot be put into a job any more, and needs none.
            if child.try_wait()?.is_none() {
                child.kill().ok();
                return Err(io::Error::other(error));
            }
        }
        let job = Arc::new(Mutex::new(Some(job)));
        registry.jobs.retain(|job| job.strong_count() > 0);
        registry.jobs.push(Arc::downgrade(&job));
        let leader = child.id();
        Ok((child, Tree { job, leader, handle }))
    }

    /// The process ids of the running processes; none once the job is closed.
    fn members(&self) -> Vec<u32> {
        let list = lock(&self.job).as_ref().map(Job::query_process_id_list);
        list.map_or_else(Vec::new, |list| running(list, self.leader))
    }

    /// Whether the first process has ended.
    pub fn has_exited(&self) -> bool {
        !self.members().contains(&self.leader)
    }

    /// The CPU time so far of the running processes.
    pub fn cpu(&self) -> Duration {
        self.usage(u64::MAX).cpu
    }

    /// The CPU time that the running processes have used so far, and the peak memory of the first
    /// process plus the resident memory of the others.
    pub fn usage(&self, _memory_limit: u64) -> Resources {
        let members = self.members();
        let mut used = sampled::sum(&members);
        if let Some(leader) = self.memory().filter(|_| members.contains(&self.leader)) {
            let (peak, now) = (leader.peak_working_set_size, leader.working_set_size);
            used.memory_bytes += peak.saturating_sub(now) as u64;
        }
        used
    }

    /// The peak memory of the first process in bytes, also after its end.
    pub fn peak_memory(&self, _memory_limit: u64) -> u64 {
        self.memory().map_or(0, |memory| memory.peak_working_set_size as u64)
    }

    /// The memory of the first process.
    fn memory(&self) -> Option<ProcessMemoryCounters> {
        get_process_memory_info(self.handle).ok()
    }

    /// Kills every process of the tree and waits for the first one, which is `child`. To be called
    /// once.
    pub fn end(&mut self, child: &mut Child) -> End {
        let members = self.members();
        let has_exited = !members.contains(&self.leader);
        let others = members.iter().filter(|&&member| member != self.leader).count();
        child.kill().ok();
        drop(lock(&self.job).take());
        let report = child.wait4().ok();
        let used = report.as_ref().map(|report| &report.rusage);
        let resources = Resources {
            cpu: used.map_or(Duration::ZERO, |used| used.utime + used.stime),
            memory_bytes: used.map_or(0, |used| used.maxrss),
        };
        let code = report.and_then(|report| report.status.code()).filter(|_| has_exited);
        let exit = code.map_or(Exit::Unknown, Exit::Code);
        End { exit, resources, left_behind: u32::try_from(others).unwrap_or(u32::MAX) }
    }
}

/// The process ids in the list of an open job. Without a list, as there is none of more than about
/// 1,024 processes, nothing says that the first process has ended.
fn running(list: Result<Vec<usize>, JobError>, leader: u32) -> Vec<u32> {
    match list {
        Ok(list) => list.into_iter().filter_map(|process| u32::try_from(process).ok()).collect(),
        Err(_) => vec![leader],
    }
}

/// Ends all bots, and lets no further bot be started.
pub fn stop_all() {
    let mut registry = lock(&REGISTRY);
    registry.is_stopped = true;
    for job in registry.jobs.iter().filter_map(Weak::upgrade) {
        drop(lock(&job).take());
    }
}

/// As [`stop_all`]: there is nothing else to end.
pub fn end_all() {
    stop_all();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_process_of_a_job_that_cannot_be_listed_runs() {
        const ERROR_MORE_DATA: i32 = 234;
        assert_eq!(running(Ok(vec![12, 7]), 5), [12, 7]);
        let error = io::Error::from_raw_os_error(ERROR_MORE_DATA);
        assert_eq!(running(Err(JobError::GetInfoFailed(error)), 5), [5]);
    }
}
