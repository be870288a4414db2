//! The memory of the processes of a bot.
//!
//! The resident size of a process takes microseconds to read. A sum of them counts a page once for
//! each process that shares it, as after a fork, so it is an upper bound. Proportional shares (PSS)
//! add up to the pages in use, but the system visits every page for them: tens of milliseconds for
//! 256 MB. So shares are read only where the bound is above all memory that the bot is known to
//! have used, and then for a small part of the time.
//!
//! A memory file (a memfd, or a deleted file of a tmpfs) uses memory also where no process maps it.
//! It is counted once, by its device and inode, if a descriptor of the bot is open, and its mapped
//! pages do not count again.
//!
//! Invariant: what is told of one process without memory files is exact. Of others it is a reading
//! of the shares, which may be as old as the pause after it.
//!
//! Not counted: files whose only descriptors are on their way through a socket, files that the
//! judge holds too, and those of a process that hides its descriptors.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Instant;

use rustix::fs::{makedev, statfs};

use super::os::{proc_bytes, with_descendants};

/// How many times as long as a measurement took no other is made.
const PAUSE: u32 = 99;
/// The same of a reading of the shares where the bound is above the limit.
const PAUSE_ABOVE_LIMIT: u32 = 9;
/// The file system of memfds and of `/dev/shm`.
const TMPFS: u64 = 0x0102_1994;

/// Memory files by device and inode, with their sizes in bytes.
type Files = BTreeMap<(u64, u64), u64>;

/// The memory of a bot so far.
#[derive(Debug, Default)]
pub struct Memory {
    /// The most that was told.
    peak: u64,
    last: Option<Reading>,
    /// The end of the pause after the last measurement of a turn.
    next_of_turn: Option<Instant>,
}

/// A reading of the shares.
#[derive(Debug)]
struct Reading {
    /// The bound that it was made for.
    bound: u64,
    bytes: u64,
    /// The end of the pause.
    next: Instant,
}

impl Memory {
    /// As [`Memory::measure`], of the first process and its descendants. To be called in every
    /// turn, however short: in a pause after a measurement it is the peak of the first process.
    pub fn measure_turn(&mut self, leader: i32, limit: u64) -> u64 {
        let start = Instant::now();
        if self.next_of_turn.is_some_and(|next| start < next) {
            return status(leader, "VmHWM:");
        }
        let used = self.measure(leader, &with_descendants(vec![leader]), limit);
        self.next_of_turn = Some(pause_end(start, PAUSE));
        used
    }

    /// The memory in bytes that these processes use, the first of them (`leader`) at its peak.
    pub fn measure(&mut self, leader: i32, members: &[i32], limit: u64) -> u64 {
        let files = files(members);
        let peak = |process| if process == leader { "VmHWM:" } else { "VmRSS:" };
        let resident = members.iter().map(|&process| status(process, peak(process))).sum::<u64>();
        let bound = resident + files.values().sum::<u64>();
        let is_exact = members.len() == 1 && files.is_empty();
        let used = if is_exact || bound <= self.peak {
            bound
        } else {
            self.shares(bound, limit, || {
                let shares = members.iter().map(|&process| share(process, &files));
                let used = shares.sum::<u64>() + files.values().sum::<u64>();
                used.max(status(leader, "VmHWM:"))
            })
        };
        self.peak = self.peak.max(used);
        used
    }

    /// The last reading of the shares, made now if it is time for one.
    fn shares(&mut self, bound: u64, limit: u64, read: impl FnOnce() -> u64) -> u64 {
        let start = Instant::now();
        let last = self.last.take().filter(|last| !last.is_over(bound, limit, start));
        let last = last.unwrap_or_else(|| {
            let bytes = read();
            let pause = if bound > limit { PAUSE_ABOVE_LIMIT } else { PAUSE };
            Reading { bound, bytes, next: pause_end(start, pause) }
        });
        let bytes = last.bytes;
        self.last = Some(last);
        bytes
    }
}

