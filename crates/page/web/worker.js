"use strict";
// The engine in a worker: answers one request after another.
//
// The page posts { module, warm } first: the compiled engine, and requests to warm up with, whose
// answers nobody reads. Then it posts { id, request }; the answer is { id, answer }, both as JSON
// text. { warmed: true } says that the warm-up is complete. { failed } or { id, failed } says that
// the engine trapped; the page must then end this worker.
//
// Invariant: requests are answered in order, and between two steps of the warm-up, so that nobody
// waits for it.

{
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let engine = null;

  const answer = (request) => {
    const bytes = encoder.encode(request);
    // Memory may grow, and move, in each call: views of it are made after the call.
    const to = engine.request_buffer(bytes.length);
    new Uint8Array(engine.memory.buffer, to, bytes.length).set(bytes);
    const from = engine.answer();
    return decoder.decode(new Uint8Array(engine.memory.buffer, from, engine.answer_len()));
  };

  const guard = (id, work) => {
    try {
      work();
    } catch (error) {
      engine = null;
      self.postMessage({ id, failed: String(error) });
    }
  };

  const warmUp = (requests) => {
    if (engine === null) return;
    if (requests.length === 0) {
      self.postMessage({ warmed: true });
      return;
    }
    guard(undefined, () => answer(requests[0]));
    setTimeout(warmUp, 0, requests.slice(1));
  };

  let ready = Promise.resolve();
  self.onmessage = ({ data }) => {
    if (data.module !== undefined) {
      ready = WebAssembly.instantiate(data.module, {}).then((instance) => {
        engine = instance.exports;
        warmUp(data.warm);
      });
      ready.catch((error) => self.postMessage({ failed: String(error) }));
      return;
    }
    ready.then(
      () => guard(data.id, () => self.postMessage({ id: data.id, answer: answer(data.request) })),
      () => {},
    );
  };
}
