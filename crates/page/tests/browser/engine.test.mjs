// The page's engine, as WebAssembly, against the native one: the same odds, the same moves.
//
// Needs the judge that `cargo test --workspace` builds, and the module that scripts/page builds.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { positions, startEngine } from "./engine.mjs";
import { JUDGE } from "./judge.mjs";

const LOG = new URL("../../../../samples/games/small-11x11-11.json", import.meta.url);

const engine = await startEngine();
const { guesses, counted, deduced } = await positions(engine, 200);

/** What `judge explain --json` says of a position, with the chance to win if there are playouts. */
function native({ field, objective }, effort, { playouts = 0, more = [] } = {}) {
  const options = ["--json", "--playouts", String(playouts), "--effort", effort];
  options.push("--objective", objective, ...more);
  return JSON.parse(execFileSync(JUDGE, ["explain", "-", ...options], { input: field }));
}

/** Asserts that two JSON values are equal, numbers to 1e-12. */
function assertSame(found, expected, path) {
  if (typeof expected === "number") {
    assert.ok(Math.abs(found - expected) <= 1e-12, `${path}: ${found}, expected ${expected}`);
    // Only what is proven is 0 or 1.
    assert.equal(found === 0 || found === 1, expected === 0 || expected === 1, path);
  } else if (expected === null || typeof expected !== "object") {
    assert.equal(found, expected, path);
  } else {
    assert.deepEqual(Object.keys(found), Object.keys(expected), path);
    for (const key of Object.keys(expected)) {
      assertSame(found[key], expected[key], `${path}.${key}`);
    }
  }
}

test("odds, moves, proofs, candidates and chances to win are judge explain's", async () => {
  const [steps, kinds] = [new Set(), new Set()];
  const sample = [...counted, ...guesses.slice(0, 80), ...deduced].slice(0, 200);
  assert.equal(sample.length, 200);
  for (const [index, position] of sample.entries()) {
    // Playouts take long.
    const playouts = index % 10 === 0 ? 20 : 0;
    const { chance: expectedChance, ...expected } = native(position, "fast", { playouts });
    const found = await engine.call({ do: "analyse", ...position, effort: "fast" });
    assertSame(found, expected, position.field);
    steps.add(expected.move.step);
    if (playouts === 0) continue;
    const request = { do: "chance", ...position, effort: "fast", playouts };
    const { chance } = await engine.call(request);
    assertSame(chance ?? undefined, expectedChance, position.field);
    if (expectedChance) kinds.add(expectedChance.exact ? "exact" : "by playouts");
  }
  assert.deepEqual([...kinds].sort(), ["by playouts", "exact"]);
  assert.deepEqual([...steps].sort(), ["counting", "deduction", "endgame", "guess"]);
});

test("a chance that is asked for in parts is that of judge explain --playouts 200", async () => {
  for (const position of guesses.slice(0, 3)) {
    const { chance: expected } = native(position, "standard", { playouts: 200 });
    const request = { do: "chance", ...position, effort: "standard" };
    const told = [];
    const fewer = [0, 7, 20, 21, 64, 150].filter((playouts) => playouts < expected.playouts);
    for (const playouts of [...fewer, expected.playouts]) {
      const { chance, goes_on: goesOn } = await engine.call({ ...request, playouts });
      told.push(chance);
      if (!goesOn) break;
    }
    assertSame(told.at(-1), expected, position.field);
    const within = told.filter(Boolean).map((chance) => chance.cells[0].within);
    if (!expected.exact) assert.ok(within.at(-1) < 0.6 * within[0], `${within}`);
  }
});

for (const [effort, count] of [["fast", 200], ["standard", 200], ["full", 20]]) {
  test(`the moves of ${count} guesses at ${effort} effort are the native bot's`, async () => {
    let rollouts = 0;
    for (const position of guesses.slice(-count)) {
      const { move } = await engine.call({ do: "decide", ...position, effort });
      const expected = native(position, effort).move;
      assert.deepEqual(move.cell, expected.cell, position.field);
      assert.equal(move.step, expected.step);
      rollouts += expected.why.some((text) => text.includes("playout")) ? 1 : 0;
    }
    assert.equal(rollouts > 0, effort !== "fast", `${rollouts} guesses were decided by playouts`);
  });
}

test("a cell is explained as by judge explain --cell", async () => {
  for (const position of guesses.slice(0, 10)) {
    const found = await engine.call({ do: "odds", ...position, effort: "fast" });
    const row = found.odds.findIndex((odds) => odds.some((one) => one !== null));
    const cell = [row, found.odds[row].findIndex((one) => one !== null)];
    const { asked } = native(position, "fast", { more: ["--cell", cell.join(",")] });
    const told = await engine.call({ do: "cell", ...position, effort: "fast", cell });
    assertSame(told, asked, "asked");
  }
});

