// Play: the three rules, flags and chords, the coach's account, hints, and Sapper's own play.

import assert from "node:assert/strict";
import { pageTest } from "./browser.mjs";

// Rows of three cells with one mine, in the middle and at the right: the official boards of their
// seeds.
const MIDDLE = { address: "#play=botzone,3x1/1,1" };
const RIGHT = { address: "#play=botzone,3x1/1,4" };

const account = async (sapper) => ({
  risk: await sapper.text("#risk-taken"),
  against: await sapper.text("#against-sapper"),
  luck: await sapper.text("#luck"),
});

async function open(sapper, cell) {
  await sapper.cell(cell).click();
  await sapper.ready();
}

pageTest("an account: a fair guess, a proven mine, a safe cell", MIDDLE, async (sapper) => {
  // One of three: no cell is better. It shows 1, so the middle is the mine.
  await open(sapper, [0, 0]);
  assert.match(await sapper.text("#verdict"), /33\.33/);
  await open(sapper, [0, 1]);
  assert.match(await sapper.text("#verdict"), /proven to be a mine/);
  assert.equal(await sapper.text("#hits"), "1");
  await open(sapper, [0, 2]);
  assert.match(await sapper.text("#game-line"), /^The end, with 1 mine hit: score 0\.00/);
  // 1/3 + 1 + 0 risked, 1 of it by mistake; one mine was hit.
  const { risk, against, luck } = await account(sapper);
  assert.deepEqual([risk, luck], ["1.33 mines", "+0.33 mines"]);
  assert.match(against, /^\+1\.0\d ±0\.0\d mines$/);
  assert.equal(await sapper.page.locator("#costliest li").count(), 1);
});

pageTest("an account: a worse guess, then an even one", RIGHT, async (sapper) => {
  // The middle is a mine in one of three layouts, as the others are; but it shows 1 in the other
  // two, which leaves an even guess: 1/3 + 2/3 * 1/2 mines, where an end costs 1/3.
  await open(sapper, [0, 1]);
  assert.match(await sapper.text("#verdict"), /worse than the best.*0\.333 mines/);
  await open(sapper, [0, 0]);
  const { risk, against, luck } = await account(sapper);
  assert.deepEqual([risk, luck], ["0.83 mines", "+0.83 mines"]);
  assert.match(against, /^\+0\.3\d ±0\.0\d mines$/);
  await sapper.click("#costliest button");
  assert.equal(await sapper.field(), "3 1 1\n...");
});

for (const rule of ["open-first", "safe-first"]) {
  const address = `#play=${rule},9x9/10,3`;
  pageTest(`the first click by ${rule} is no risk, and is told so`, { address }, async (sapper) => {
    await open(sapper, [4, 4]);
    assert.match(await sapper.text("#verdict"), /^\(4,4\) was no risk: the mines are laid after/);
    assert.match(await sapper.text("#verdicts"), /^\(4,4\) first click, no risk/);
  });
}

pageTest("the first click of a Botzone game is compared with the best cell", {
  address: "#play=botzone,9x9/10,3",
}, async (sapper) => {
  await sapper.press("h");
  const best = `(${await sapper.move()})`;
  await open(sapper, best === "(4,4)" ? [3, 3] : [4, 4]);
  const words = `A guess with the odds of the best, ${best}: `;
  assert.ok((await sapper.text("#verdict")).startsWith(words), words);
});

pageTest("a needless risk names the safe cell and why", {}, async (sapper, page) => {
  await layout(sapper, page, 3, 2, [[0, 1]]);
  await open(sapper, [0, 0]);
  // The one mine is beside the 1, so both cells at the right are safe.
  await open(sapper, [1, 0]);
  const risk = /^A needless risk: \(1,0\).*33\.33.*\(0,2\) was safe/;
  assert.match(await sapper.text("#verdict"), risk);
  assert.match(await sapper.text("#verdict"), /The last mine is beside the 1 at \(0,0\)/);
  assert.deepEqual(await sapper.marked("instead"), ["0,2"]);
  await open(sapper, [1, 2]);
  assert.match(await sapper.text("#verdict"), /^\(1,2\) was proven safe/);
  assert.deepEqual(await sapper.marked("instead"), []);
});

// Opens a board file (MBF) with these mines.
async function layout(sapper, page, width, height, mines) {
  const places = mines.flatMap(([row, column]) => [column, row]);
  const bytes = [width, height, 0, mines.length, ...places];
  const mimeType = "application/octet-stream";
  const file = { name: "board.mbf", mimeType, buffer: Buffer.from(bytes) };
  await page.setInputFiles("#file", file);
  await sapper.ready();
}

pageTest("a board file is played, with flags and a chord", {}, async (sapper, page) => {
  await layout(sapper, page, 3, 2, [[0, 1]]);
  assert.match(await sapper.text("#game-line"), /first click not protected, given layout$/);
  assert.match(await page.getAttribute("#share-game", "title"), /has no link/);
  assert.equal(await sapper.text("#mines-left"), "1");
  await open(sapper, [0, 0]);
  assert.equal(await sapper.shows([0, 0]), "1");
  assert.match(await sapper.text("#spoken"), /^row 0, column 0 shows 1\./);
  // Without a flag, a click on the number opens nothing.
  await open(sapper, [0, 0]);
  assert.equal(await sapper.shows([1, 0]), "hidden");
  await sapper.cell([0, 1]).click({ button: "right" });
  assert.equal(await sapper.text("#mines-left"), "0");
  await open(sapper, [0, 1]);
  assert.equal(await sapper.shows([0, 1]), "hidden");
  await open(sapper, [0, 0]);
  assert.equal(await sapper.shows([1, 0]), "1");
  assert.equal(await sapper.shows([1, 1]), "1");
});

