"use strict";
// The engine for the page's thread: requests in, promises of answers out.
//
// Two lanes of workers. The fast one answers in order what takes milliseconds: odds, explanations,
// games, files. The slow one answers in order what may take a second; when that is outdated it is
// ended, and the spare, which warmed up meanwhile, takes its place. Shared memory, by which a
// running engine could be told to stop, is not to be had on file://.
//
// Invariant: a promise is settled exactly once. A cancelled request is never answered: its promise
// fails with a Cancelled. A worker that trapped is replaced, its requests fail, and nothing is
// repeated by itself.

/** After so many failures, with no worker that got warm, none is started any more. */
const MAX_FAILURES = 20;
/** A short request that has run so long, in milliseconds, is no short one. */
const SHORT_TIME = 100;
const NO_WORKER = "the engine cannot be started in this browser";

/** The failure of a request that was cancelled, or that a newer one of its topic replaced. */
class Cancelled extends Error {
  isCancelled = true;
}

/** The failure of a request that the engine cannot answer; its message is one line. */
class EngineError extends Error {}

/** The failure of a request whose worker was lost; a fresh worker answers the next request. */
class EngineStopped extends EngineError {}

/** One worker, and the requests that it has not answered. */
class EngineWorker {
  /** `on` has what to call when the worker is `warm`, `idle` or (with a message) `lost`. */
  constructor(url, start, on) {
    this.waiting = new Map();
    // When the request that is being answered began.
    this.since = 0;
    this.worker = new Worker(url);
    this.on = on;
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message || "the worker could not be started");
    };
    start.then(
      (message) => this.worker.postMessage(message),
      (error) => this.fail(String(error)),
    );
    this.start = start;
  }

  get isBusy() {
    return this.waiting.size > 0;
  }

  /** Whether all that it has to answer is short, and has not run for long. */
  get isSoonIdle() {
    const isShort = [...this.waiting.values()].every((asked) => asked.isShort);
    return isShort && performance.now() - this.since < SHORT_TIME;
  }

  ask(id, request, isShort) {
    return new Promise((resolve, reject) => {
      if (!this.isBusy) this.since = performance.now();
      this.waiting.set(id, { resolve, reject, isShort });
      // Messages are received in order, and the engine must come first.
      this.start.then(() => this.worker.postMessage({ id, request }), () => {});
    });
  }

  receive(data) {
    if (data.warmed) this.on.warm();
    if (data.failed !== undefined) this.fail(data.failed);
    const asked = this.waiting.get(data.id);
    if (asked === undefined) return;
    this.waiting.delete(data.id);
    this.since = performance.now();
    asked.resolve(data.answer);
    if (!this.isBusy) this.on.idle();
  }

  fail(message) {
    this.end(new EngineStopped(`the engine has stopped (${message}) and was started again`));
    this.on.lost(message);
  }

  end(reason) {
    this.worker.terminate();
    const asked = [...this.waiting.values()];
    this.waiting.clear();
    asked.forEach(({ reject }) => reject(reason));
    this.on.idle();
  }
}

/**
 * The engine. Events: "busy" when `isBusy` or `isThinking` may have changed; "failure" with the
 * message in `detail` when a worker was lost and replaced.
 */
class EngineClient extends EventTarget {
  /** Reads the packed engine and the source of the worker from the page's elements. */
  constructor() {
    super();
    const worker = document.getElementById("worker-source").textContent;
    this.url = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    // The page is drawn before the engine is unpacked.
    this.start = new Promise((resolve) => setTimeout(resolve))
      .then(() => WebAssembly.compile(unpack("engine-packed")))
      .then((module) => ({ module, warm: WARM_UP.map((request) => JSON.stringify(request)) }));
    this.lastId = 0;
    this.topics = new Map();
    this.failures = 0;
    this.isLost = false;
    /** Resolves when the first worker is warm; fails where no worker can be had. */
    this.ready = new Promise((resolve, reject) => (this.started = { resolve, reject }));
    this.fast = this.newWorker();
    this.slow = this.newWorker();
    this.spare = null;
  }

  /** Whether anything is being computed. */
  get isBusy() {
    return this.fast.isBusy || this.slow.isBusy;
  }

  /** Whether the slow lane is at work. */
  get isThinking() {
    return this.slow.isBusy;
  }

  /**
   * Answers a request, in the slow lane if it may take long; `isShort` says that it does not,
   * though it is asked there. Of requests with the same `topic`, the last one alone is answered.
   *
   * Fails with an EngineError, whose message is one line, or with a Cancelled.
   */
  async call(request, { slow = false, isShort = false, topic = null } = {}) {
    if (this.isLost) throw new EngineError(NO_WORKER);
    const id = ++this.lastId;
    if (topic !== null) this.topics.set(topic, id);
    const asked = (slow ? this.slow : this.fast).ask(id, JSON.stringify(request), isShort);
    this.tell("busy");
    const answer = JSON.parse(await asked);
    if (topic !== null && this.topics.get(topic) !== id) {
      throw new Cancelled("a newer request replaced this one");
    }
    if (answer.error !== undefined) throw new EngineError(answer.error);
    return answer;
  }

  /**
   * Ends what the slow lane computes, and what waits for it. A short request may come to its end:
   * to start another worker takes longer.
   */
  cancelSlow() {
    if (!this.slow.isBusy || this.slow.isSoonIdle) return;
    const ended = this.slow;
    this.slow = this.spare ?? this.newWorker();
    this.spare = null;
    ended.end(new Cancelled("the request was cancelled"));
  }

  newWorker() {
    const worker = new EngineWorker(this.url, this.start, {
      warm: () => {
        this.failures = 0;
        this.started.resolve();
      },
      idle: () => this.becameIdle(worker),
      lost: (message) => this.replace(worker, message),
    });
    return worker;
  }

  becameIdle(worker) {
    // A spare warms up only while the slow lane is idle: it would take time from it.
    if (worker === this.slow && this.spare === null) this.spare = this.newWorker();
    this.tell("busy");
  }

  /** A lost worker is replaced, unless no worker can be had. */
  replace(worker, message) {
    this.failures += 1;
    this.isLost = this.failures > MAX_FAILURES;
    const lane = ["fast", "slow", "spare"].find((name) => this[name] === worker);
    if (this.isLost) this.started.reject(new EngineError(NO_WORKER));
    else if (lane !== undefined) this[lane] = this.newWorker();
    this.dispatchEvent(new CustomEvent("failure", { detail: message }));
    this.tell("busy");
  }

  tell(event) {
    this.dispatchEvent(new Event(event));
  }
}
