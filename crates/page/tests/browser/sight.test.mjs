// What is seen, and where: the first choice, the answer on the first screen, figures and their
// words.

import assert from "node:assert/strict";
import { PAGE, SapperPage, browserTest, pageTest, rootPath, withAddress } from "./browser.mjs";

const phone = (width, height) =>
  ({ viewport: { width, height }, hasTouch: true, isMobile: true });
const SCREENS = {
  "320x640": phone(320, 640),
  "390x844": phone(390, 844),
  "1280x800": { viewport: { width: 1280, height: 800 } },
  "1440x900": { viewport: { width: 1440, height: 900 } },
};
// A guess with many candidates on a board with rows and columns of two digits.
const ROW = ".".repeat(16) + "\n";
const GUESS = "16 16 40\n" + ROW.repeat(11) + "...........3....\n" + ROW + "............3...\n" +
  ROW.repeat(2);

// How far the page and its tables reach beyond their windows, in pixels.
const overflow = (page) => page.evaluate(() => {
  const root = document.documentElement;
  const tables = [...document.querySelectorAll(".view:not([hidden]) table:not([hidden])")]
    .filter((table) => table.offsetWidth > 0);
  return {
    tables: tables.length,
    most: Math.max(root.scrollWidth - root.clientWidth, ...tables.map((table) => {
      const around = table.parentElement.getBoundingClientRect();
      return table.getBoundingClientRect().right - around.right;
    })),
  };
});

for (const [size, options] of Object.entries(SCREENS)) {
  pageTest(`the table of candidates is not cut off at ${size}`, options, async (sapper, page) => {
    await sapper.put(GUESS);
    assert.ok(await page.locator("#candidates tbody tr").count() > 3);
    for (const goal of ["fewest-hits", "clean-win"]) {
      await page.selectOption("#objective", goal);
      await sapper.ready();
      // The column of the chance is full of figures.
      await page.waitForSelector("#chance-line[data-playouts]");
      const { tables, most } = await overflow(page);
      assert.ok(tables >= 1 && most <= 0, `${tables} tables, ${most} px beyond the edge`);
      assert.ok(await page.locator("#chance-head").isVisible());
    }
  });

  pageTest(`the move and its reason are on the first screen at ${size}`, options,
    async (sapper, page) => {
      const isPhone = Boolean(options.isMobile);
      const box = (selector) => page.locator(selector).first().boundingBox();
      const [board, move, reason, palette] = [
        await box("#analyse-board"), await box("#move-line"), await box("#why li"),
        await box("#palette"),
      ];
      const end = isPhone ? palette.y : options.viewport.height;
      // At least a line of the reason.
      assert.ok(reason.y + 20 <= end, `the reason is at ${reason.y}, the end at ${end}`);
      assert.ok(palette.y + palette.height <= options.viewport.height + 0.5);
      if (isPhone) assert.ok(board.y + board.height <= move.y && move.y < reason.y);
    });

  pageTest(`mines left and time are above the board at ${size}`, options, async (sapper, page) => {
    await sapper.click("#tab-play");
    await sapper.cell([4, 4]).click();
    await sapper.ready();
    const [facts, board] = [
      await page.locator(".counters").boundingBox(),
      await page.locator("#play-board").boundingBox(),
    ];
    assert.ok(facts.y + facts.height <= board.y);
    assert.match(await sapper.text(".counters"), /Mines left\s*10\s*Time/);
    // With the chance to win beside them, too.
    await page.check("#chance-shown");
    await page.waitForSelector("#chance-bar[data-playouts]");
    const [bar, below] = [
      await page.locator("#chance-bar").boundingBox(),
      await page.locator("#play-board").boundingBox(),
    ];
    assert.ok(bar.y + bar.height <= below.y && bar.x >= 0);
    assert.ok((await overflow(page)).most <= 0);
  });
}

