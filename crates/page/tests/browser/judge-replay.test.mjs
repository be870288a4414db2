// The page that `judge replay` writes: keys, buttons, what is drawn, and the layout.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { browserTest, rootPath, withAddress } from "./browser.mjs";
import { JUDGE } from "./judge.mjs";

const FOLDER = mkdtempSync(join(tmpdir(), "replay-"));
after(() => rmSync(FOLDER, { recursive: true }));

const SIDE = "document.querySelector('.cell').getBoundingClientRect().width";
const FITS = "(f => f.scrollWidth <= f.clientWidth && f.scrollHeight <= f.clientHeight)" +
  "(document.querySelector('.board-frame'))";

// Without the chances to win, which take long, unless the options ask for them.
function replay(game, output, ...options) {
  const files = [game, "-o", output];
  const isAsked = options.includes("--svg") || options.includes("--playouts");
  const playouts = isAsked ? [] : ["--playouts", "0"];
  execFileSync(JUDGE, ["replay", "--effort", "fast", ...files, ...playouts, ...options]);
  return readFileSync(output, "utf8");
}

// The page of a game, with the data that it holds.
class GamePage {
  constructor(game, ...options) {
    this.game = game;
    this.file = join(FOLDER, "page.html");
    const [, data] = replay(game, this.file, ...options).match(/id="data">(.*?)<\/script>/s);
    this.data = JSON.parse(data);
    this.end = this.data.frames.length - 1;
  }

  static ofSample(name, ...options) {
    return new GamePage(rootPath("samples/games/" + name), ...options);
  }

  // Runs `use` with the page opened at a turn.
  open(turn, use) {
    const address = pathToFileURL(this.file).href + "#" + turn;
    return withAddress(address, { acceptDownloads: true }, use);
  }

  turns(isWanted) {
    return this.data.frames.flatMap((frame, turn) => (isWanted(frame) ? [turn] : []));
  }

  get hits() {
    return this.turns((frame) => frame.hit);
  }

  async goTo(page, turn) {
    await page.evaluate((hash) => { location.hash = hash; }, "#" + turn);
    const shown = `${turn} / ${this.end}`;
    await page.waitForFunction(
      (text) => document.querySelector(".viewer-turn").textContent === text, shown);
  }

  async shownTurn(page) {
    const [turn, end] = (await page.textContent(".viewer-turn")).split(" / ").map(Number);
    assert.equal(end, this.end);
    return turn;
  }
}

browserTest("keys step, and the space bar plays", async () => {
  const game = GamePage.ofSample("default-30x20-80.json");
  const { hits, end } = game;
  assert.ok(hits.length > 1);
  await game.open(3, async (page) => {
    assert.equal(await game.shownTurn(page), 3);
    for (const [key, expected] of [
      ["Home", 0], ["ArrowLeft", 0], ["ArrowRight", 1], ["PageDown", 11], ["ArrowLeft", 10],
      ["PageUp", 0], ["m", hits[0]], ["m", hits[1]], ["Shift+M", hits[0]], ["End", end],
      ["ArrowRight", end],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await game.shownTurn(page), expected, key);
    }
    // At the end, the space bar plays from the start. Pressed again, it stops.
    await page.keyboard.press("Space");
    await page.waitForFunction((last) => {
      const turn = parseInt(document.querySelector(".viewer-turn").textContent);
      return turn > 0 && turn < last;
    }, end);
    await page.keyboard.press("Space");
    assert.equal(await page.textContent("[data-action=play]"), "Play");
    assert.equal(await page.getAttribute("[data-action=play]", "aria-label"), "Play");
    await page.$eval(".viewer-slider", (slider) => {
      slider.value = 40;
      slider.dispatchEvent(new Event("input"));
      slider.focus();
    });
    assert.equal(await game.shownTurn(page), 40);
    await page.keyboard.press("ArrowRight");
    assert.equal(await game.shownTurn(page), 41);
  });
});