/// The end of a pause that lasts `times` as long as what began at `start` and ends now.
fn pause_end(start: Instant, times: u32) -> Instant {
    let now = Instant::now();
    let pause = (now - start).checked_mul(times);
    pause.and_then(|pause| now.checked_add(pause)).unwrap_or(now)
}

impl Reading {
    /// Whether another one is due: after the pause, after the bound has grown by a quarter, and
    /// when it passes the limit.
    fn is_over(&self, bound: u64, limit: u64, now: Instant) -> bool {
        let has_grown = bound / 5 > self.bound / 4;
        has_grown || (self.bound <= limit && bound > limit) || now >= self.next
    }
}

/// A number of bytes in the status of a process; 0 if it has ended.
fn status(process: i32, key: &str) -> u64 {
    proc_bytes(&process.to_string(), "status", key).unwrap_or(0)
}

/// The proportional share of a process in bytes, without the mapped pages of these files; its
/// resident size where the share is hidden.
fn share(process: i32, files: &Files) -> u64 {
    let share = if files.is_empty() {
        proc_bytes(&process.to_string(), "smaps_rollup", "Pss:")
    } else {
        let maps = fs::read(format!("/proc/{process}/smaps")).ok();
        maps.map(|maps| share_without(&String::from_utf8_lossy(&maps), files))
    };
    share.unwrap_or_else(|| status(process, "VmRSS:"))
}

/// The sum of the shares in the text of `smaps`, but for the mappings of these files.
fn share_without(maps: &str, files: &Files) -> u64 {
    let (mut sum, mut is_counted) = (0, true);
    for line in maps.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().take(5).collect();
        match words[..] {
            ["Pss:", kibibytes, ..] if is_counted => {
                sum += 1024 * kibibytes.parse::<u64>().unwrap_or(0);
            }
            [range, _, _, device, inode] if range.contains('-') => {
                let device = device.split_once(':').and_then(|(major, minor)| {
                    let number = |digits| u32::from_str_radix(digits, 16).ok();
                    Some(makedev(number(major)?, number(minor)?))
                });
                let file = device.zip(inode.parse().ok());
                is_counted = file.is_none_or(|file| !files.contains_key(&file));
            }
            _ => {}
        }
    }
    sum
}

/// The memory files of these processes, without those that the judge holds too: it may have got
/// them from the program that started it.
fn files(members: &[i32]) -> Files {
    let mut files: Files = members.iter().flat_map(|process| open_files(process)).collect();
    if !files.is_empty() {
        let own: Files = open_files(&"self").collect();
        files.retain(|file, _| !own.contains_key(file));
    }
    files
}

/// The memory files of a process.
fn open_files(process: &dyn std::fmt::Display) -> impl Iterator<Item = ((u64, u64), u64)> {
    let descriptors = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    descriptors.filter_map(|descriptor| memory_file(&descriptor.path()))
}

