//! The answers of the page as functions that JavaScript calls; `worker.js` calls them.
//!
//! Addresses and lengths, 32-bit integers, are the only values that cross the boundary. The caller
//! asks for room with [`request_buffer`], writes a request in UTF-8 there, and calls [`answer`];
//! the answer stands in memory until the next call.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::service::Service;

#[derive(Default)]
struct State {
    service: Service,
    request: Vec<u8>,
    answer: String,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The address of `len` bytes for a request.
#[unsafe(no_mangle)]
pub extern "C" fn request_buffer(len: usize) -> *mut u8 {
    let mut state = state();
    state.request.clear();
    state.request.resize(len, 0);
    state.request.as_mut_ptr()
}

/// Answers the request in the buffer, and returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    let State { service, request, answer } = &mut *state();
    *answer = service.call(&String::from_utf8_lossy(request));
    answer.as_ptr()
}

/// The number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    state().answer.len()
}