browserTest("each button leads to the same turn as its key, and all are listed", async () => {
  const game = GamePage.ofSample("default-30x20-80.json");
  await game.open(0, async (page) => {
    const actions = await page.evaluate("ACTIONS.map(({ name, key }) => [name, key])");
    assert.ok(actions.length > 20);
    assert.equal(await page.locator(".viewer-help tr").count(), actions.length);
    let moved = 0;
    for (const [name, key] of actions) {
      const button = `[data-action=${name}]`;
      assert.equal(await page.$eval(button, (found) => found.tagName), "BUTTON", name);
      // These do not show another turn at once.
      if (["play", "save", "mines"].includes(name)) continue;
      const turns = [];
      for (const isByKey of [true, false]) {
        await game.goTo(page, 60);
        // The keys are the viewer's also where the board has the focus.
        await page.focus(".board-grid");
        if (isByKey) await page.keyboard.press(key);
        else await page.$eval(button, (found) => found.click());
        turns.push(await game.shownTurn(page));
      }
      assert.equal(turns[0], turns[1], name);
      moved += turns[0] !== 60;
    }
    assert.ok(moved > 8, `${moved} actions lead to another turn`);
    const unnamed = await page.$$eval("button, input", (controls) => controls.filter(
      (control) => !(control.textContent || control.getAttribute("aria-label"))).length);
    assert.equal(unnamed, 0);
  });
});

browserTest("mistakes are listed and marked", async () => {
  const game = GamePage.ofSample("default-30x20-80.json");
  const mistakes = game.turns((frame) => frame.judgement?.mistake);
  assert.ok(mistakes.length > 2);
  await game.open(0, async (page) => {
    for (const [key, turn] of [
      ["e", mistakes[0]], ["e", mistakes[1]], ["e", mistakes[2]], ["Shift+E", mistakes[1]],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await game.shownTurn(page), turn);
      const cost = game.data.frames[turn].judgement.cost_text;
      const verdict = await page.textContent(".viewer-verdict");
      assert.ok(verdict.endsWith(`costs ${cost}.`), verdict);
    }
    // The list has the costliest first, and leads to it.
    const { costliest, sentences } = game.data.account;
    const listed = await page.$$eval(".viewer-mistakes button", (buttons) =>
      buttons.map((button) => Number(button.dataset.turn)));
    assert.deepEqual(listed, costliest.map(({ turn }) => turn));
    await page.click(".viewer-mistakes button");
    assert.equal(await game.shownTurn(page), costliest[0].turn);
    const account = await page.textContent(".viewer-account");
    for (const sentence of sentences) assert.ok(account.includes(sentence), sentence);
    // A turn that is no mistake has no verdict.
    await game.goTo(page, game.end);
    assert.ok(await page.isHidden(".viewer-verdict"));
    assert.equal(await page.locator(".viewer-ticks .mistake").count(), mistakes.length);
    assert.equal(await page.locator(".viewer-ticks .hit").count(), game.hits.length);
    // The shapes of the marks differ, not only their colours.
    const shapes = await page.evaluate(() => ["guess", "hit", "mistake"].map((kind) => {
      const style = getComputedStyle(document.querySelector(".viewer-ticks ." + kind));
      return style.clipPath + style.width;
    }));
    assert.equal(new Set(shapes).size, 3, shapes.join());
  });
});

browserTest("a turn looks like the picture of the command, and is saved", async () => {
  const game = GamePage.ofSample("default-30x20-80.json");
  await game.open(0, async (page) => {
    // Small cells have whole percents, as the picture has.
    await page.keyboard.press("-");
    for (const turn of [41, game.end, game.hits[0], 0]) {
      await game.goTo(page, turn);
      const svg = replay(game.game, join(FOLDER, "turn.svg"), "--svg", String(turn));
      const drawn = await page.evaluate((text) => {
        const picture = new DOMParser().parseFromString(text, "image/svg+xml");
        const texts = [...picture.querySelectorAll("#cells > g")].map((cell) =>
          cell.querySelector("text")?.textContent.trim() ?? "");
        const moves = picture.querySelectorAll("#marks > .move").length;
        return { texts, moves, caption: picture.querySelector("#caption").textContent.trim() };
      }, svg);
      assert.equal(drawn.texts.length, 600);
      const texts = await page.$$eval(".cell", (cells) => cells.map((cell) => cell.textContent));
      assert.deepEqual(texts, drawn.texts, `turn ${turn}`);
      assert.equal(await page.locator("[data-move]").count(), drawn.moves, `turn ${turn}`);
      assert.equal(await page.textContent(".viewer-caption"), drawn.caption);
      const saving = page.waitForEvent("download");
      await page.keyboard.press("s");
      const download = await saving;
      assert.equal(download.suggestedFilename(), `turn-${turn}.svg`);
      const saved = readFileSync(await download.path(), "utf8");
      const title = await page.evaluate((text) => new DOMParser()
        .parseFromString(text, "image/svg+xml").querySelector("title").textContent, saved);
      assert.equal(title, drawn.caption);
      assert.ok(saved.split("<rect").length > 600, `turn ${turn}`);
    }
  });
});

