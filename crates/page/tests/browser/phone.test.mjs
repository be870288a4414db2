// What fingers do on a phone: swipes, the phone on its side, menus, and the way back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bothTest } from "./both.mjs";
import { pageTest, rootPath } from "./browser.mjs";

const phone = (width, height) =>
  ({ viewport: { width, height }, hasTouch: true, isMobile: true });
const UPRIGHT = phone(390, 844);
const LYING = phone(844, 390);
const LOG = readFileSync(rootPath("samples/games/small-11x11-11.json"), "utf8");
const EXPERT = "30 16 99\n" + (".".repeat(30) + "\n").repeat(16);
const STEPS = 10;

// Moves a finger up, from the middle of a board.
async function swipe(page, board) {
  const { x, y, width, height } = await page.locator(board).boundingBox();
  const at = { x: x + width / 2, y: y + Math.min(height, page.viewportSize().height - y) / 2 };
  const touch = (type, ...touchPoints) =>
    page.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", at);
  for (let step = 1; step <= STEPS; step++) {
    await touch("touchMove", { x: at.x, y: at.y - 14 * step });
  }
  await touch("touchEnd");
}

const isIn = ({ x, y, width, height }, page) => {
  const window = page.viewportSize();
  return x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height;
};

const areApart = (a, b) =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

for (const [way, options] of Object.entries({ upright: UPRIGHT, "on its side": LYING })) {
  pageTest(`a swipe over a board scrolls the page of a phone ${way}`, options,
    async (sapper, page) => {
      const scrolls = async (board) => {
        await page.evaluate(() => scrollTo(0, 0));
        // At first a board that is larger than its frame scrolls.
        for (let left = 8; left > 0 && await page.evaluate(() => scrollY) === 0; left--) {
          await swipe(page, board);
          await page.waitForTimeout(100);
        }
        assert.ok(await page.evaluate(() => scrollY) > 20, board);
      };
      await sapper.put(EXPERT);
      await scrolls("#analyse-board");
      await sapper.click("#tab-replay");
      await page.fill("#replay-text", LOG);
      await sapper.click("#replay-read");
      await scrolls("#viewer .viewer-board");
    });
}

pageTest("a phone on its side shows the board and the answer beside each other", LYING,
  async (sapper, page) => {
    const box = (selector) => page.locator(selector).first().boundingBox();
    const [move, palette] = [await box("#move-line"), await box("#palette")];
    const board = await box("#analyse-board .board-grid");
    assert.ok([board, move, palette].every((part) => isIn(part, page)));
    assert.ok(areApart(board, move) && areApart(board, palette) && areApart(move, palette));
    await sapper.unfold();
    assert.ok(areApart(await box("#analyse-board .board-grid"), await box("#objective")));
    await sapper.click("#tab-play");
    await sapper.cell([4, 4]).click();
    await sapper.ready();
    const [game, verdict] = [await box("#play-board .board-grid"), await box("#verdict")];
    assert.ok(isIn(game, page) && isIn(verdict, page) && areApart(game, verdict));
    await sapper.click("#tab-replay");
    await page.fill("#replay-text", LOG);
    await sapper.click("#replay-read");
    await page.evaluate(() => document.querySelector(".viewer-account").scrollIntoView());
    const [shown, account] = [
      await box("#viewer .board-grid"), await box("#viewer .viewer-account h3"),
    ];
    assert.ok(isIn(shown, page) && isIn(account, page) && areApart(shown, account));
  });

pageTest("a tap beside an open menu closes it alone", UPRIGHT, async (sapper, page) => {
  await sapper.click("#palette [data-tool='2']");
  const menu = page.locator("#analyse details.menu");
  await menu.locator("summary").tap();
  assert.ok(await menu.evaluate(({ open }) => open));
  const before = await sapper.text("#move-line");
  const { x, y, width, height } = await sapper.cell([8, 0]).boundingBox();
  const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2);
  await tap();
  await sapper.ready();
  assert.ok(!await menu.evaluate(({ open }) => open));
  assert.deepEqual([await sapper.shows([8, 0]), await sapper.text("#move-line")], ["0", before]);
  await tap();
  await sapper.ready();
  assert.equal(await sapper.shows([8, 0]), "2");
});

bothTest("Back leads to the view before", {}, async (page) => {
  const shown = () => page.evaluate(() =>
    document.querySelector(".view:not([hidden])")?.id ?? "the first choice");
  const go = async (steps, expected) => {
    await page.evaluate((by) => history.go(by), steps);
    for (let left = 50; left > 0 && await shown() !== expected; left--) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await page.ready();
    assert.equal(await shown(), expected);
  };
  await page.click("#tab-play");
  await page.click(page.cell([4, 4]));
  const open = () => page.count("#play-board .cell:not([data-shows=hidden])");
  const before = await open();
  await page.click("#tab-analyse");
  await page.put("3 1 1\n.1.");
  await page.click("#tab-replay");
  await go(-1, "analyse");
  assert.equal(await page.count("#analyse-board .cell"), 3);
  assert.match(await page.evaluate(() => location.hash), /^#field=/);
  await go(-1, "play");
  assert.equal(await open(), before, "the game goes on");
  // Another game stays, wherever Back and Forward lead.
  await page.click("#new-game");
  await page.click(page.cell([0, 0]));
  const game = await page.text("#game-line");
  await go(1, "analyse");
  await go(-1, "play");
  assert.equal(await page.text("#game-line"), game);
  await go(-2, "the first choice");
  await page.reload();
  assert.equal(await shown(), "the first choice");
  await go(2, "play");
  assert.equal(await page.text("#game-line"), game);
  await go(1, "analyse");
  assert.equal(await page.count("#analyse-board .cell"), 3);
});

pageTest("mistakes stay where they are until all chances are known", {}, async (sapper, page) => {
  const told = (isComplete) => page.evaluate((isKnown) => {
    const source = { title: "a game", name: "", scored: false, unit: "", value: "wins" };
    const panel = new ViewerPanel(document.body, source, () => {});
    const mistake = (turn, cost) =>
      ({ turn, judgement: { name: "worse guess", cost, cost_text: cost + " points" } });
    panel.tellAccount({ sentences: ["Luck."] }, [mistake(1, 0.1), mistake(2, 0.5)], isKnown);
    panel.root.remove();
    return panel.account.textContent;
  }, isComplete);
  const known = await told(true);
  assert.ok(known.includes("A game.") && !known.includes("stimated"), known);
  assert.match(known, /the costliest first:.*Turn 2.*Turn 1/);
  const estimated = await told(false);
  assert.match(estimated, /Estimated.*Luck.*Mistakes so far.*Turn 1.*Turn 2/);
});
