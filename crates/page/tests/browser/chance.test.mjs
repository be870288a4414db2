// The chance to win, in Analyse and above the board in Play: its figures are judge explain's, they
// get surer with time, and nobody waits for them.
//
// What is asked of the engine is counted, and no time is measured.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { pageTest } from "./browser.mjs";
import { JUDGE } from "./judge.mjs";

const ROW = ".".repeat(16) + "\n";
const GUESS = "16 16 40\n" + ROW.repeat(11) + "...........3....\n" + ROW + "............3...\n" +
  ROW.repeat(2);
// (0,4) is safe, among others; much is left to be guessed.
const SAFE = "9 9 20\n1..1.....\n1.21.....\n" + (".".repeat(9) + "\n").repeat(7);
const GOALS = ["clean-win", "fewest-hits"];

// What `judge explain` says of the chance.
export function explained(field, objective, effort, playouts) {
  const options = ["--objective", objective, "--effort", effort, "--playouts", String(playouts)];
  const run = execFileSync(JUDGE, ["explain", "-", "--json", ...options], { input: field });
  return JSON.parse(run).chance;
}

// A figure as the page words it.
function figure(value, within, { unit, exact }, decimals = unit === "mines" ? 2 : 1) {
  const factor = unit === "mines" ? 1 : 100;
  const half = Math.max(factor * within, 10 ** -decimals).toFixed(decimals);
  return (factor * value).toFixed(decimals) + (exact ? "" : "\u00a0±\u00a0" + half);
}

// What Analyse shows, read at once: the figures change.
const shown = (page) => page.evaluate(() => ({
  playouts: Number(document.getElementById("chance-line").dataset.playouts),
  line: document.getElementById("chance-line").textContent,
  rows: [...document.querySelectorAll("#candidates tbody tr")].map((row) =>
    [row.cells[0].textContent, row.cells[1].textContent, row.className]),
}));

const playoutsReach = (page, count, id = "chance-line") => page.waitForFunction(
  ([name, least]) => Number(document.getElementById(name).dataset.playouts) >= least, [id, count]);

// From now on, `calls` in the page has each request with the number of chances that are awaited,
// and `workers` the number of workers that were started.
const count = (page) => page.evaluate(() => {
  window.calls = [];
  window.workers = 0;
  let awaited = 0;
  const { call, newWorker } = EngineClient.prototype;
  EngineClient.prototype.call = function counted(request, options = {}) {
    window.calls.push({ ...request, slow: options.slow === true, awaited });
    const answer = call.call(this, request, options);
    if (request.do !== "chance") return answer;
    awaited++;
    return answer.finally(() => awaited--);
  };
  EngineClient.prototype.newWorker = function counted() {
    window.workers++;
    return newWorker.call(this);
  };
});

const calls = (page) => page.evaluate(() => window.calls);
const chances = async (page) => (await calls(page)).filter((call) => call.do === "chance");

// ---- Analyse ----------------------------------------------------------------------------------

for (const goal of GOALS) {
  pageTest(`the chances are judge explain's: ${goal}`, {}, async (sapper, page) => {
    await page.selectOption("#objective", goal);
    await sapper.put(GUESS);
    await playoutsReach(page, 60);
    const { playouts, line, rows } = await shown(page);
    const told = explained(GUESS, goal, "standard", playouts);
    assert.equal(told.playouts, playouts);
    const [ofMove] = told.cells;
    assert.equal(line, (goal === "clean-win" ? "Chance to win: " : "Mines to come: ") +
      figure(ofMove.chance, ofMove.within, told) + (goal === "clean-win" ? "\u00a0%" : ""));
    // The move first, and the other cells in the judge's order; every row has a chance.
    const expected = told.cells.map(({ cell, chance, within }, rank) =>
      [`(${cell})`, figure(chance, within, told), rank === 0 ? "chosen" : ""]);
    assert.deepEqual(rows, expected);
    assert.equal(expected.length, 8);
    const heads = await page.locator("#candidates th").allTextContents();
    assert.equal(heads[1], goal === "clean-win" ? "chance to win, %" : "mines to come");
    assert.equal(await page.isVisible("#better"), told.cells.some(({ better }) => better));
  });
}