browserTest("a cell can be selected and has a label", async () => {
  const game = GamePage.ofSample("default-30x20-80.json");
  await game.open(0, async (page) => {
    await page.keyboard.press("Shift+ArrowDown");
    const first = await page.textContent(".viewer-cell");
    assert.match(first, /: hidden, a mine with 13\.33\s%$/);
    await page.keyboard.press("Shift+ArrowDown");
    assert.notEqual(await page.textContent(".viewer-cell"), first);
    await game.goTo(page, game.end);
    const labels = await page.$$eval(".cell", (cells) =>
      cells.map((cell) => cell.getAttribute("aria-label")));
    const unlabelled = labels.filter((label) => !/^row \d+, column \d+: \w/.test(label));
    assert.deepEqual(unlabelled, []);
  });
});

async function setScreen(page, width, height) {
  await page.setViewportSize({ width, height });
  // The board follows the window in the next frame.
  await page.evaluate(() => new Promise((resolve) =>
    requestAnimationFrame(() => setTimeout(resolve))));
}

browserTest("the layout fits every screen, light and dark", async () => {
  const game = GamePage.ofSample("default-30x20-80.json");
  await game.open(41, async (page) => {
    for (const width of [320, 390, 1280, 2560]) {
      await setScreen(page, width, 800);
      const content = await page.evaluate("document.documentElement.scrollWidth");
      assert.ok(content <= width, `${content} of ${width}`);
      const buttons = await page.$$eval(".viewer-bar button", (all) => all
        .map((button) => button.getBoundingClientRect())
        .filter(({ height }) => height > 0)
        .map(({ top, right, height }) => ({ top: Math.round(top), right, height })));
      assert.ok(Math.min(...buttons.map(({ height }) => height)) >= 40, `${width}`);
      // The controls are in one row, on phones in two, and inside of the window.
      const rows = new Set(buttons.map(({ top }) => top)).size;
      assert.equal(rows, width < 1000 ? 2 : 1, `${width}`);
      assert.ok(Math.max(...buttons.map(({ right }) => right)) <= width, `${width}`);
      // Thirty columns are in view on a phone, too: the page scrolls, and nothing in it.
      assert.ok(await page.evaluate(SIDE) >= (width < 1000 ? 8 : 18), `${width}`);
      assert.ok(await page.evaluate(FITS), `${width}`);
    }
    await setScreen(page, 390, 800);
    assert.ok(await page.isHidden("[data-action=save]"));
    await page.click(".viewer-more");
    assert.ok(await page.isVisible("[data-action=save]"));
    assert.equal(await page.getAttribute(".viewer-more", "aria-expanded"), "true");
    const side = await page.evaluate(SIDE);
    await page.click("[data-action=larger]");
    assert.ok(await page.evaluate(SIDE) > side);
    const colours = { light: "rgb(255, 255, 255)", dark: "rgb(20, 22, 26)" };
    for (const [colorScheme, colour] of Object.entries(colours)) {
      await page.emulateMedia({ colorScheme });
      const shown = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      assert.equal(shown, colour);
    }
  });
});

