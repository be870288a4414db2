// EngineClient, the page's side of the engine, with workers whose answers the test decides.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

const source = await readFile(new URL("../../web/engine.js", import.meta.url), "utf8");

/** A client, and the workers that it started, in order. */
async function newClient() {
  const workers = [];
  class FakeWorker {
    constructor() {
      this.asked = [];
      this.isEnded = false;
      workers.push(this);
    }
    postMessage(message) {
      if (message.id !== undefined) this.asked.push(message);
    }
    /** Answers the oldest request. */
    answer(answer) {
      const { id } = this.asked.shift();
      this.onmessage({ data: { id, answer: JSON.stringify(answer) } });
    }
    trap() {
      this.onmessage({ data: { id: this.asked.shift()?.id, failed: "unreachable" } });
    }
    terminate() {
      this.isEnded = true;
    }
  }
  const document = { getElementById: () => ({ textContent: "" }) };
  const names = ["Worker", "WebAssembly", "document", "unpack", "WARM_UP"];
  const wasm = { compile: async () => "module" };
  const make = new Function(...names, `${source}; return new EngineClient();`);
  const client = make(FakeWorker, wasm, document, () => null, []);
  await settle();
  return { client, workers };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

const failure = (promise) => promise.then(() => assert.fail("was answered"), (error) => error);

test("the client is ready once the first worker is warm", async () => {
  const { client, workers } = await newClient();
  let isReady = false;
  client.ready.then(() => (isReady = true));
  await settle();
  assert.equal(isReady, false);
  workers[0].onmessage({ data: { warmed: true } });
  await settle();
  assert.equal(isReady, true);
});

test("answers come in order from the lane that was asked, and an error is a failure", async () => {
  const { client, workers: [fast, slow] } = await newClient();
  const calls = ["a", "b"].map((name) => client.call({ do: name }));
  calls.push(client.call({ do: "c" }, { slow: true }));
  await settle();
  assert.deepEqual(fast.asked.map(({ request }) => request), ['{"do":"a"}', '{"do":"b"}']);
  assert.deepEqual(slow.asked.map(({ request }) => request), ['{"do":"c"}']);
  assert.deepEqual([client.isBusy, client.isThinking], [true, true]);
  fast.answer({ a: 1 });
  fast.answer({ error: "one line" });
  slow.answer({ c: 3 });
  assert.deepEqual(await calls[0], { a: 1 });
  const error = await failure(calls[1]);
  assert.deepEqual([error.message, error.isCancelled], ["one line", undefined]);
  assert.deepEqual(await calls[2], { c: 3 });
  assert.equal(client.isBusy, false);
});

test("of the requests of one topic the last alone is answered", async () => {
  const { client, workers: [fast] } = await newClient();
  const older = client.call({ do: "a" }, { topic: "odds" });
  const newer = client.call({ do: "b" }, { topic: "odds" });
  const other = client.call({ do: "c" }, { topic: "cell" });
  await settle();
  for (const answer of [1, 2, 3]) fast.answer({ answer });
  assert.equal((await failure(older)).isCancelled, true);
  assert.deepEqual([await newer, await other], [{ answer: 2 }, { answer: 3 }]);
});

test("cancelling ends the slow worker, and the warm spare answers next", async () => {
  const { client, workers } = await newClient();
  const first = client.call({ do: "a" }, { slow: true });
  await settle();
  workers[1].answer({});
  await first;
  // The slow lane is idle: a spare warms up.
  assert.equal(workers.length, 3);
  const running = client.call({ do: "b" }, { slow: true });
  const waiting = client.call({ do: "c" }, { slow: true });
  const failures = [failure(running), failure(waiting)];
  await settle();
  client.cancelSlow();
  for (const error of await Promise.all(failures)) assert.equal(error.isCancelled, true);
  assert.deepEqual(workers.map(({ isEnded }) => isEnded), [false, true, false]);
  const next = client.call({ do: "d" }, { slow: true });
  await settle();
  workers[2].answer({ d: 4 });
  assert.deepEqual(await next, { d: 4 });
  // Nothing runs: cancelling does nothing.
  client.cancelSlow();
  assert.equal(workers[2].isEnded, false);
});

test("a short request may come to its end where others are cancelled", async () => {
  const { client, workers: [, slow] } = await newClient();
  const answered = client.call({ do: "a" }, { slow: true, isShort: true });
  await settle();
  client.cancelSlow();
  slow.answer({ a: 1 });
  assert.deepEqual([await answered, slow.isEnded], [{ a: 1 }, false]);
  // One that has run for long is no short one; nor is another one that waits behind it.
  const { now } = performance;
  for (const [more, later] of [[false, 1000], [true, 0]]) {
    const busy = client.slow;
    const asked = [client.call({ do: "b" }, { slow: true, isShort: true })];
    if (more) asked.push(client.call({ do: "c" }, { slow: true }));
    const failures = asked.map(failure);
    await settle();
    performance.now = () => now.call(performance) + later;
    client.cancelSlow();
    performance.now = now;
    for (const error of await Promise.all(failures)) assert.equal(error.isCancelled, true);
    assert.equal(busy.worker.isEnded, true);
  }
});

test("a worker that trapped is replaced, and what it was asked fails with a message", async () => {
  const { client, workers } = await newClient();
  const messages = [];
  client.addEventListener("failure", ({ detail }) => messages.push(detail));
  const calls = [client.call({ do: "a" }), client.call({ do: "b" })].map(failure);
  await settle();
  workers[0].trap();
  for (const error of await Promise.all(calls)) {
    assert.match(error.message, /stopped \(unreachable\)/);
  }
  assert.deepEqual(messages, ["unreachable"]);
  assert.deepEqual([workers[0].isEnded, workers.length, client.isBusy], [true, 3, false]);
  // Nothing is repeated by itself; the next request goes to the new worker.
  const next = client.call({ do: "c" });
  await settle();
  assert.deepEqual(workers[2].asked.map(({ request }) => request), ['{"do":"c"}']);
  workers[2].answer({ c: 1 });
  assert.deepEqual(await next, { c: 1 });
});

test("a browser that starts no worker is asked a bounded number of times", async () => {
  const { client, workers } = await newClient();
  const start = failure(client.ready);
  for (let index = 0; index < workers.length; index++) {
    workers[index].onerror({ message: "blocked", preventDefault() {} });
    assert.ok(index < 100);
  }
  for (const error of [await start, await failure(client.call({ do: "a" }))]) {
    assert.match(error.message, /cannot be started/);
  }
});
