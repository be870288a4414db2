// Analyse: all ways of putting in, undo, conflicts, odds, reasons and "play on".

import assert from "node:assert/strict";
import { pageTest } from "./browser.mjs";

// The first column is a 50/50, the last one is safe: one mine, beside both numbers.
const EVEN = "3 2 1\n1..\n1..";

pageTest("the mouse steps, paints and flags", {}, async (sapper, page) => {
  await page.selectOption("#size", { label: "Beginner 9×9/10" });
  await sapper.click("#clear");
  for (const shows of ["0", "1", "2", "3", "4", "5", "6", "7", "8", "hidden"]) {
    await sapper.cell([4, 4]).click();
    await sapper.ready();
    assert.equal(await sapper.shows([4, 4]), shows);
  }
  // A press at one end and a release at the other, without the cells between.
  await sapper.cell([6, 1]).hover();
  await page.mouse.down();
  await sapper.cell([6, 6]).hover();
  await page.mouse.up();
  for (let column = 1; column <= 6; column++) assert.equal(await sapper.shows([6, column]), "0");
  assert.equal(await sapper.shows([6, 7]), "hidden");
  await sapper.click("#undo");
  assert.equal(await sapper.shows([6, 3]), "hidden");
  const before = await sapper.odds([1, 1]);
  await sapper.cell([1, 1]).click({ button: "right" });
  assert.match(await sapper.cell([1, 1]).getAttribute("aria-label"), /flagged/);
  await sapper.ready();
  assert.equal(await sapper.odds([1, 1]), before);
  await sapper.cell([2, 2]).hover();
  for (let step = 0; step < 4; step++) await page.mouse.wheel(0, -120);
  await sapper.ready();
  assert.equal(await sapper.shows([2, 2]), "3");
  await page.mouse.wheel(0, 120);
  assert.equal(await sapper.shows([2, 2]), "2");
});

pageTest("the keyboard alone puts in a field", {}, async (sapper, page) => {
  await sapper.click("#clear");
  await page.focus(".board-grid");
  await sapper.press("Home", "PageUp", "1", "ArrowRight", "m", "ArrowRight", "f", "ArrowDown", "8");
  assert.equal(await sapper.shows([0, 0]), "1");
  assert.equal(await sapper.shows([0, 1]), "mine");
  assert.match(await sapper.cell([0, 2]).getAttribute("aria-label"), /flagged/);
  assert.equal(await sapper.shows([1, 2]), "8");
  await sapper.press("Home", "PageUp", "Shift+ArrowDown", "Shift+ArrowRight", ".");
  for (const cell of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
    assert.equal(await sapper.shows(cell), "hidden");
  }
  assert.equal(await sapper.shows([1, 2]), "8");
  await sapper.press("Control+z");
  assert.equal(await sapper.shows([0, 1]), "mine");
  await sapper.press("Control+y");
  assert.equal(await sapper.shows([0, 1]), "hidden");
});

const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

pageTest("fingers tap, press long, and choose in the palette", PHONE, async (sapper, page) => {
  await sapper.unfold();
  await sapper.click("#clear");
  await page.tap("[data-tool='3']");
  await sapper.cell([1, 1]).tap();
  assert.equal(await sapper.shows([1, 1]), "3");
  await page.tap("[data-tool='look']");
  await sapper.cell([2, 2]).tap();
  assert.equal(await sapper.shows([2, 2]), "hidden");
  const { x, y } = await sapper.cell([3, 3]).boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: x + 8, y: y + 8 }]);
  await page.waitForTimeout(600);
  await touch("touchEnd", []);
  assert.match(await sapper.cell([3, 3]).getAttribute("aria-label"), /flagged/);
  const { width } = await sapper.cell([0, 0]).boundingBox();
  assert.ok(width >= 18, `cells are ${width} px wide`);
});