for (const told of [false, true]) {
  const words = told ? "with" : "without";
  test(`a recorded game is judged as by judge replay ${words} chances to win`, async () => {
    const file = new URL("../../../../samples/games/default-30x20-80.json", import.meta.url);
    const game = readFileSync(file, "utf8");
    const options = ["replay", file.pathname, "--json", "--effort", "fast"];
    if (!told) options.push("--playouts", "0");
    const expected = JSON.parse(execFileSync(JUDGE, options, { maxBuffer: 2 ** 26 }));
    const setting = { game, effort: "fast", objective: "fewest-hits", told };
    const { account } = await engine.call({ do: "account", ...setting });
    assertSame(account, expected.account, "account");
    const chances = expected.turns.filter(({ chance }) => chance);
    assert.equal(chances.length > 10, told);
    const turns = [...expected.turns.slice(0, 3), ...chances];
    for (const { turn, hits, caption, why, chance } of turns) {
      const frame = await engine.call({ do: "frame", ...setting, turn });
      assert.equal(frame.caption, caption);
      assert.deepEqual(frame.why, why);
      if (!chance) continue;
      const [ofMove, ofClick] = chance.cells.map((cell) => hits + cell.chance);
      assert.ok(Math.abs(frame.chance.move - ofMove) < 1e-9, `turn ${turn}`);
      if (ofClick) assert.ok(Math.abs(frame.chance.click - ofClick) < 1e-9, `turn ${turn}`);
    }
  });
}

test("garbage has an error of one line, and the engine answers as before", async () => {
  const { field } = guesses[0];
  const before = await engine.call({ do: "odds", field, effort: "fast" });
  const good = JSON.stringify({ do: "analyse", field, effort: "fast", cell: [0, 0] });
  const game = JSON.stringify({ do: "open", rule: "botzone", width: 9, height: 9, minecount: 10,
    seed: 1, clicks: [[4, 4], [0, 0]] });
  const log = JSON.stringify({ do: "frame", effort: "fast", turn: 1,
    game: readFileSync(LOG, "utf8") });
  const garbage = ["", "null", "{", "[[[[", "\u0000", "\ud800", '{"do":"read","text":""}',
    '{"do":"open","rule":"botzone","width":1e9,"height":1e9,"clicks":[[0,0]]}',
    '{"do":"open","rule":"botzone","width":4,"height":4,"minecount":4294967295,"clicks":[[0,0]]}',
    '{"do":"odds","field":"512 512 0\\n"}', '{"do":"odds","field":"1 1 4294967296\\n."}'];
  // Damaged copies of good requests: a number of its own gives each place and each change.
  let random = 1;
  const draw = (below) => (random = (random * 48271) % 2147483647) % below;
  const symbols = [...'{}[]",:0123456789-.*ex\\\n'];
  for (const text of [good, game, log]) {
    for (let copy = 0; copy < 300; copy++) {
      const at = draw(text.length);
      const cut = draw(3) === 0 ? draw(20) : 1;
      garbage.push(text.slice(0, at) + symbols[draw(symbols.length)] + text.slice(at + cut));
      if (copy % 10 === 0) garbage.push(text.slice(0, at));
    }
  }
  let errors = 0;
  for (const request of garbage) {
    const { answer, failed } = await engine.post(request);
    assert.equal(failed, undefined, request);
    const { error } = JSON.parse(answer);
    if (error === undefined) continue;
    errors += 1;
    assert.ok(error !== "" && !error.includes("\n"), `${request}: ${error}`);
  }
  assert.ok(errors > 300 && errors < garbage.length, `${errors} of ${garbage.length}`);
  assert.deepEqual(await engine.call({ do: "odds", field, effort: "fast" }), before);
});

test("a classic game that is written as a log is judged again by judge verify", async () => {
  const level = { width: 4, height: 1, mines: [[0, 0]] };
  const seeded = { width: 9, height: 9, minecount: 10, seed: 3 };
  for (const [setting, clicks, line] of [
    [level, [[0, 1], [0, 0]], /^ok {4}.*: 1 answer, lost in turn 0, score 0/],
    [level, [[0, 1], [0, 3]], /^ok {4}.*: 1 answer, score 100/],
    [level, [[0, 3]], /^ok {4}.*: 0 answers, score 100/],
    [level, [[0, 1]], /^OPEN .*: 0 answers, as recorded/],
    [seeded, [[4, 4], [0, 0], [0, 8], [8, 8], [8, 0]], /^(ok {4}|OPEN )/],
  ]) {
    for (const rule of ["safe-first", "open-first"]) {
      const game = JSON.stringify({ do: "open", rule, ...setting, clicks });
      const { text } = await engine.call({ do: "write", game, as: "log" });
      const { stdout } = spawnSync(JUDGE, ["verify", "-"], { input: text, encoding: "utf8" });
      // Under open-first, a given layout may break the promise of the rule.
      const isKept = setting === seeded || rule === "safe-first" || clicks[0][1] === 3;
      if (isKept) assert.match(stdout, line, `${rule}: ${game}`);
    }
  }
});