pageTest("a mine ends a classic game, and shows all mines", {}, async (sapper, page) => {
  await layout(sapper, page, 3, 2, [[0, 1], [1, 2]]);
  await open(sapper, [0, 1]);
  assert.match(await sapper.text("#game-line"), /^Lost/);
  assert.match(await sapper.cell([1, 2]).getAttribute("aria-label"), /a mine lies here/);
  await open(sapper, [0, 0]);
  assert.equal(await sapper.shows([0, 0]), "hidden");
  await sapper.click("#restart");
  assert.equal(await sapper.shows([0, 1]), "hidden");
});

for (const rule of ["open-first", "safe-first", "botzone"]) {
  const address = `#play=${rule},9x9/10,5`;
  pageTest(`whole games by ${rule}: by clicks, and by keys`, { address }, async (sapper, page) => {
    const click = (cell) => sapper.cell(cell).click();
    const key = async ([row, column]) => {
      await page.keyboard.press("PageUp");
      await page.keyboard.press("Home");
      for (let step = 0; step < row; step++) await page.keyboard.press("ArrowDown");
      for (let step = 0; step < column; step++) await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
    };
    const ends = [];
    for (const act of [click, key]) {
      for (let turn = 0; turn < 81 && await page.isEnabled("#hint"); turn++) {
        await sapper.press("h");
        await act(await sapper.move());
        await sapper.ready();
      }
      ends.push(await page.locator("#play-board .cell:not([data-shows=hidden])").count());
      assert.match(await sapper.text("#game-line"), /^(Won|Lost|The end)/);
      await sapper.click("#restart");
    }
    assert.equal(ends[0], ends[1]);
  });
}

const BOTZONE = { address: "#play=botzone,30x20/80,7" };

pageTest("Sapper plays a game to its end, and stops on demand", BOTZONE, async (sapper, page) => {
  await page.selectOption("#speed", "1500");
  await page.click("#auto");
  await page.waitForSelector("#play-board .cell:not([data-shows=hidden])");
  await sapper.click("#auto");
  const open = () => page.locator("#play-board .cell:not([data-shows=hidden])").count();
  const before = await open();
  await page.waitForTimeout(1800);
  assert.equal(await open(), before);
  await page.selectOption("#speed", "0");
  await page.click("#auto");
  await page.waitForFunction(() =>
    document.getElementById("game-line").textContent.startsWith("The end"));
  // What Sapper opens is not the player's, and is not judged.
  assert.equal(await page.isVisible("#account"), false);
});

const BEGINNER = { address: "#play=open-first,9x9/10,3" };

pageTest("a hint for a game that was left is not shown", BEGINNER, async (sapper, page) => {
  await open(sapper, [4, 4]);
  await page.evaluate(() => {
    document.getElementById("hint").click();
    document.getElementById("new-game").click();
  });
  await sapper.ready();
  assert.equal(await sapper.text("#hint-line"), "");
  assert.equal(await sapper.move(), null);
});

pageTest("odds of the board before are not shown on the next one", BEGINNER,
  async (sapper, page) => {
    await page.addInitScript(() => {
      const { Worker } = window;
      window.Worker = class extends Worker {
        postMessage(message) {
          const isLate = window.isLate && message.request?.includes('"do":"odds"');
          setTimeout(() => super.postMessage(message), isLate ? 1500 : 0);
        }
      };
    });
    await page.reload();
    await sapper.ready();
    await open(sapper, [4, 4]);
    await sapper.click("#odds-shown");
    await page.evaluate(() => (window.isLate = true));
    const before = await page.locator("#play-board [data-shows=hidden]").count();
    await page.locator("#play-board [data-odds='0']").first().click();
    await page.waitForFunction((count) =>
      document.querySelectorAll("#play-board [data-shows=hidden]").length < count, before);
    assert.equal(await page.locator("#play-board [data-odds]").count(), 0);
    await page.waitForSelector("#play-board [data-odds]");
  });

pageTest("Enter in the box of the seed starts a game", BEGINNER, async (sapper, page) => {
  await page.fill("#seed", "77");
  await page.press("#seed", "Enter");
  await sapper.ready();
  assert.match(await sapper.text("#game-line"), /seed 77$/);
});

pageTest("the board is saved as a picture by a button", BEGINNER, async (sapper, page) => {
  await open(sapper, [4, 4]);
  const saving = page.waitForEvent("download");
  await page.click("#save-game-svg");
  assert.equal((await saving).suggestedFilename(), "minesweeper.svg");
});

pageTest("odds are shown on demand only", BEGINNER, async (sapper, page) => {
  await open(sapper, [4, 4]);
  assert.equal(await page.locator("#play-board [data-odds]").count(), 0);
  await sapper.click("#odds-shown");
  assert.ok(await page.locator("#play-board [data-odds]").count() > 0);
  await sapper.click("#odds-shown");
  assert.equal(await page.locator("#play-board [data-odds]").count(), 0);
});
