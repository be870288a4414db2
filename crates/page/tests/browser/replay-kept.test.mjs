// A game in Replay over a reload, in a link and in a saved page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { rootPath } from "./browser.mjs";
import { bothTest, firstTurns, servedTest } from "./both.mjs";
import { JUDGE } from "./judge.mjs";

const game = (name) => readFileSync(rootPath("samples/" + name), "utf8");
const LOG = game("games/small-11x11-11.json");
const DEFAULT = firstTurns(game("games/default-30x20-80.json"), 20);
// A cell is opened before the first turn, which clicks do not tell.
const NO_LINK = game("games/skipfirst-30x20-80.json");
const PERSON = game("formats/person.rawvf");
const HISTORY = JSON.stringify({
  requests: [
    { width: 4, height: 3, minecount: 2 },
    { changed: [{ row: 2, col: 2, val: 1 }] },
  ],
  responses: [{ row: 2, col: 2 }],
});

const FOLDER = mkdtempSync(join(tmpdir(), "replay-kept-"));
after(() => rmSync(FOLDER, { recursive: true }));

// What is seen of a game: its turn, and what each cell shows.
const seen = (page) => page.evaluate(() => ({
  turn: document.querySelector(".viewer-turn").textContent,
  shows: [...document.querySelectorAll("#viewer .cell")].map(({ dataset }) => dataset.shows),
}));

async function keepsItsGame(page) {
  await page.replay(LOG);
  await page.press("ArrowRight", "ArrowRight", "ArrowRight");
  const before = await seen(page);
  assert.equal(before.turn, "3 / 10");
  assert.equal(before.shows.length, 121);
  await page.reload();
  assert.deepEqual(await seen(page), before);
  // Another one takes its place; without a link, too.
  await page.replay(HISTORY);
  await page.press("End");
  await page.reload();
  assert.equal(await page.count("#viewer .cell"), 12);
  assert.equal(await page.text(".viewer-turn"), "1 / 1");
  await page.click("#replay-other");
  assert.ok(await page.isVisible("#replay-text"));
  assert.equal(await page.address(), "");
  await page.reload();
  assert.ok(await page.isVisible("#replay-text"));
  assert.equal(await page.isVisible("#replay-shown"), false);
}

bothTest("a reload keeps the game and its turn", {}, keepsItsGame);
servedTest("a reload keeps the game and its turn from a server", keepsItsGame);

bothTest("a reload at once keeps the turn, and another view keeps the game", {}, async (page) => {
  await page.replay(LOG);
  await page.evaluate(() => {
    document.querySelector("#viewer [data-action=last]").click();
    document.getElementById("tab-analyse").click();
  });
  await page.reload();
  assert.ok(await page.isVisible("#analyse"));
  await page.click("#tab-replay");
  assert.equal(await page.text(".viewer-turn"), "10 / 10");
});

bothTest("a game that the browser has no room for says so, and is gone after a reload", {},
  async (page) => {
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (name, text) {
        if (text.length > 20000) throw new DOMException("full", "QuotaExceededError");
        setItem.call(this, name, text);
      };
    });
    // With room for the game alone, others would have none.
    await page.replay(HISTORY);
    assert.ok(await page.isVisible("#replay-unkept"));
    await page.replay(NO_LINK);
    assert.match(await page.text("#replay-unkept"), /no room to keep this game/);
    assert.ok(await page.isVisible("#replay-unkept"));
    assert.equal(await page.isVisible("#notice"), false);
    await page.reload();
    assert.ok(await page.isVisible("#replay-text"));
    assert.equal(await page.isVisible("#notice"), false);
    await page.replay(NO_LINK);
    assert.equal(await page.isVisible("#replay-unkept"), false);
  });

for (const kept of ["7", "{}", '{"text":7}', '{"text":"hello","objective":"x"}']) {
  bothTest(`a stored game like ${kept} is left out`, {}, async (page) => {
    await page.evaluate((text) => {
      addEventListener("pagehide", () => {
        localStorage.setItem("sapper.view", '"replay"');
        localStorage.setItem("sapper.replay", text);
      });
    }, kept);
    await page.reload();
    assert.ok(await page.isVisible("#replay-text"));
    assert.equal(await page.isVisible("#notice"), false);
  });
}

// ---- Links ------------------------------------------------------------------------------------

// A game of the page, a log on the board of its seed, and a recording.
const OWN = JSON.stringify({
  do: "open", rule: "open-first", width: 9, height: 9, minecount: 10, seed: 3, clicks: [[4, 4]],
});
for (const [what, text, most] of [
  ["the page's own game", OWN, 400], ["a small log", LOG, 400], ["a default log", DEFAULT, 1000],
  ["a recording", PERSON, 700],
]) {
  bothTest(`a link opens ${what} on its turn`, {}, async (page, address) => {
    await page.replay(text);
    await page.press("ArrowRight");
    const before = await seen(page);
    const link = await page.copied("#replay-link");
    assert.ok(link.startsWith(address + "#replay="), link);
    assert.ok(link.length - address.length < most, `${link.length} letters`);
    // The address is the same link.
    assert.equal(address + await page.address(), link);
    assert.match(link, /&turn=1$/);
    await page.forget();
    await page.goto(link);
    assert.deepEqual(await seen(page), before);
    assert.ok(await page.isVisible("#replay"));
    assert.equal(await page.isVisible("#notice"), false);
    // A link that is pasted is opened, too.
    await page.press("ArrowLeft");
    await page.replay(link);
    assert.deepEqual(await seen(page), before);
  });
}