pageTest("on a phone the settings are folded away, and no tap moves the board", SCREENS["390x844"],
  async (sapper, page) => {
    await sapper.click("#tab-play");
    assert.ok(await page.isHidden("#level") && await page.isVisible("#new-game"));
    assert.match(await sapper.text("#play-fold"), /9×9, 10 mines/);
    const top = () => page.locator("#play-board").evaluate((board) =>
      board.getBoundingClientRect().top + window.scrollY);
    const before = await top();
    await sapper.cell([4, 4]).tap();
    await sapper.ready();
    assert.equal(await top(), before);
    // Open settings stay open, too.
    await page.click("#play-fold");
    assert.ok(await page.isVisible("#level"));
    const unfolded = await top();
    assert.ok(unfolded > before);
    await sapper.click("#restart");
    await sapper.cell([4, 4]).tap();
    await sapper.ready();
    assert.equal(await top(), unfolded);
    // The hint and the verdict stand between the board and the palette.
    await page.click("#play-fold");
    await sapper.click("#hint");
    const [board, hint, palette] = [
      await page.locator("#play-board").boundingBox(),
      await page.locator("#hint-line").boundingBox(),
      await page.locator("#play-palette").boundingBox(),
    ];
    assert.ok(board.y + board.height <= hint.y && hint.y + 20 <= palette.y);
    await page.click("#play-fold");
    await sapper.click("#new-game");
    assert.ok(await page.isHidden("#level"));
  });

for (const [size, options] of Object.entries(SCREENS)) {
  pageTest(`the help in Play is one line of buttons at ${size}`, options, async (sapper, page) => {
    await sapper.click("#tab-play");
    const boxes = await page.locator("#play-palette button").evaluateAll((buttons) =>
      buttons.map((button) => button.getBoundingClientRect()).map(({ y, right }) => [y, right]));
    assert.equal(boxes.length, 4);
    assert.ok(boxes.every(([y]) => y === boxes[0][0]), String(boxes));
    assert.ok(boxes.at(-1)[1] <= options.viewport.width, String(boxes));
    assert.ok(await page.isVisible("#speed") && await page.isVisible("#play-effort"));
  });
}

// The lines that the tools of a view stand in, and how far they reach beyond their box.
const tools = (page, view) => page.evaluate((name) => {
  const box = document.querySelector(`#${name} .tools`);
  const middles = [...box.querySelectorAll("label, button, summary")]
    .filter((one) => one.offsetParent !== null && one.closest(".menu-items") === null)
    .map((one) => one.getBoundingClientRect()).map(({ y, height }) => Math.round(y + height / 2));
  const { right } = box.lastElementChild.getBoundingClientRect();
  const height = Math.max(...middles) - Math.min(...middles);
  return { height, beyond: right - box.getBoundingClientRect().right };
}, view);

pageTest("the tools are one line in all wide windows", {}, async (sapper, page) => {
  const check = async (view, from) => {
    for (const width of [960, 980, 1000, 1024, 1060, 1152, 1160, 1280, 1300, 1440, 1600, 1920]) {
      if (width < from) continue;
      await page.setViewportSize({ width, height: 800 });
      const { height, beyond } = await tools(page, view);
      assert.ok(height <= 2 && beyond <= 0.5, `${view} at ${width}: ${height} high, ${beyond} px`);
    }
  };
  await check("analyse", 0);
  // Without a mine count there is the density, too.
  await sapper.put("9 9\n" + (".........\n").repeat(9));
  await check("analyse", 1060);
  await sapper.click("#tab-play");
  await check("play", 0);
});

pageTest("what the coach says moves nothing below it", {}, async (sapper, page) => {
  await sapper.click("#tab-play");
  assert.match(await sapper.text(".told"), /Open a cell/);
  const place = async () => (await page.locator("#game-line").boundingBox()).y;
  const before = await place();
  await sapper.cell([4, 4]).click();
  await sapper.ready();
  assert.match(await sapper.text("#verdict"), /no risk/);
  assert.ok(await page.isHidden(".awaits"));
  assert.equal(await place(), before);
  // Without the coach, the card is there for hints alone.
  await page.uncheck("#coach");
  await sapper.click("#new-game");
  assert.ok(await page.isHidden(".told"));
});

