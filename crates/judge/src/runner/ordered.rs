//! A thread pool that delivers the results of its tasks in the order of the tasks.
//!
//! The calling thread puts tasks into a queue, each with a channel for its result, and waits for
//! the result of the first task that is not delivered.
//!
//! Invariant: the results and their order do not depend on the number of threads. At most
//! [`WINDOW`] tasks a thread are in the queue or not delivered, so the memory does not depend on
//! the number of tasks.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::{SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result};

/// The number of tasks a thread that may be taken before the first of them is delivered.
const WINDOW: usize = 1024;

/// Calls `work` for the numbers below `count` on `threads` threads, with a state for each thread
/// that `init` makes, and `take` for every result in order, until `take` breaks or a task gives no
/// result, as after an interrupt. Returns whether one gave none.
///
/// # Errors
/// Fails if `take` fails, or if a thread cannot be started.
pub fn in_order<S, T: Send>(
    threads: usize,
    count: usize,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Option<T> + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>>,
) -> Result<bool> {
    let mut tasks = 0..count;
    let (sender, queue) = channel::<(usize, SyncSender<Option<T>>)>();
    let queue = Mutex::new(queue);
    let run = || {
        let mut state = init();
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok((task, result)) = next() {
            if result.send(work(&mut state, task)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        // However this closure ends, nobody waits for a result any more, and the threads end.
        let (sender, mut waiting) = (sender, VecDeque::new());
        for _ in 0..threads {
            let thread = thread::Builder::new().spawn_scoped(scope, run);
            thread.context("cannot start so many threads; give fewer --jobs")?;
        }
        loop {
            while waiting.len() < threads * WINDOW
                && let Some(task) = tasks.next()
            {
                let (result, receiver) = sync_channel(1);
                sender.send((task, result)).ok();
                waiting.push_back(receiver);
            }
            let Some(next) = waiting.pop_front() else { return Ok(false) };
            // A thread that has panicked ends the scope with a panic.
            let Ok(Some(result)) = next.recv() else { return Ok(true) };
            if take(result)?.is_break() {
                return Ok(false);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use anyhow::bail;

    use super::*;

    #[test]
    fn results_come_in_order_until_there_are_enough() {
        for jobs in [1, 3] {
            let mut seen = Vec::new();
            let work = |(): &mut (), index: usize| {
                thread::sleep(Duration::from_micros(100 * (7 - index as u64 % 7)));
                (index != 60).then_some(index * index)
            };
            for (last, gives_none) in [(40, false), (99, true)] {
                seen.clear();
                let ended = in_order(
                    jobs,
                    100,
                    || (),
                    work,
                    |square| {
                        seen.push(square);
                        let is_last = square == last * last;
                        Ok(if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                    },
                );
                assert_eq!(ended.unwrap(), gives_none);
                let all = (0..=last.min(59)).map(|index| index * index);
                assert_eq!(seen, all.collect::<Vec<_>>());
            }
            let failed = in_order(jobs, 9, || (), work, |_| bail!("enough"));
            assert_eq!(failed.unwrap_err().to_string(), "enough");
        }
    }

    #[test]
    fn threads_wait_for_a_slow_task_when_the_window_is_full() {
        let taken = AtomicUsize::new(0);
        let work = |(): &mut (), index: usize| {
            taken.fetch_add(1, Ordering::Relaxed);
            while index == 0 && taken.load(Ordering::Relaxed) < 2 * WINDOW {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(if index == 0 { 50 } else { 0 }));
            Some(taken.load(Ordering::Relaxed))
        };
        let mut seen = Vec::new();
        let take = |taken| {
            seen.push(taken);
            Ok(ControlFlow::Continue(()))
        };
        in_order(2, 10 * WINDOW, || (), work, take).unwrap();
        assert_eq!((seen.len(), seen[0]), (10 * WINDOW, 2 * WINDOW));
    }

    #[test]
    fn each_thread_has_a_state() {
        let made = AtomicUsize::new(0);
        let init = || made.fetch_add(1, Ordering::Relaxed);
        let work = |state: &mut usize, index: usize| Some(format!("{index}{} ", *state / 10));
        let mut text = String::new();
        in_order(3, 3, init, work, |word| {
            text += &word;
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        assert_eq!((text.as_str(), made.into_inner()), ("00 10 20 ", 3));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_task_reaches_the_caller() {
        let work = |(): &mut (), index: usize| {
            assert!(index != 7, "task 7");
            Some(())
        };
        in_order(2, 10 * WINDOW, || (), work, |()| Ok(ControlFlow::Continue(()))).unwrap();
    }
}
