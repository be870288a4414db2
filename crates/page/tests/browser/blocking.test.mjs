// How long the page blocks, so that nothing that is pressed is answered: at most 100 ms on boards
// up to 30x16, and 200 ms at 80x40, whether a position is opened, a cell changed, a replay stepped
// through, or Sapper plays.
//
// A clock ticks on the page's own thread, and the longest pause between two ticks counts, of the
// try in which it is shortest: other work of a machine delays ticks, too.

import assert from "node:assert/strict";
import { before } from "node:test";
import { bothTest } from "./both.mjs";
import { startEngine } from "./engine.mjs";

const TRIES = 30;
const SIZES = [
  { width: 30, height: 16, minecount: 99, most: 100 },
  { width: 80, height: 40, minecount: 660, most: 200 },
];

// Games of Sapper by Botzone's rules, which go on to the end, by their widths: the text, and the
// positions in the middle and a move later.
const games = new Map();

before(async () => {
  const engine = await startEngine();
  for (const { most: _, ...size } of SIZES) games.set(size.width, await gameOf(engine, size));
});

async function gameOf(engine, size) {
  const setting = { rule: "botzone", ...size, seed: 1 };
  const moves = { do: "play", ...setting, effort: "fast", objective: "fewest-hits" };
  const clicks = [];
  for (let isOver = false; !isOver;) {
    const { over, played } = await engine.call({ ...moves, clicks });
    clicks.push(...played.map(({ cell }) => cell));
    isOver = over;
  }
  const request = (count) => ({ do: "open", ...setting, clicks: clicks.slice(0, count) });
  const middle = Math.floor(clicks.length / 2);
  const fields = [];
  for (const count of [middle, middle + 1]) {
    fields.push((await engine.call(request(count))).field);
  }
  return { text: JSON.stringify(request()), fields };
}

// The longest pause of the page's thread while `work` is done, with all that is painted after it.
async function pauseIn(page, work) {
  await page.evaluate(() => {
    const ticks = { longest: 0, last: performance.now() };
    window.ticks = ticks;
    const tick = () => {
      const now = performance.now();
      ticks.longest = Math.max(ticks.longest, now - ticks.last);
      ticks.last = now;
      if (window.ticks === ticks) setTimeout(tick);
    };
    tick();
  });
  await work();
  return page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      const { longest } = window.ticks;
      window.ticks = null;
      resolve(longest);
    }, 20)));
  }));
}

// Asserts that `work(index)` blocks the page for no longer than `most` milliseconds, in one try at
// least; `prepare(index)` may take longer.
async function assertGoesOn(page, most, work, prepare = () => {}) {
  const pauses = [];
  do {
    const index = pauses.length;
    await prepare(index);
    pauses.push(Math.round(await pauseIn(page, () => work(index))));
  } while (pauses.at(-1) > most && pauses.length < TRIES);
  assert.ok(Math.min(...pauses) <= most, `it blocked for ${pauses.join(", ")} ms`);
}

// Opens what a link has after #.
async function follow(page, hash) {
  await page.evaluate((part) => {
    location.hash = part;
  }, hash);
  await page.ready();
}

const linkOf = (field) => "field=" + encodeURIComponent(field);

for (const { width, height, minecount, most } of SIZES) {
  const size = `${width}x${height}`;
  const within = `blocks the page for at most ${most} ms`;

  bothTest(`a position of ${size} that is opened ${within}`, {}, async (page) => {
    const { fields } = games.get(width);
    await page.click("#tab-analyse");
    const open = (index) => follow(page, linkOf(fields[index % 2]));
    // Another board each time, so that all cells are made anew.
    await assertGoesOn(page, most, open, () => follow(page, linkOf("2 1 1\n..")));
    assert.equal(await page.count("#analyse-board .cell"), width * height);
    assert.match(await page.text("#move-line"), /^(Open|Guess) /);
  });

  bothTest(`a cell of ${size} that is changed ${within}`, {}, async (page) => {
    const { fields: [field] } = games.get(width);
    await follow(page, linkOf(field));
    const row = field.split("\n").findIndex((line, index) => index > 0 && line.includes("."));
    const cell = page.cell([row - 1, field.split("\n")[row].indexOf(".")]);
    await assertGoesOn(page, most, async (index) => {
      await page.click(`[data-tool='${1 + index}']`);
      await page.click(cell);
    });
    assert.match(await page.attribute(cell, "data-shows"), /^\d$/);
  });

  bothTest(`a replay of ${size} that is stepped through ${within}`, {}, async (page) => {
    const { text } = games.get(width);
    await page.click("#tab-replay");
    // Its turns are analysed meanwhile, and the page thinks to the end.
    await page.evaluate((game) => {
      document.getElementById("replay-text").value = game;
      document.getElementById("replay-read").click();
    }, text);
    await page.page.waitForSelector("#viewer .cell");
    const wait = (time) => page.evaluate((asked) => new Promise((resolve) => {
      setTimeout(resolve, asked);
    }), time);
    // A turn on and back.
    const step = async () => {
      for (const key of ["ArrowRight", "ArrowLeft"]) {
        await page.evaluate((pressed) => document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key: pressed, bubbles: true })), key);
        await wait(50);
      }
    };
    await assertGoesOn(page, most, step, () => wait(300));
    assert.match(await page.text(".viewer-turn"), /^0 /);
  });

  bothTest(`Sapper playing on ${size} ${within}`, {}, async (page) => {
    const begin = (index) => follow(page, `play=botzone,${size}/${minecount},${1 + index}`);
    await begin(0);
    await page.choose("#speed", "0");
    // The longer the play, the more of it is other work of the machine.
    await assertGoesOn(page, most, () => page.evaluate(async () => {
      const auto = document.getElementById("auto");
      auto.click();
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (auto.getAttribute("aria-pressed") === "true") auto.click();
    }), begin);
    assert.ok(Number(await page.text("#clicks")) > 0);
  });
}
