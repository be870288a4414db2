// The bar of Replay and its place on small screens.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { rootPath } from "./browser.mjs";
import { bothTest, firstTurns } from "./both.mjs";

const game = (name) => readFileSync(rootPath("samples/games/" + name), "utf8");
const LOG = game("small-11x11-11.json");
const DEFAULT = firstTurns(game("default-30x20-80.json"), 20);
const LARGEST = game("largest-80x40-80.json");

const mainButtons = (page) => page.evaluate(() =>
  [...document.querySelectorAll(".viewer-main button")].map((button) => ({
    text: button.textContent,
    name: button.getAttribute("aria-label") ?? button.textContent,
  })));

bothTest("the bar has words, and its signs have names", {}, async (page) => {
  await page.replay(LOG);
  const buttons = await mainButtons(page);
  assert.deepEqual(buttons.map(({ text }) => text),
    ["", "", "Play", "", "", "Previous mistake", "Next mistake", "More"]);
  assert.deepEqual(buttons.map(({ name }) => name), ["First turn", "Previous turn", "Play",
    "Next turn", "Last turn", "Previous mistake", "Next mistake", "More"]);
  for (const { text, name } of buttons) assert.ok(name.includes(text), `${name}: ${text}`);
  assert.match(await page.text(".viewer-speed"), /^Speed/);
});

bothTest("playing has a speed, which a reload keeps, and a pause", {}, async (page) => {
  await page.replay(LOG);
  const turns = () => page.evaluate(async () => {
    const shown = () => parseInt(document.querySelector(".viewer-turn").textContent);
    const seen = [];
    const { setInterval: plain } = window;
    // The page's own timers, counted and not waited for.
    window.setInterval = (work, time) => {
      seen.push(time);
      return plain(work, time);
    };
    const play = document.querySelector("[data-action=play]");
    play.click();
    seen.push(play.textContent);
    play.click();
    seen.push(play.textContent, shown());
    window.setInterval = plain;
    return seen;
  });
  const choose = (name) => page.evaluate((chosen) => {
    const choice = document.querySelector(".viewer-speed select");
    choice.value = chosen;
    choice.dispatchEvent(new Event("change"));
  }, name);
  assert.deepEqual(await turns(), [600, "Pause", "Play", 0]);
  await choose("slow");
  assert.deepEqual(await turns(), [1500, "Pause", "Play", 0]);
  await choose("fast");
  assert.deepEqual(await turns(), [200, "Pause", "Play", 0]);
  await page.reload();
  assert.deepEqual(await turns(), [200, "Pause", "Play", 0]);
  // A game that is closed plays on nowhere.
  await page.evaluate(() => document.querySelector("[data-action=play]").click());
  await page.click("#replay-other");
  await page.replay(DEFAULT);
  assert.equal(await page.text("[data-action=play]"), "Play");
  assert.equal(await page.text(".viewer-turn"), "0 / 20");
});

// What in Replay scrolls inside of the page, and what is too low to be hit.
const measured = (page) => page.evaluate(() => {
  const inView = [...document.querySelectorAll("#replay *")].filter((one) => one.checkVisibility());
  const scrolls = inView.filter((one) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const isLarger = one.scrollHeight > one.clientHeight + 1 ||
      one.scrollWidth > one.clientWidth + 1;
    return isLarger && /auto|scroll/.test(overflowX + overflowY);
  });
  const low = inView.filter((one) => one.matches("button, select, summary, input"))
    .filter((one) => one.getBoundingClientRect().height < 40);
  const side = (one) => document.querySelector(one).getBoundingClientRect();
  const [board, area, line, panel] = [".viewer-board", ".board-area", ".viewer-line",
    ".viewer-panel"].map((name) => side("#viewer " + name));
  return {
    scrolls: scrolls.map(({ className }) => className),
    low: low.map((one) => one.textContent || one.className),
    tooWide: document.documentElement.scrollWidth - innerWidth,
    // Between the board's parts, and before what follows it.
    bands: [board.top - line.bottom, board.bottom - area.bottom, panel.top - board.bottom],
    right: Math.max(...inView.filter((one) => one.matches(".viewer-bar *"))
      .map((one) => one.getBoundingClientRect().right)),
  };
});

for (const [width, height] of [[320, 640], [390, 844], [800, 900]]) {
  bothTest(`at ${width} px one thing scrolls, and buttons can be hit`, {
    viewport: { width, height },
  }, async (page) => {
    for (const text of [LOG, DEFAULT]) {
      await page.replay(text);
      await page.press("End");
      for (const isOpen of [false, true]) {
        if (isOpen) await page.act(".viewer-more");
        const { scrolls, low, tooWide, bands, right } = await measured(page);
        assert.deepEqual(scrolls, []);
        assert.deepEqual(low, []);
        assert.ok(tooWide <= 0 && right <= width, `${tooWide}, ${right}`);
        assert.ok(Math.max(...bands) < 16, `bands of ${bands}`);
      }
    }
    // Eighty columns have cells of their own size: the board alone goes aside, and not down.
    await page.replay(LARGEST);
    const frame = await page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.querySelector("#viewer .board-frame");
      return scrollHeight - clientHeight;
    });
    assert.ok(frame <= 1, `${frame}`);
  });
}

for (const width of [1024, 1100, 1280]) {
  bothTest(`the tools of Analyse have one line at ${width} px`, {
    viewport: { width, height: 800 },
  }, async (page) => {
    for (const view of ["analyse", "play"]) {
      await page.click("#tab-" + view);
      const tops = await page.evaluate((name) => {
        const tools = document.querySelectorAll(`#${name} .tools :is(button, select, summary)`);
        return [...tools].filter((one) => one.checkVisibility())
          .map((one) => Math.round(one.getBoundingClientRect().top));
      }, view);
      assert.ok(tops.length > 5);
      assert.ok(Math.max(...tops) - Math.min(...tops) < 12, `${view}: ${tops}`);
    }
  });
}
