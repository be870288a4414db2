//! Runs games on several threads and hands their results over in order.
//!
//! Invariant: whatever order the games end in, their results are handed over in the order of their
//! numbers, so that a report is the same for any `--jobs`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::{Context, Result};

/// Does `work` for the numbers below `count`, `jobs` at once, and hands each result over in the
/// order of the numbers, until `done` has enough.
///
/// # Errors
/// The first of `done`, or that no thread could be started.
pub fn in_order<T: Send>(
    jobs: u32,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let run = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().spawn_scoped(scope, run);
            if let Err(error) = thread {
                next.store(count, Ordering::Relaxed);
                return Err(error).context("cannot start so many --jobs; give fewer");
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut waited_for = 0;
        let mut hand_over = || {
            for (index, result) in &receiver {
                early.insert(index, result);
                while let Some(result) = early.remove(&waited_for) {
                    if done(waited_for, result)?.is_break() {
                        return Ok(());
                    }
                    waited_for += 1;
                }
            }
            Ok(())
        };
        let result = hand_over();
        // After an error, or enough, the other games are of no use.
        next.store(count, Ordering::Relaxed);
        result
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anyhow::bail;

    use super::*;

    #[test]
    fn results_come_in_order_until_there_are_enough() {
        for jobs in [1, 3] {
            let mut seen = Vec::new();
            let work = |index: usize| {
                thread::sleep(Duration::from_micros(100 * (7 - index as u64 % 7)));
                index * index
            };
            in_order(jobs, 100, work, |index, square| {
                seen.push((index, square));
                Ok(if index == 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })
            .unwrap();
            assert_eq!(seen, (0..=40).map(|index| (index, index * index)).collect::<Vec<_>>());
            let failed = in_order(jobs, 9, work, |_, _| bail!("enough"));
            assert_eq!(failed.unwrap_err().to_string(), "enough");
        }
    }
}