pageTest("at 4K the text and the board grow", { viewport: { width: 3840, height: 2160 } },
  async (sapper, page) => {
    const size = await page.locator("#move-line").evaluate((line) =>
      parseFloat(getComputedStyle(line).fontSize));
    assert.ok(size >= 32, `the headline has ${size} px`);
    const { width } = await sapper.cell([0, 0]).boundingBox();
    assert.ok(width >= 170, `cells have ${width} px`);
  });

// ---- Figures ----------------------------------------------------------------------------------

pageTest("cells show a decimal where they have room", {}, async (sapper, page) => {
  assert.equal(await sapper.cell([5, 6]).textContent(), "5.9");
  assert.equal(await sapper.cell([4, 3]).textContent(), "33.3");
  const isCut = (cell) => sapper.cell(cell).evaluate((one) => one.scrollWidth > one.clientWidth);
  assert.equal(await isCut([4, 3]), false);
  for (let step = 0; step < 4; step++) await page.click("#analyse-smaller");
  assert.equal(await sapper.cell([5, 6]).textContent(), "6");
  await sapper.put("2 1 1\n..");
  assert.equal(await sapper.cell([0, 0]).textContent(), "50");
});

pageTest("the cells show the chance that is chosen", {}, async (sapper, page) => {
  await page.selectOption("#objective", "clean-win");
  await sapper.put("3 1 1\n...");
  const shown = async (name) => {
    await page.selectOption("#overlay", name);
    await sapper.ready();
    return page.locator("#analyse-board .cell").allTextContents();
  };
  // The mine is the left, the middle or the right cell. An outer one shows 0 or 1, and either tells
  // all; the middle one can only show 1.
  assert.deepEqual(await shown("mine"), ["33.3", "33.3", "33.3"]);
  assert.deepEqual(await shown("safe"), ["66.7", "66.7", "66.7"]);
  assert.deepEqual(await shown("zero"), ["33.3", "0", "33.3"]);
  assert.deepEqual(await shown("next"), ["66.7", "0", "66.7"]);
  assert.match(await sapper.text("#legend"), /proven safe once this one is open/);
  assert.match(await sapper.cell([0, 0]).getAttribute("aria-label"), /safe cell next with 66\.7/);
  const dead = await page.locator("#analyse-board .cell.dead").evaluateAll((cells) =>
    cells.map((cell) => cell.dataset.col));
  assert.deepEqual(dead, ["1"]);
  assert.match(await sapper.cell([0, 1]).getAttribute("aria-label"), /tells nothing/);
  // A change is answered anew, and the choice survives a reload.
  await sapper.put("3 1 1\n1..");
  await page.reload();
  await sapper.ready();
  assert.equal(await page.inputValue("#overlay"), "next");
  assert.deepEqual(await page.locator("#analyse-board .cell").allTextContents(),
    ["1", "×", "100"]);
});

