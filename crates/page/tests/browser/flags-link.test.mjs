// Links of Analyse with flags, which are marks or mines.

import assert from "node:assert/strict";
import { bothTest } from "./both.mjs";

const ROW = "#field=4%201%202%0A....&objective=clean-win";
const cell = (column) => `#analyse-board .cell[data-col="${column}"]`;

const seen = (page) => page.evaluate(() => ({
  cells: [...document.querySelectorAll("#analyse-board .cell")].map(({ className, dataset }) =>
    [dataset.shows, dataset.odds ?? null, className.includes("flagged")]),
  areFlagsMines: document.getElementById("flags-are-mines").checked,
  counts: ["mines", "mines-remaining"].map((id) => document.getElementById(id).value),
}));

async function flag(page, ...columns) {
  for (const column of columns) await page.page.click(cell(column), { button: "right" });
  await page.ready();
}

for (const areMines of [true, false]) {
  const what = areMines ? "mines" : "marks";
  bothTest(`a link restores flags that are ${what}`, {}, async (page, address) => {
    await page.goto(address + ROW);
    if (areMines) await page.click("#flags-are-mines");
    await flag(page, 0, 2);
    const before = await seen(page);
    assert.deepEqual(before.cells.map(([shows]) => shows), Array(4).fill("hidden"));
    assert.deepEqual(before.counts, ["2", "0"]);
    assert.deepEqual(before.cells.map(([, , isFlagged]) => isFlagged), [true, false, true, false]);
    const hash = await page.address();
    assert.match(hash, new RegExp("field=4%201%202%0AF\\.F\\.&.*flags=" + what));
    await page.forget();
    await page.goto(address + hash);
    assert.deepEqual(await seen(page), before);
    // The setting of who opens the link does not count.
    await page.click("#flags-are-mines");
    await page.goto(address + hash.replace("clean-win", "fewest-hits"));
    assert.deepEqual(await seen(page), before);
    // Nor where the link is pasted.
    await page.click("#flags-are-mines");
    await page.click("#clear");
    await page.act("#analyse .open-text");
    await page.evaluate((text) => {
      document.getElementById("text-input").value = text;
    }, "https://example.org/sapper.html" + hash);
    await page.click("#text-dialog button[value=open]");
    await page.ready();
    assert.deepEqual(await seen(page), before);
  });
}

bothTest("a link without flags leaves the setting, and a wrong one is told of", {},
  async (page, address) => {
    await page.click("#tab-analyse");
    await page.click("#flags-are-mines");
    await page.goto(address + ROW);
    assert.equal((await seen(page)).areFlagsMines, true);
    assert.ok(!(await page.address()).includes("flags"));
    await page.goto(address + ROW + "&flags=yes");
    assert.match(await page.text("#notice-text"), /flags that are neither marks nor mines: "yes"$/);
  });
