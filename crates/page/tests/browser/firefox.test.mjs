// Smoke tests in Firefox: odds, a change, a reload, a game and its replay; the chance to win.
// Playwright drives only a Firefox of its own; puppeteer drives the system's.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import puppeteer from "puppeteer-core";
import { FIREFOX, skip } from "./both.mjs";
import { PAGE } from "./browser.mjs";
import { JUDGE } from "./judge.mjs";

// A test with a page at an address; `use` gets it with what tests do in it.
function firefoxTest(name, address, use) {
  test(name, { skip }, async () => {
    const browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX });
    try {
      const page = await browser.newPage();
      const errors = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.setViewport({ width: 1280, height: 800 });
      await page.goto(PAGE + address);
      const ready = async () => {
        await page.waitForSelector("html[data-state=ready]");
        await new Promise((resolve) => setTimeout(resolve, 50));
        await page.waitForSelector("html[data-state=ready]");
      };
      const text = (selector) => page.$eval(selector, (found) => found.textContent);
      const cell = (board, row, column) =>
        `#${board} .cell[data-row="${row}"][data-col="${column}"]`;
      await ready();
      await use(page, { ready, text, cell });
      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
    }
  });
}

firefoxTest("the page works in Firefox", "", async (page, { ready, text, cell }) => {
  await page.click("#start-analyse");
  await ready();
  const sample = await text("#move-line");
  assert.match(sample, /^Open \(4,2\): proven safe/);
  await page.click("[data-tool='0']");
  await page.click(cell("analyse-board", 4, 2));
  await ready();
  assert.equal(await text("#move-line"), "This position cannot be");
  await page.reload();
  await ready();
  assert.equal(await text("#move-line"), "This position cannot be");
  await page.click("#undo");
  await ready();
  assert.equal(await text("#move-line"), sample);

  await page.click("#tab-play");
  await page.click(cell("play-board", 4, 4));
  await ready();
  await page.select("#speed", "0");
  await page.click("#auto");
  await page.waitForFunction(() =>
    /^(Won|Lost)/.test(document.getElementById("game-line").textContent));
  await page.click("#to-replay");
  await page.waitForSelector("#viewer .cell");
  await ready();
  assert.match(await text("#viewer"), /Risk taken/);
});

const ROW = ".".repeat(16) + "\n";
const GUESS = "16 16 40\n" + ROW.repeat(12) + "............3...\n" + ROW.repeat(3);
const ADDRESS = "#objective=clean-win&field=" + encodeURIComponent(GUESS);

firefoxTest("the chance to win in Firefox", ADDRESS, async (page, { ready, text, cell }) => {
  const told = async (id, least) => {
    await page.waitForFunction((name, count) =>
      Number(document.getElementById(name).dataset.playouts) >= count, {}, id, least);
    return page.evaluate((name) => {
      const { dataset: { playouts }, textContent } = document.getElementById(name);
      return { playouts, words: textContent.replaceAll("\u00a0", " ") };
    }, id);
  };
  const half = ({ words }) => Number(/± ([\d.]+) %/.exec(words)[1]);
  const few = await told("chance-line", 40);
  const options = ["--objective", "clean-win", "--playouts", few.playouts];
  const run = execFileSync(JUDGE, ["explain", "-", "--json", ...options], { input: GUESS });
  const [{ chance, within }] = JSON.parse(run).chance.cells;
  assert.equal(few.words,
    `Chance to win: ${(100 * chance).toFixed(1)} ± ${(100 * within).toFixed(1)} %`);
  const many = await told("chance-line", 10 * few.playouts);
  assert.ok(half(many) < 0.6 * half(few), `${few.words}, ${many.words}`);
  // An edit is answered while playouts are made.
  const before = await text("#move-line");
  await page.click("[data-tool='1']");
  await page.click(cell("analyse-board", 0, 0));
  await ready();
  assert.notEqual(await text("#move-line"), before);
  await told("chance-line", 20);

  // A board of its own: on some boards a chance is exact after the first click, without playouts.
  await page.click("#tab-play");
  await page.$eval("#seed", (box) => { box.value = "3"; });
  await page.click("#new-game");
  await ready();
  await page.click("#chance-shown");
  await page.click(cell("play-board", 4, 4));
  await ready();
  await told("chance-bar", 20);
  await page.reload();
  await ready();
  await told("chance-bar", 20);
  await page.click("#chance-shown");
  await page.reload();
  await ready();
  assert.equal(await page.$eval("#chance-bar", (bar) => bar.hidden), true);
});