// The contrast of two colours, as WCAG 2 counts it.
const contrast = (page, ...selectors) => page.evaluate((chosen) => {
  const [a, b] = chosen.map((selector) => {
    const { backgroundColor } = getComputedStyle(document.querySelector(selector));
    return luminance(backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
  });
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}, selectors);

for (const colorScheme of ["light", "dark"]) {
  pageTest(`a cell that is proven safe is told from an open one: ${colorScheme}`, { colorScheme },
    async (sapper, page) => {
      const [safe, open] = ["#analyse-board .cell.safe", "#analyse-board .cell.open"];
      assert.equal(await sapper.cell([4, 2]).getAttribute("class"), "cell hidden proven safe");
      const found = await contrast(page, safe, open);
      assert.ok(found >= 3, `the contrast is ${found}`);
      assert.ok(await contrast(page, safe, "#analyse-board [data-row='5'][data-col='6']") >= 1.5);
    });
}

// ---- The first sight --------------------------------------------------------------------------

for (const [choice, tab] of [["play", "Play"], ["analyse", "Analyse"], ["replay", "Replay"]]) {
  browserTest(`a newcomer chooses what to begin with: ${choice}`, () =>
    withAddress(PAGE, {}, async (page) => {
      const sapper = new SapperPage(page);
      await sapper.ready();
      assert.match(await sapper.text("#start-title"), /Minesweeper/);
      assert.equal(await page.locator(".view:not([hidden])").count(), 0);
      // No key does anything to a view that is not shown.
      await sapper.press("n", "ArrowDown", "+", "Control+c");
      await sapper.click("#start-" + choice);
      assert.ok(await page.isVisible("#" + choice) && await page.isHidden("#start"));
      assert.equal(await sapper.text("[aria-selected=true]"), tab);
      await page.reload();
      await sapper.ready();
      assert.ok(await page.isVisible("#" + choice) && await page.isHidden("#start"));
    }));
}

browserTest("a link is not met with a choice", () =>
  withAddress(PAGE + "#play=open-first,9x9/10,3", {}, async (page) => {
    const sapper = new SapperPage(page);
    await sapper.ready();
    assert.ok(await page.isVisible("#play") && await page.isHidden("#start"));
  }));

pageTest("what was read once is not told again", {}, async (sapper, page) => {
  assert.ok(await page.isVisible("#first-hint"));
  await sapper.click("#first-hint-close");
  assert.ok(await page.isHidden("#first-hint"));
  await page.reload();
  await sapper.ready();
  assert.ok(await page.isHidden("#first-hint"));
});

pageTest("a click on a hidden cell of the sample leaves a position that can be", {},
  async (sapper, page) => {
    const hidden = await page.locator("#analyse-board .cell.hidden").evaluateAll((cells) =>
      cells.map(({ dataset }) => [+dataset.row, +dataset.col]));
    assert.ok(hidden.length > 20);
    // Every third one: there are many.
    for (const cell of hidden.filter((_, index) => index % 3 === 0)) {
      await sapper.cell(cell).click();
      await sapper.ready();
      assert.notEqual(await sapper.shows(cell), "hidden");
      assert.notEqual(await sapper.text("#move-line"), "This position cannot be", `${cell}`);
      await sapper.click("#undo");
    }
  });

// ---- Words ------------------------------------------------------------------------------------

// Two numbers, each with a mine at its left or at its right. A cell between them tells about both
// pairs, and an end tells nothing: 1/2 x 1/2 of the games is lost by it.
pageTest("a worse click is told what was better, and what it cost", {}, async (sapper, page) => {
  await page.setInputFiles("#file", {
    name: "pairs.mbf", mimeType: "application/octet-stream",
    buffer: Buffer.from("060100020200" + "0500", "hex"),
  });
  await page.waitForSelector("#play:not([hidden])");
  await sapper.ready();
  for (const column of [1, 4, 0]) {
    await sapper.cell([0, column]).click();
    await sapper.ready();
  }
  const verdict = await sapper.text("#verdict");
  assert.match(verdict,
    /^A guess worse than the best: \(0,0\), risk 50\.00 %\. Better: \(0,[23]\), /);
  const end = "risk 50.00 %. Your click cost 25.0 points of the chance to win, exactly.";
  assert.ok(verdict.endsWith(end), verdict);
});

// The rules of the recorded game know no score.
pageTest("a classic game has no score in Replay", {}, async (sapper, page) => {
  await page.setInputFiles("#file", rootPath("samples/formats/person.rawvf"));
  await page.waitForSelector("#viewer .cell");
  await sapper.ready();
  assert.match(await sapper.text(".viewer-facts"), /^Mines opened: 0, cells hidden/);
  assert.doesNotMatch(await sapper.text("#viewer"), /score so far|score \d/);
});

pageTest("a proven cell has no percents in its words", {}, async (sapper, page) => {
  await sapper.cell([4, 2]).hover();
  await page.waitForFunction(() =>
    document.getElementById("cell-line").textContent === "(4,2) is hidden; proven safe");
  await sapper.cell([3, 2]).hover();
  await page.waitForFunction(() =>
    document.getElementById("cell-line").textContent === "(3,2) is hidden; proven a mine");
});