pageTest("undo and redo have no limit and end at the first field", {}, async (sapper, page) => {
  const start = await sapper.field();
  await page.focus(".board-grid");
  for (let index = 0; index < 60; index++) {
    await page.keyboard.press(index % 2 === 0 ? "1" : ".");
    await page.keyboard.press("ArrowRight");
    if (index % 8 === 7) await page.keyboard.press("Home");
  }
  await page.fill("#mines", "12");
  await page.press("#mines", "Enter");
  await sapper.ready();
  const end = await sapper.field();
  assert.notEqual(end, start);
  while (await page.isEnabled("#undo")) await page.click("#undo");
  assert.equal(await sapper.field(), start);
  while (await page.isEnabled("#redo")) await page.click("#redo");
  assert.equal(await sapper.field(), end);
});

pageTest("a board of another size is as dense as was chosen", {}, async (sapper, page) => {
  const make = async (columns, rows) => {
    await page.selectOption("#size", "custom");
    await page.fill("#custom-columns", String(columns));
    await page.fill("#custom-rows", String(rows));
    await sapper.click("#custom-make");
    return page.inputValue("#mines");
  };
  await page.selectOption("#size", { label: "Intermediate 16×16/40" });
  assert.equal(await make(1, 1), "0");
  assert.equal(await make(32, 16), "80");
  await page.fill("#mines", "51");
  await page.press("#mines", "Enter");
  assert.equal(await make(10, 10), "10");
  assert.equal(await page.textContent("#size option:checked"), "10×10/10");
  assert.ok(await page.isHidden("#custom"));
  await page.selectOption("#size", "custom");
  await page.fill("#custom-rows", "5");
  await page.press("#custom-rows", "Enter");
  await sapper.ready();
  assert.equal(await page.locator("#analyse-board .cell").count(), 50);
});

// The two cells in the corner: the mines above them are proven, and one of the two is the third.
const CORNER = [
  ...Array(5).fill("000000000"), "221000000", "..1000000", ".31000000", ".10000000",
];

async function isUnderstood(sapper) {
  assert.match(await sapper.text("#move-line"), /^Guess \((7|8),0\): a mine with 50\.00\s%$/);
  assert.match(await sapper.text("#why"), /\(7,0\) and \(8,0\) are a 50\/50/);
  assert.equal(await sapper.odds([8, 0]), 0.5);
  assert.equal(await sapper.cell([6, 1]).textContent(), "×");
}

async function emptyBoard(sapper, page) {
  await sapper.unfold();
  await sapper.click("#clear");
  await page.fill("#mines", "3");
  await page.press("#mines", "Enter");
  await sapper.ready();
}

const numbers = () => CORNER.flatMap((line, row) => [...line].flatMap((sign, column) =>
  (sign > "0" ? [[[row, column], sign]] : [])));

pageTest("a 50/50 is put in and understood by mouse", {}, async (sapper, page) => {
  await emptyBoard(sapper, page);
  for (const [row, line] of CORNER.entries()) {
    await sapper.cell([row, line.lastIndexOf(".") + 1]).hover();
    await page.mouse.down();
    await sapper.cell([row, 8]).hover();
    await page.mouse.up();
  }
  for (const [cell, number] of numbers()) {
    await page.click(`[data-tool='${number}']`);
    await sapper.cell(cell).click();
  }
  await sapper.ready();
  await isUnderstood(sapper);
});