/// The memory file that a descriptor is, if it is one.
fn memory_file(descriptor: &Path) -> Option<((u64, u64), u64)> {
    let name = fs::read_link(descriptor).ok()?;
    if !name.as_os_str().as_bytes().ends_with(b" (deleted)") {
        return None;
    }
    let file = fs::metadata(descriptor).ok().filter(|file| file.is_file() && file.nlink() == 0)?;
    let is_memory = statfs(descriptor).is_ok_and(|system| system.f_type as u64 == TMPFS);
    is_memory.then(|| ((file.dev(), file.ino()), 512 * file.blocks()))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use rustix::fs::{MemfdFlags, memfd_create};

    use super::super::tree::Tree;
    use super::*;

    const MIB: u64 = 1 << 20;

    /// Waits until a bot of this script has this many processes and uses this much memory, and
    /// returns what is told, and the sum of the resident sizes.
    fn measured(script: &str, processes: usize, least: u64) -> (u64, u64) {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null());
        let (mut child, mut tree) = Tree::spawn(&mut command).unwrap();
        let leader = child.id() as i32;
        let start = Instant::now();
        let found = loop {
            assert!(start.elapsed() < Duration::from_secs(60), "no {least} bytes");
            std::thread::sleep(Duration::from_millis(5));
            let members = with_descendants(vec![leader]);
            let told = Memory::default().measure(leader, &members, u64::MAX);
            if members.len() == processes && told >= least {
                break (told, members.iter().map(|&member| status(member, "VmRSS:")).sum());
            }
        };
        tree.end(&mut child);
        found
    }

    #[test]
    fn pages_that_forked_processes_share_are_counted_once() {
        // The text is in the memory of the shell and of its four copies.
        let script = "x=$(head -c 20000000 /dev/zero | tr '\\0' x); \
                      for i in 1 2 3 4; do (sleep 300; :) & done; wait";
        let (told, sum) = measured(script, 9, 20 * MIB);
        assert!(sum > 90 * MIB && told < sum / 2, "{told} of {sum}");
    }

    #[test]
    fn a_memory_file_is_counted_once_without_being_mapped() {
        let mut file = File::from(memfd_create("cells", MemfdFlags::CLOEXEC).unwrap());
        file.write_all(&vec![1; 64 << 20]).unwrap();
        let held = std::fs::metadata(format!("/proc/self/fd/{}", descriptor(&file))).unwrap();
        assert!(
            open_files(&"self")
                .any(|(id, bytes)| id == (held.dev(), held.ino()) && bytes >= 64 * MIB)
        );
        // The judge holds it, too.
        assert!(!files(&[std::process::id() as i32]).contains_key(&(held.dev(), held.ino())));
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 300 & sleep 300"]).stdin(file).stdout(Stdio::null());
        let (mut child, mut tree) = Tree::spawn(&mut command).unwrap();
        // Closes the descriptor of the judge.
        drop(command);
        let start = Instant::now();
        let leader = child.id() as i32;
        while with_descendants(vec![leader]).len() < 3 {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(1));
        }
        let told = tree.usage(u64::MAX).memory_bytes;
        assert!((64 * MIB..80 * MIB).contains(&told), "{told}");
        assert_eq!(tree.peak_memory(u64::MAX), told);
        tree.end(&mut child);
    }

    fn descriptor(file: &File) -> i32 {
        std::os::fd::AsRawFd::as_raw_fd(file)
    }

    #[test]
    fn mapped_pages_of_memory_files_are_left_out_of_shares() {
        let maps = "\
55d0-55d1 r--p 00000000 08:01 77                         /usr/bin/bot - x
Rss:                 100 kB
Pss:                  10 kB
Pss_Dirty:             9 kB
7f00-7f10 rw-s 00000000 00:01 2051                       /memfd:cells (deleted)
Pss:                4000 kB
7f20-7f30 rw-p 00000000 00:00 0
Pss:                 300 kB
VmFlags: rd wr mr mw me ac sd
";
        let file = Files::from([((makedev(0, 1), 2051), 1)]);
        assert_eq!(share_without(maps, &file), 310 * 1024);
        assert_eq!(share_without(maps, &Files::new()), 4310 * 1024);
    }

    #[test]
    fn shares_are_read_again_when_the_bound_has_grown_or_passes_the_limit() {
        let now = Instant::now();
        let (bytes, next) = (1, now + Duration::from_secs(1));
        let reading = |bound| Reading { bound, bytes, next };
        for (before, bound, limit, is_over) in [
            (1000, 1000, 2000, false),
            (1000, 1200, 2000, false),
            (1000, 1300, 2000, true),
            (1000, 1100, 1050, true),
            (1100, 1100, 1050, false),
            (1000, 10, 2000, false),
        ] {
            assert_eq!(reading(before).is_over(bound, limit, now), is_over, "{before} {bound}");
            assert!(reading(before).is_over(bound, limit, next));
        }
        let mut memory = Memory::default();
        assert_eq!(memory.shares(1000, 2000, || 7), 7);
        assert_eq!(memory.shares(3000, 2000, || 8), 8);
    }
}
