// What is seen, and where: the first choice, the answer on the first screen, figures and their
// words.

import assert from "node:assert/strict";
import { bothTest } from "./both.mjs";
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
  bothTest(`the table of candidates is not cut off at ${size}`, options, async (page) => {
    await page.put(GUESS);
    assert.ok(await page.count("#candidates tbody tr") > 3);
    for (const goal of ["fewest-hits", "clean-win"]) {
      await page.choose("#objective", goal);
      // The column of the chance is full of figures.
      await page.page.waitForSelector("#chance-line[data-playouts]");
      // In Firefox, whose letters are wider, the last column may reach the frame of its card.
      const isFirefox = await page.evaluate(() => navigator.userAgent.includes("Firefox"));
      const { tables, most } = await overflow(page);
      const isInside = most <= (isFirefox ? 2 : 0);
      assert.ok(tables >= 1 && isInside, `${tables} tables, ${most} px beyond the edge`);
      assert.ok(await page.isVisible("#chance-head") && await page.isVisible("#cost-name"));
      const name = goal === "clean-win" ? "cost, %" : "cost, mines";
      assert.equal(await page.text("#cost-name"), name);
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

// At 4K the text and the board grow.
const LARGE = { viewport: { width: 3840, height: 2160 } };
const fontSize = (page, selector) => page.locator(selector).first().evaluate((line) =>
  parseFloat(getComputedStyle(line).fontSize));

pageTest("at 4K the text and the board grow", LARGE, async (sapper, page) => {
  const size = await fontSize(page, "#move-line");
  assert.ok(size >= 32, `the headline has ${size} px`);
  const { width } = await sapper.cell([0, 0]).boundingBox();
  assert.ok(width >= 170, `cells have ${width} px`);
});

pageTest("at 4K the text and the board grow in Play and Replay", LARGE, async (sapper, page) => {
  await sapper.click("#tab-play");
  await sapper.cell([4, 4]).click();
  await sapper.ready();
  const check = async (head, words) => {
    const [large, plain] = [await fontSize(page, head), await fontSize(page, words)];
    assert.ok(large >= 28 && plain >= 24, `${head} has ${large} px, ${words} ${plain} px`);
    const { width, x, y, height } = await sapper.cell([8, 8]).boundingBox();
    assert.ok(width >= 160, `cells have ${width} px`);
    assert.ok(x + width <= 3840 && y + height <= 2160, "the board is beyond the window");
  };
  await check("#game-line", "#verdict p");
  await sapper.click("#to-replay");
  await page.waitForSelector("#viewer .cell");
  await sapper.ready();
  await check("#viewer h2", ".viewer-facts");
});

// ---- Figures ----------------------------------------------------------------------------------

bothTest("cells show a decimal where they have room", {}, async (page) => {
  await page.click("#tab-analyse");
  const shown = (cell) => page.text(page.cell(cell));
  assert.equal(await shown([5, 6]), "5.9");
  assert.equal(await shown([4, 3]), "33.3");
  const isCut = await page.page.$eval(page.cell([4, 3]), (one) =>
    one.scrollWidth > one.clientWidth);
  assert.equal(isCut, false);
  for (let step = 0; step < 4; step++) await page.click("#analyse-smaller");
  assert.equal(await shown([5, 6]), "6");
  await page.put("2 1 1\n..");
  assert.equal(await shown([0, 0]), "50");
});

bothTest("the cells show the chance that is chosen", {}, async (page) => {
  await page.click("#tab-analyse");
  await page.choose("#objective", "clean-win");
  await page.put("3 1 1\n...");
  const cells = () => page.texts("#analyse-board .cell");
  const shown = async (name) => {
    await page.choose("#overlay", name);
    return cells();
  };
  const label = (cell) => page.attribute(page.cell(cell), "aria-label");
  // The mine is the left, the middle or the right cell. An outer one shows 0 or 1, and either tells
  // all; the middle one can only show 1.
  assert.deepEqual(await shown("mine"), ["33.3", "33.3", "33.3"]);
  assert.deepEqual(await shown("safe"), ["66.7", "66.7", "66.7"]);
  assert.deepEqual(await shown("zero"), ["33.3", "0", "33.3"]);
  assert.deepEqual(await shown("next"), ["66.7", "0", "66.7"]);
  assert.match(await page.text("#legend"), /proven safe once this one is open/);
  assert.match(await label([0, 0]), /safe cell next with 66\.7/);
  const dead = await page.page.$$eval("#analyse-board .cell.dead", (found) =>
    found.map((cell) => cell.dataset.col));
  assert.deepEqual(dead, ["1"]);
  assert.match(await label([0, 1]), /tells nothing/);
  // A change is answered anew, and the choice survives a reload.
  await page.put("3 1 1\n1..");
  await page.reload();
  assert.equal(await page.value("#overlay"), "next");
  assert.deepEqual(await cells(), ["1", "×", "100"]);
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
  bothTest(`a newcomer chooses what to begin with: ${choice}`, {}, async (page, address) => {
    await page.forget();
    await page.goto(address);
    assert.match(await page.text("#start-title"), /Minesweeper/);
    assert.equal(await page.count(".view:not([hidden])"), 0);
    // No key does anything to a view that is not shown.
    await page.press("n", "ArrowDown", "+", "Control+c");
    await page.click("#start-" + choice);
    const isChosen = async () =>
      await page.isVisible("#" + choice) && !await page.isVisible("#start");
    assert.ok(await isChosen());
    assert.equal(await page.text("[aria-selected=true]"), tab);
    await page.reload();
    assert.ok(await isChosen());
  });
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
bothTest("a worse click is told what was better, and what it cost", {}, async (page) => {
  await page.file("pairs.mbf", Buffer.from("060100020200" + "0500", "hex"));
  await page.page.waitForSelector("#play:not([hidden])");
  for (const column of [1, 4, 0]) await page.click(page.cell([0, column]));
  const verdict = await page.text("#verdict");
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

bothTest("a proven cell has no percents in its words", {}, async (page) => {
  await page.click("#tab-analyse");
  for (const [cell, line] of [
    [[4, 2], "(4,2) is hidden; proven safe"],
    [[3, 2], "(3,2) is hidden; proven a mine"],
  ]) {
    await page.page.hover(page.cell(cell));
    await page.waitForText("#cell-line", line);
  }
  // No cell is said to be a mine with 0 %, nor is the move.
  const labels = await page.page.$$eval("#analyse-board .cell", (cells) =>
    cells.map((cell) => cell.getAttribute("aria-label")));
  assert.ok(labels.some((label) => label.includes("proven safe")), labels.join());
  for (const words of [...labels, await page.text("#analyse .answer")]) {
    assert.doesNotMatch(words, /a mine with 0(\.0+)?\s%/);
  }
});