// The cell of the move at fast effort is not the best.
const WORSE = "7 7 14\n0002...\n0002...\n121223.\n.2.22..\n344.4..\n..4....\n.......\n";

pageTest("a cell that is ahead of the move by more than chance is told", {},
  async (sapper, page) => {
    await page.selectOption("#objective", "clean-win");
    await page.selectOption("#effort", "fast");
    await sapper.put(WORSE);
    await playoutsReach(page, 200);
    const { playouts, words } = await page.evaluate(() => ({
      playouts: document.getElementById("chance-line").dataset.playouts,
      words: document.getElementById("better").textContent,
    }));
    const told = explained(WORSE, "clean-win", "fast", playouts);
    const better = told.cells.find((one) => one.better);
    const ahead = figure(better.above_move, better.above_move_within, told);
    assert.equal(words, `(${better.cell}) is ahead of the move by ${ahead} points: more than ` +
      "chance explains.");
    assert.ok(await page.isVisible("#better"));
    assert.match(await sapper.text("#move-line"), /^Guess \(/);
    assert.ok(!(await sapper.text("#move-line")).includes(`(${better.cell})`));
    // Where nothing is ahead, nothing is said.
    await sapper.put(SAFE);
    assert.ok(await page.isHidden("#better"));
  });

pageTest("the figures get surer in place", {}, async (sapper, page) => {
  await sapper.put(GUESS);
  const boxes = () => page.evaluate(() => ["why", "candidates", "totals"].map((id) => {
    const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
    return [x, y, width, height];
  }));
  const half = async () => {
    const { line, playouts } = await shown(page);
    return [Number(/± ([\d.]+)/.exec(line.replaceAll("\u00a0", " "))[1]), playouts];
  };
  await playoutsReach(page, 20);
  const [before, few] = await half();
  const places = await boxes();
  // Where the first figures come late, few more are made. Figures have two decimals.
  await playoutsReach(page, Math.min(8 * few, 2000));
  const [after, many] = await half();
  assert.ok(after < 0.01 + 1.3 * before * Math.sqrt(few / many),
    `± ${before} in ${few}, ± ${after} in ${many} playouts`);
  assert.deepEqual(await boxes(), places);
});

pageTest("the headline changes the goal, to the chance to win and back", {},
  async (sapper, page) => {
    const name = () => sapper.text("#chance-name");
    assert.equal(await name(), "Mines to come");
    await sapper.click("#chance-name");
    assert.equal(await name(), "Chance to win");
    assert.equal(await page.inputValue("#objective"), "clean-win");
    await playoutsReach(page, 20);
    assert.match((await shown(page)).line, /^Chance to win: .*%/);
    await sapper.click("#chance-name");
    assert.equal(await name(), "Mines to come");
    assert.equal(await page.inputValue("#objective"), "fewest-hits");
  });

pageTest("an edit is answered at once, and ends the playouts before it", {},
  async (sapper, page) => {
    await sapper.put(GUESS);
    await playoutsReach(page, 20);
    await count(page);
    await page.waitForFunction(() => window.calls.length > 3);
    await page.click("[data-tool='2']");
    await sapper.cell([0, 0]).click();
    await sapper.ready();
    const all = await calls(page);
    const old = all[0].field;
    const edit = all.findIndex(({ field }) => field !== old);
    // At most one step was awaited, in the lane of the slow requests; it did not cost a worker.
    assert.deepEqual([all[edit].do, all[edit].slow], ["odds", false]);
    assert.ok(all[edit].awaited <= 1);
    assert.ok(all.slice(edit).every(({ field }) => field !== old));
    assert.equal(await page.evaluate(() => window.workers), 0);
    await playoutsReach(page, 20);
    const { field } = (await chances(page)).at(-1);
    assert.equal(field.split("\n")[1], "2" + ROW.slice(1, 16));
    // No step asks for more than it takes to be short: the first ones ask for few.
    const asked = (await chances(page)).filter((call) => call.field === field);
    assert.deepEqual(asked.slice(0, 2).map(({ playouts }) => playouts), [0, 1]);
  });

pageTest("nothing is computed while the tab or the view is hidden", {}, async (sapper, page) => {
  await sapper.put(GUESS);
  await playoutsReach(page, 20);
  await count(page);
  const hide = (isHidden) => page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
  // The steps of a second, of which there are dozens while all is shown. One may be awaited yet.
  const during = async () => {
    await page.waitForTimeout(100);
    const before = (await chances(page)).length;
    await page.waitForTimeout(1000);
    return (await chances(page)).length - before;
  };
  await hide(true);
  assert.equal(await during(), 0);
  await hide(false);
  await page.waitForFunction(() => window.calls.at(-1).do === "chance");
  await sapper.click("#tab-play");
  assert.equal(await during(), 0);
  const { playouts } = await shown(page);
  await page.click("#tab-analyse");
  // It begins anew, and tells nothing until it is surer than before.
  await page.waitForFunction((least) => {
    const now = Number(document.getElementById("chance-line").dataset.playouts);
    if (now < least) throw new Error("less is told than before");
    return now > least;
  }, playouts);
});

pageTest("the playouts end at a limit", {}, async (sapper, page) => {
  await count(page);
  await sapper.put("16 16 40\n" + ROW.repeat(16));
  await page.waitForFunction(() =>
    window.calls.some((call) => call.do === "chance" && call.playouts >= 2000));
  await playoutsReach(page, 2000);
  const { length } = await chances(page);
  await page.waitForTimeout(300);
  assert.equal((await chances(page)).length, length);
});

pageTest("a solved endgame is exact, and a safe cell has a chance", {}, async (sapper, page) => {
  const line = async () => {
    await page.waitForFunction(() =>
      document.getElementById("chance-line").dataset.playouts !== undefined);
    return (await sapper.text("#chance-line")).replaceAll("\u00a0", " ");
  };
  await page.selectOption("#objective", "clean-win");
  await sapper.put("2 1 1\n..");
  assert.equal(await line(), "Chance to win: 50.0 %, exact");
  const heads = await page.locator("#values th").allTextContents();
  assert.deepEqual(heads, ["cell", "chance to win, %", "risk, %"]);
  const rows = await page.locator("#values tbody tr").evaluateAll((found) =>
    found.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows, [["(0,0)", "50.00", "50.00"], ["(0,1)", "50.00", "50.00"]]);
  await sapper.put(SAFE);
  assert.match(await line(), /^Chance to win: \d+\.\d ± \d+\.\d %$/);
  assert.match(await sapper.text("#move-line"), /proven safe$/);
  // The neighbours of a zero may be put in later.
  await sapper.put("9 9 10\n" + ".........\n".repeat(4) + "....0....\n" + ".........\n".repeat(4));
  assert.match(await line(), /^Chance to win: \d+\.\d ± \d+\.\d %$/);
  // A position without a mine count has no chance, nor has one that cannot be.
  await sapper.put("3 1\n1..");
  assert.match(await sapper.text("#chance-line"), /not known without the number of mines$/);
  await sapper.put("2 1 5\n..");
  assert.ok(await page.isHidden("#chance-line"));
});

// ---- Play -------------------------------------------------------------------------------------

const BAR = "#chance-bar";
const EXPERT = "#play=open-first,16x16/40,3";

// Begins a game of the link, with the bar or without.
async function begin(sapper, page, { isOn }) {
  await page.setChecked("#chance-shown", isOn);
  await count(page);
  await sapper.cell([8, 8]).click();
  await sapper.ready();
}

pageTest("without the bar nothing is computed, and it is off until it is wanted",
  { address: EXPERT }, async (sapper, page) => {
    assert.equal(await page.isChecked("#chance-shown"), false);
    await begin(sapper, page, { isOn: false });
    await page.waitForTimeout(500);
    assert.ok(await page.isHidden(BAR));
    assert.equal((await chances(page)).length, 0);
    assert.ok((await calls(page)).length > 0);
  });

pageTest("the bar tells judge explain's chance of the position", { address: EXPERT },
  async (sapper, page) => {
    await begin(sapper, page, { isOn: true });
    await playoutsReach(page, 100, "chance-bar");
    const { playouts, value } = await page.evaluate(() => ({
      playouts: document.getElementById("chance-bar").dataset.playouts,
      value: document.getElementById("bar-value").textContent,
    }));
    const { field } = (await chances(page))[0];
    const told = explained(field, "clean-win", "fast", playouts);
    const [{ chance, within }] = told.cells;
    assert.equal(value, figure(chance, within, told, 0) + "\u00a0%");
    // A flag changes no position.
    const asked = (await chances(page)).length;
    await page.click("#flag-mode");
    await page.locator("#play-board .cell.hidden").first().click();
    await page.waitForFunction((before) => window.calls.length > before, asked);
    assert.ok((await chances(page)).every((call) => call.field === field));
    const counts = (await chances(page)).map((call) => call.playouts);
    assert.deepEqual(counts, counts.slice().sort((a, b) => a - b));
  });

pageTest("a click ends the playouts of the position before, and waits for none",
  { address: EXPERT }, async (sapper, page) => {
    await begin(sapper, page, { isOn: true });
    await playoutsReach(page, 20, "chance-bar");
    // Meanwhile a spare worker was started.
    await page.evaluate(() => (window.workers = 0));
    const { field } = (await chances(page))[0];
    const { move } = JSON.parse(execFileSync(JUDGE,
      ["explain", "-", "--json", "--objective", "clean-win", "--playouts", "0"], { input: field }));
    await page.click(`#play-board [data-row="${move.cell[0]}"][data-col="${move.cell[1]}"]`);
    await page.waitForFunction((old) =>
      window.calls.some((call) => call.do === "chance" && call.field !== old), field);
    const all = await calls(page);
    const click = all.findLastIndex((call) => call.do === "open");
    assert.equal(all[click].slow, false);
    const later = all.slice(click + 1).filter((call) => call.do === "chance");
    assert.ok(later.filter((call) => call.field === field).length <= 1);
    assert.equal(await page.evaluate(() => window.workers), 0);
  });

pageTest("the bar is remembered, on and off", { address: EXPERT }, async (sapper, page) => {
  await begin(sapper, page, { isOn: true });
  await playoutsReach(page, 20, "chance-bar");
  await page.reload();
  await sapper.ready();
  assert.ok(await page.isChecked("#chance-shown") && await page.isVisible(BAR));
  await playoutsReach(page, 20, "chance-bar");
  await page.uncheck("#chance-shown");
  assert.ok(await page.isHidden(BAR));
  await page.reload();
  await sapper.ready();
  assert.ok(await page.isHidden(BAR));
  assert.equal(await page.isChecked("#chance-shown"), false);
});

pageTest("what is known without playouts is told without them", {}, async (sapper, page) => {
  await sapper.click("#tab-play");
  await page.check("#chance-shown");
  await count(page);
  // The mines are laid after the first click.
  assert.equal(await sapper.text("#bar-value"), "–");
  await page.selectOption("#rule", "no-guess-numbers");
  await sapper.click("#new-game");
  await sapper.cell([4, 4]).click();
  await sapper.ready();
  assert.equal(await sapper.text("#bar-value"), "100\u00a0%");
  await page.waitForTimeout(300);
  assert.equal((await chances(page)).length, 0);
  // Botzone's games are about mines, from the first click on.
  await page.selectOption("#rule", "botzone");
  await page.fill("#seed", "3");
  await sapper.click("#new-game");
  await playoutsReach(page, 20, "chance-bar");
  assert.equal(await sapper.text("#bar-name"), "Mines to come");
  assert.match(await sapper.text("#bar-value"), /^\d+\.\d\u00a0±\u00a0\d+\.\d$/);
  // The end of a game has no chance.
  await page.selectOption("#speed", "0");
  await page.click("#auto");
  await page.waitForFunction(() =>
    /^The end/.test(document.getElementById("game-line").textContent));
  assert.equal(await sapper.text("#bar-value"), "–");
});