bothTest("a damaged link is one line, and the game before stays", {}, async (page, address) => {
  await page.replay(LOG);
  const link = await page.copied("#replay-link");
  const [, packed] = /replay=([^&]*)/.exec(link);
  const other = packed[40] === "A" ? "B" : "A";
  const changed = packed.slice(0, 40) + other + packed.slice(41);
  for (const damaged of [changed, packed.slice(0, -9), "x", "!!", packed + packed]) {
    await page.goto(`${address}#replay=${damaged}&turn=2`);
    const notice = await page.text("#notice-text");
    assert.equal(notice, "The game in the link cannot be read: it was cut off or changed", damaged);
    assert.ok(await page.isVisible("#replay") && await page.isVisible("#notice"));
    assert.equal(await page.count("#viewer .cell"), 121);
  }
  await page.forget();
  await page.goto(`${address}#replay=${changed}`);
  assert.match(await page.text("#notice-text"), /cut off or changed$/);
  assert.ok(await page.isVisible("#replay-text"));
  await page.goto(`${address}#replay=${packed}&turn=two`);
  assert.match(await page.text("#notice-text"), /turn that is no whole number: "two"$/);
  assert.equal(await page.text(".viewer-turn"), "0 / 10");
  await page.goto(`${address}#replay=${packed}&turn=999`);
  assert.equal(await page.text(".viewer-turn"), "10 / 10");
});

// Half of the cells are mines, and the clicks go to and fro: there is no room for so many.
const LONG = JSON.stringify({
  do: "open", rule: "botzone", width: 60, height: 60,
  mines: Array.from({ length: 1800 }, (_, at) => [Math.floor(at / 30), (at * 2) % 60 + at % 2]),
  clicks: Array.from({ length: 900 }, (_, at) => {
    const row = (at * 37) % 60;
    return [row, (at * 2 + 1) % 60];
  }).filter(([row, column], at, all) =>
    all.findIndex(([r, c]) => r === row && c === column) === at),
});

for (const [what, text, why] of [
  ["more than a board and clicks", NO_LINK, /it is more than a board and its clicks/],
  ["long", LONG, /it would have \d+ letters, and programs that pass links on take 2000/],
]) {
  bothTest(`a game that is ${what} says so, and is offered as a page`, {}, async (page) => {
    await page.replay(text);
    assert.equal(await page.copied("#replay-link"), null);
    assert.equal(await page.address(), "");
    assert.match(await page.text("#notice-text"), /^The game has no link: /);
    assert.match(await page.text("#notice-text"), why);
    assert.equal(await page.text("#notice-offer"), "Save as a page");
    const { name } = await page.saved("#notice-offer");
    assert.equal(name, "minesweeper-game.html");
    assert.equal(await page.isVisible("#notice"), false);
  });
}

// ---- Saved pages ------------------------------------------------------------------------------

const EVIL = LOG.replace('{"0":{"verdict"',
  '{"0":{"debug":"</script><img src=x onerror=alert(1)>","verdict"');
const FINISHED = JSON.stringify({
  do: "open", rule: "botzone", width: 4, height: 1, mines: [[0, 0]],
  clicks: [[0, 1], [0, 0], [0, 3]],
});

for (const [what, text, isLog] of [
  ["a log", LOG, true], ["a log with markup", EVIL, true], ["the page's own game", FINISHED, true],
  ["a recording", PERSON, false], ["a game without a link", NO_LINK, true],
]) {
  bothTest(`a saved page opens from disk on its turn: ${what}`, {}, async (page) => {
    await page.replay(text);
    await page.press("ArrowRight");
    const before = await seen(page);
    const { name, text: html } = await page.saved("#replay-page");
    const file = join(FOLDER, name);
    writeFileSync(file, html);
    assert.ok(html.startsWith('<!DOCTYPE html>\n<html lang="en" data-state="thinking">'));
    const address = pathToFileURL(file).href;
    await page.forget();
    await page.goto(address);
    assert.ok(await page.isVisible("#replay"));
    assert.deepEqual(await seen(page), before);
    // A reload keeps the turn; who opens the file again begins where it was saved.
    await page.press("End");
    const end = await seen(page);
    await page.reload();
    assert.deepEqual(await seen(page), end);
    await page.goto(address);
    assert.deepEqual(await seen(page), before);
    // The page is a whole one: it can be saved again, and used for all else.
    const again = await page.saved("#replay-page");
    assert.equal(again.text, html);
    await page.click("#tab-analyse");
    assert.equal(await page.count("#analyse-board .cell"), 81);
    // The judge reads it as a replay page of Botzone.
    if (isLog) {
      const told = execFileSync(JUDGE, ["verify", file], { encoding: "utf8" });
      assert.match(told, /1 as recorded, 0 not/);
    }
  });
}