pageTest("a 50/50 is put in and understood by keyboard", {}, async (sapper, page) => {
  await emptyBoard(sapper, page);
  await page.focus("#analyse-board .board-grid");
  await page.keyboard.press("PageUp");
  for (const line of CORNER) {
    await page.keyboard.press("Home");
    for (const sign of line) {
      await page.keyboard.press(sign);
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("ArrowDown");
  }
  await sapper.ready();
  await isUnderstood(sapper);
});

pageTest("a 50/50 is put in and understood by touch", PHONE, async (sapper, page) => {
  await emptyBoard(sapper, page);
  await page.tap("[data-tool='0']");
  for (const [row, line] of CORNER.entries()) {
    for (const [column, sign] of [...line].entries()) {
      if (sign === "0") await sapper.cell([row, column]).tap();
    }
  }
  for (const [cell, number] of numbers()) {
    await page.tap(`[data-tool='${number}']`);
    await sapper.cell(cell).tap();
  }
  await sapper.ready();
  await isUnderstood(sapper);
  await page.tap("[data-tool='look']");
  await sapper.cell([8, 0]).tap();
  await page.waitForFunction(() =>
    document.getElementById("cell-line").textContent.startsWith("(8,0) is hidden"));
});

pageTest("a position that cannot be says which cells", {}, async (sapper, page) => {
  await sapper.put("4 1 1\n1.0.");
  assert.equal(await sapper.text("#move-line"), "This position cannot be");
  assert.match(await sapper.text("#why"), /1 at \(0,0\).*0 at \(0,2\)/);
  assert.deepEqual((await sapper.marked("wrong")).sort(), ["0,0", "0,2"]);
  assert.equal(await page.locator("[data-odds]").count(), 0);
  await sapper.click("#undo");
  assert.deepEqual(await sapper.marked("wrong"), []);
  assert.ok(await page.locator("[data-odds]").count() > 0);
});

pageTest("a number of mines that cannot be frames no cell", {}, async (sapper) => {
  await sapper.put("3 1 7\n...");
  assert.deepEqual(await sapper.marked("wrong"), []);
  assert.equal(await sapper.text("#totals"), "Change the number of mines.");
  await sapper.put("5 1 1\n1...1");
  assert.equal(await sapper.text("#totals"),
    "Change one of the framed cells, or the number of mines.");
});

pageTest("reasons of an outdated field are not shown while an answer takes long", {},
  async (sapper, page) => {
    await page.addInitScript(() => {
      const { Worker } = window;
      window.Worker = class extends Worker {
        postMessage(message) {
          const isLate = window.isLate && message.request?.includes('"do":"analyse"');
          setTimeout(() => super.postMessage(message), isLate ? 1500 : 0);
        }
      };
    });
    await page.reload();
    await sapper.ready();
    await page.evaluate(() => (window.isLate = true));
    await page.selectOption("#size", { label: "Intermediate 16×16/40" });
    await page.waitForTimeout(600);
    assert.equal(await sapper.odds([0, 0]), 40 / 256);
    assert.equal(await sapper.text("#move-line"), "Thinking");
    assert.equal(await sapper.text("#why"), "");
    await page.waitForFunction(() =>
      document.getElementById("move-line").textContent.startsWith("Guess"));
  });

pageTest("odds, the move, the reason and its cells", {}, async (sapper, page) => {
  await sapper.put(EVEN);
  assert.equal(await sapper.odds([0, 1]), 0.5);
  assert.equal(await sapper.odds([1, 2]), 0);
  assert.equal(await sapper.cell([1, 2]).textContent(), "ok");
  assert.deepEqual(await sapper.move(), [0, 2]);
  assert.match(await sapper.text("#move-line"), /^Open \(0,2\): proven safe/);
  await page.hover("#why li");
  assert.deepEqual((await sapper.marked("tells")).sort(), ["0,2", "1,2"]);
  assert.deepEqual(await sapper.marked("uses"), ["0,0"]);
  await page.hover("h1");
  assert.deepEqual(await sapper.marked("tells"), []);
});

pageTest("when the page is ready, the card is about the cell of the cursor", {},
  async (sapper, page) => {
    await sapper.put("3 2 1\n1..\n1..");
    for (const cell of [[0, 1], [1, 2], [1, 1]]) {
      await sapper.cell(cell).hover();
      await sapper.ready();
      assert.ok((await sapper.text("#cell-line")).includes(`(${cell})`), `${cell}`);
    }
    await sapper.press("1");
    assert.doesNotMatch(await sapper.text("#cell-line"), /mine with/);
  });

pageTest("a cell says what opening it may show", {}, async (sapper, page) => {
  await sapper.put("3 1 1\n...");
  await sapper.cell([0, 0]).hover();
  await page.waitForSelector("#outcomes:not([hidden])");
  await sapper.ready();
  const rows = await page.locator("#outcomes tbody tr").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split("\t")[0]), ["0", "1", "a mine"]);
  assert.match(rows[0], /33\.33/);
  await page.hover("#outcomes tbody tr");
  assert.deepEqual(await sapper.marked("tells"), ["0,1"]);
});

