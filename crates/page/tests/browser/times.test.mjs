// How long Play makes its player wait, with the page's engine in node: boards without guesses are
// laid within a second, and Sapper plays whole games in few.
//
// Times are the processor's: on a machine that does other work, too, a clock would tell of that.

import assert from "node:assert/strict";
import test from "node:test";
import { startEngine } from "./engine.mjs";

const EXPERT = { rule: "open-first", width: 30, height: 16, minecount: 99 };
const COUNT = 100;
const SEEDS = Array.from({ length: COUNT }, (_, index) => index + 1);

const engine = await startEngine();

// The milliseconds of the processor that work takes for each seed, in order of size.
async function timesOf(work) {
  const times = [];
  for (const seed of SEEDS) {
    const before = process.cpuUsage();
    await work(seed);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b);
}

const told = (times) => `median ${Math.round(times[COUNT / 2])} ms, ` +
  `95th ${Math.round(times[94])} ms, longest ${Math.round(times.at(-1))} ms`;

for (const proof of ["numbers", "groups", "counting"]) {
  test(`an expert board without guesses is laid within a second, by ${proof}`, async (context) => {
    const game = { ...EXPERT, proof, clicks: [[7, 15]] };
    const times = await timesOf(async (seed) => {
      const { field } = await engine.call({ do: "open", ...game, seed });
      assert.match(field, /^30 16 99\n(.+\n){7}.{15}0/);
    });
    context.diagnostic(told(times));
    assert.ok(times.at(-1) < 1000, told(times));
    // Such a board is won without a guess.
    const goal = { effort: "fast", objective: "clean-win", most: 1000 };
    const { won, played } = await engine.call({ do: "play", ...game, seed: COUNT, ...goal });
    assert.ok(won && played.every(({ odds }) => odds === 0));
  });
}

// As Play asks for them: until the game is over, each request for the next moves.
async function play(seed, effort) {
  const setting = { do: "play", ...EXPERT, seed, effort, objective: "clean-win" };
  const clicks = [];
  for (let isOver = false; !isOver;) {
    const { over, played } = await engine.call({ ...setting, clicks });
    assert.ok(played.length > 0);
    clicks.push(...played.map(({ cell }) => cell));
    isOver = over;
  }
}

for (const [effort, most] of [["standard", 1000], ["full", 3000]]) {
  test(`of ${COUNT} expert games at ${effort} effort, 95 take less than ${most} ms`,
    async (context) => {
      const times = await timesOf((seed) => play(seed, effort));
      context.diagnostic(told(times));
      assert.ok(times[94] < most, told(times));
    });
}
