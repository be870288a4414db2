// A smoke test in Firefox: odds, a change, a reload, a game and its replay. Playwright drives only
// a Firefox of its own; puppeteer drives the system's.

import assert from "node:assert/strict";
import { test } from "node:test";
import puppeteer from "puppeteer-core";
import { FIREFOX, skip } from "./both.mjs";
import { PAGE } from "./browser.mjs";

test("the page works in Firefox", { skip }, async () => {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(PAGE);
    const ready = async () => {
      await page.waitForSelector("html[data-state=ready]");
      await new Promise((resolve) => setTimeout(resolve, 50));
      await page.waitForSelector("html[data-state=ready]");
    };
    const text = (selector) => page.$eval(selector, (found) => found.textContent);
    const cell = (board, row, column) =>
      `#${board} .cell[data-row="${row}"][data-col="${column}"]`;
    await ready();
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
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
});