pageTest("play on opens what is certain and asks for the rest", {}, async (sapper, page) => {
  await sapper.put(EVEN);
  await sapper.click("#play-on");
  await page.waitForSelector("#ask:not([hidden])");
  // The mine is at (0,1) or at (1,1), so both cells of the last column show 1.
  assert.equal(await sapper.shows([0, 2]), "1");
  assert.equal(await sapper.shows([1, 2]), "1");
  assert.match(await sapper.text("#ask-line"), /^Guess the cell \(0,1\)/);
  const answers = await page.locator("#ask-answers button").allInnerTexts();
  assert.deepEqual(answers.map((text) => text.split("\n")[0]), ["1", "Mine"]);
  await sapper.press("1");
  await page.waitForFunction(() =>
    document.getElementById("notice-text").textContent === "Nothing is left to open.");
  assert.match(await sapper.cell([1, 1]).getAttribute("aria-label"), /proven a mine, flagged/);
  assert.equal(await sapper.move(), null);
});

pageTest("the goal and the effort change what is said", {}, async (sapper, page) => {
  await sapper.put("5 4 5\n.....\n.2...\n....1\n.....");
  assert.match(await sapper.text("#totals"), /effort: standard/);
  await page.selectOption("#effort", "full");
  await page.waitForFunction(() =>
    document.getElementById("totals").textContent.includes("effort: full"));
  await page.selectOption("#effort", "fast");
  await sapper.ready();
  assert.match(await sapper.text("#totals"), /effort: fast/);
  await page.selectOption("#objective", "clean-win");
  await sapper.ready();
  assert.ok(await sapper.move());
});

pageTest("Play on takes only a number that is offered", {}, async (sapper, page) => {
  await sapper.put("3 1 1\n...");
  await sapper.click("#play-on");
  const cell = await page.evaluate(() =>
    document.getElementById("ask-line").textContent.match(/\d+/g).map(Number));
  await sapper.press("7");
  assert.match(await sapper.notice(), /cannot show 7; choose what is offered$/);
  assert.equal(await sapper.shows(cell), "hidden");
});

pageTest("Fit shows the whole of a large board", {}, async (sapper, page) => {
  await sapper.put("100 100 1000\n" + (".".repeat(100) + "\n").repeat(100));
  await page.click("#analyse-fit");
  assert.equal(await page.locator("#analyse-board .board-frame").evaluate((frame) =>
    frame.scrollHeight <= frame.clientHeight + 1), true);
});

pageTest("nothing is asked about a position that cannot be", {}, async (sapper, page) => {
  await sapper.put("3 3 1\n...\n...\n..1");
  await sapper.click("#play-on");
  await page.waitForSelector("#ask:not([hidden])");
  await page.focus(".board-grid");
  await sapper.press("End", "PageDown", "8");
  assert.match(await sapper.text("#move-line"), /cannot be/);
  assert.ok(!await page.isVisible("#ask"));
});

pageTest("the card tells about the cell that was flagged last", {}, async (sapper, page) => {
  await sapper.put("3 1 1\n..1");
  for (const column of [0, 1]) {
    await sapper.cell([0, column]).click({ button: "right" });
    await page.waitForFunction((cell) =>
      document.getElementById("cell-line").textContent.includes(cell), `(0,${column})`);
  }
  assert.equal(await page.locator("#analyse-board .cell.flagged").count(), 2);
});
