//! A thread pool that delivers the results of its tasks in the order of the tasks.
//!
//! Each thread takes the next task when it has finished one. The calling thread sorts the results
//! and passes them on.
//!
//! Invariant: the results and their order do not depend on the number of threads. The tasks are
//! taken one by one, and at most [`WINDOW`] results a thread wait for an earlier one, so the memory
//! does not depend on the number of tasks.

use std::collections::BTreeMap;
use std::iter::Fuse;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Result};

/// The number of tasks a thread that may be taken before the first of them is delivered.
const WINDOW: usize = 1024;

/// Calls `work` for the numbers below `count` on `threads` threads, and `take` for every number and
/// result in order, until `take` breaks.
///
/// # Errors
/// Fails if `take` fails, or if a thread cannot be started.
pub fn in_order<T: Send>(
    threads: u32,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    take: impl FnMut(usize, T) -> Result<ControlFlow<()>>,
) -> Result<()> {
    in_order_with(threads as usize, 0..count, || (), |(), index| work(index), take)
}

/// Like [`in_order`], for any tasks, with a state for each thread that `init` makes.
///
/// # Errors
/// Fails if `take` fails, or if a thread cannot be started.
pub fn in_order_with<I, S, T>(
    threads: usize,
    tasks: I,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<ControlFlow<()>>,
) -> Result<()>
where
    I: Iterator + Send,
    T: Send,
{
    let queue = Queue::new(tasks, threads * WINDOW);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        // However this thread leaves the scope, the others take no further tasks.
        let _stop = StopOnDrop(&queue);
        for _ in 0..threads {
            let (sender, queue, init, work) = (sender.clone(), &queue, &init, &work);
            let run = move || {
                // A thread ends when the tasks are exhausted, or when its task panics. In the
                // latter case the others must not wait for the result.
                let _stop = StopOnDrop(queue);
                let mut state = init();
                while let Some((index, task)) = queue.next() {
                    if sender.send((index, work(&mut state, task))).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().spawn_scoped(scope, run);
            thread.context("cannot start so many threads; give fewer --jobs")?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut delivered = 0;
        for (index, result) in &receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&delivered) {
                if take(delivered, result)?.is_break() {
                    return Ok(());
                }
                delivered += 1;
                queue.set_delivered(delivered);
            }
        }
        Ok(())
    })
}

/// The tasks that no thread has taken yet.
struct Queue<I> {
    state: Mutex<QueueState<I>>,
    changed: Condvar,
    window: usize,
}

struct QueueState<I> {
    tasks: Fuse<I>,
    /// The number of tasks that were taken.
    taken: usize,
    /// The number of results that were passed on.
    delivered: usize,
    is_stopped: bool,
}

impl<I: Iterator> Queue<I> {
    fn new(tasks: I, window: usize) -> Queue<I> {
        let tasks = tasks.fuse();
        let state = QueueState { tasks, taken: 0, delivered: 0, is_stopped: false };
        Queue { state: Mutex::new(state), changed: Condvar::new(), window }
    }

    /// The next task and its index. Waits while the window is full.
    fn next(&self) -> Option<(usize, I::Item)> {
        let is_full = |state: &mut QueueState<I>| {
            !state.is_stopped && state.taken >= state.delivered + self.window
        };
        let state = self.changed.wait_while(self.lock(), is_full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped {
            return None;
        }
        let task = state.tasks.next()?;
        let index = state.taken;
        state.taken += 1;
        Some((index, task))
    }

    fn set_delivered(&self, delivered: usize) {
        self.lock().delivered = delivered;
        self.changed.notify_all();
    }
}

impl<I> Queue<I> {
    fn lock(&self) -> MutexGuard<'_, QueueState<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the queue when it is dropped: no further task is taken.
struct StopOnDrop<'q, I>(&'q Queue<I>);

impl<I> Drop for StopOnDrop<'_, I> {
    fn drop(&mut self) {
        self.0.lock().is_stopped = true;
        self.0.changed.notify_all();
    }
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

    #[test]
    fn threads_wait_for_a_slow_task_when_the_window_is_full() {
        let taken = AtomicUsize::new(0);
        let work = |(): &mut (), index: usize| {
            taken.fetch_add(1, Ordering::Relaxed);
            while index == 0 && taken.load(Ordering::Relaxed) < 2 * WINDOW {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(if index == 0 { 50 } else { 0 }));
            taken.load(Ordering::Relaxed)
        };
        let mut seen = Vec::new();
        in_order_with(
            2,
            0..10 * WINDOW,
            || (),
            work,
            |_, taken| {
                seen.push(taken);
                Ok(ControlFlow::Continue(()))
            },
        )
        .unwrap();
        assert_eq!((seen.len(), seen[0]), (10 * WINDOW, 2 * WINDOW));
    }

    #[test]
    fn each_thread_has_a_state() {
        let made = AtomicUsize::new(0);
        let init = || made.fetch_add(1, Ordering::Relaxed);
        let work = |state: &mut usize, word: &str| format!("{word}{}", *state / 10);
        let mut text = String::new();
        in_order_with(3, ["a", "b", "c"].into_iter(), init, work, |_, word| {
            text += &word;
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        assert_eq!((text.as_str(), made.into_inner()), ("a0b0c0", 3));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_task_reaches_the_caller() {
        let work = |index: usize| assert!(index != 7, "task 7");
        in_order(2, 10 * WINDOW, work, |_, ()| Ok(ControlFlow::Continue(()))).unwrap();
    }
}