browserTest("a small board is large", async () => {
  const game = GamePage.ofSample("small-11x11-11.json");
  await game.open(0, async (page) => {
    for (const [width, height, least] of [[1280, 800, 50], [2560, 1440, 100], [390, 800, 28]]) {
      await setScreen(page, width, height);
      const side = await page.evaluate(SIDE);
      assert.ok(side >= least, `${width}: ${side}`);
      assert.ok(await page.evaluate(FITS), `${width}`);
    }
  });
});

browserTest("the opening bonus has a column where a candidate has one", async () => {
  const bonusIsHidden = (page) =>
    page.$eval(".viewer-candidates th:nth-child(5)", (title) => title.hidden);
  const plain = GamePage.ofSample("default-30x20-80.json");
  const [first] = plain.turns((frame) => frame.candidates.length > 0);
  const costHead = (page) => page.textContent(".viewer-candidates th:nth-child(6)");
  await plain.open(first, async (page) => {
    assert.equal(await bonusIsHidden(page), true);
    assert.equal(await costHead(page), "cost, mines");
    assert.match(await page.textContent(".viewer-candidates tbody tr td:last-child"), /^0\.\d{3}$/);
  });
  const clean = GamePage.ofSample("default-30x20-80.json", "--objective", "clean-win");
  const [guess] = clean.turns((frame) => frame.candidates[0]?.length === 6);
  await clean.open(guess, async (page) => {
    assert.equal(await bonusIsHidden(page), false);
    assert.equal(await costHead(page), "cost, %");
    const titles = await page.locator(".viewer-candidates th").count();
    const cells = await page.$eval(".viewer-candidates tbody tr", (row) => row.cells.length);
    assert.equal(titles, cells);
  });
});

browserTest("markup in a log is not executed", async () => {
  const evil = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'>";
  const request = (changed) => ({
    verdict: "OK",
    output: {
      command: "request",
      content: { 0: { height: 11, width: 11, minecount: 11, changed } },
      display: { status: changed },
    },
  });
  const answer = (col) => ({ 0: { verdict: "OK", response: { row: 0, col }, debug: evil } });
  const opened = [{ row: 0, col: 0, val: 1 }];
  const log = [request(null), answer(0), request(opened), answer(2)];
  const file = join(FOLDER, "evil.json");
  writeFileSync(file, JSON.stringify(log));
  await new GamePage(file).open(0, async (page) => {
    await page.keyboard.press("End");
    const note = await page.textContent(".viewer-note");
    assert.ok(note.includes("window.evil = 1"), note);
    assert.equal(await page.evaluate("typeof window.evil"), "undefined");
  });
});

browserTest("the chance to win is told, and drawn as a curve that leads to turns", async () => {
  const game = GamePage.ofSample("default-30x20-80.json", "--playouts", "20");
  const told = game.turns(({ chance }) => chance !== null);
  const worse = told.filter((turn) => game.data.frames[turn].chance.click !== undefined);
  assert.ok(worse.length > 5 && told.length < game.end);
  await game.open(worse[3], async (page) => {
    const { text } = game.data.frames[worse[3]].chance;
    assert.equal(await page.textContent(".viewer-chance"), text);
    assert.match(text, /^Mines still to be expected: .* by this click: .* \(± .*\)\.$/);
    // A thick line for each click that was not the engine's.
    const drops = await page.getAttribute(".viewer-curve .drop", "d");
    assert.equal(drops.match(/M/g).length, worse.length);
    assert.equal(await page.getAttribute(".viewer-curve .now", "d"), `M${worse[3]} 0V100`);
    const box = await page.locator(".viewer-curve svg").boundingBox();
    await page.mouse.click(box.x + (box.width * 100) / game.end, box.y + box.height / 2);
    assert.equal(await game.shownTurn(page), 100);
    // At the end of the game the curve is at the mines that were opened.
    await game.goTo(page, game.end);
    assert.equal(game.data.frames[game.end].chance.move, game.hits.length);
    assert.ok(await page.isHidden(".viewer-chance"));
  });
});

browserTest("without chances there is no curve", async () => {
  const game = GamePage.ofSample("small-11x11-11.json");
  await game.open(3, async (page) => {
    assert.ok(await page.isHidden(".viewer-curve") && await page.isHidden(".viewer-chance"));
  });
});
