// Play over many games: new boards, boards without guesses, figures, Sapper's own play, statistics.

import assert from "node:assert/strict";
import { bothTest } from "./both.mjs";
import { pageTest } from "./browser.mjs";

const EXPERT = { address: "#play=open-first,30x16/99,5" };
const SEED = /seed (\d+)$/;

const seedOf = async (sapper) => SEED.exec(await sapper.text("#game-line"))[1];

// A board file (MBF) with these mines.
function boardFile(width, height, mines) {
  const places = mines.flatMap(([row, column]) => [column, row]);
  return Buffer.from([width, height, 0, mines.length, ...places]);
}

// Opens such a file.
async function layout(sapper, page, width, height, mines) {
  const buffer = boardFile(width, height, mines);
  const file = { name: "board.mbf", mimeType: "application/octet-stream", buffer };
  await page.setInputFiles("#file", file);
  await sapper.ready();
}

async function open(sapper, cell) {
  await sapper.cell(cell).click();
  await sapper.ready();
}

// Lets Sapper play at once, to the end.
async function letSapperPlay(sapper, page) {
  await page.selectOption("#speed", "0");
  await page.click("#auto");
  await page.waitForFunction(() => document.getElementById("auto").disabled);
  await sapper.ready();
}

pageTest("a new game has another board, after a link and after a typed seed", EXPERT,
  async (sapper, page) => {
    assert.equal(await seedOf(sapper), "5");
    await sapper.click("#new-game");
    const second = await seedOf(sapper);
    assert.notEqual(second, "5");
    await page.fill("#seed", "77");
    await sapper.click("#new-game");
    assert.equal(await seedOf(sapper), "77");
    await sapper.click("#new-game");
    const last = await seedOf(sapper);
    assert.ok(last !== "77" && last !== second);
  });

for (const proof of ["numbers", "groups", "counting"]) {
  bothTest(`a board without guesses is solved, by ${proof}`, {}, async (page, address) => {
    await page.goto(address + EXPERT.address);
    await page.choose("#rule", "no-guess-" + proof);
    await page.choose("#level", "2");
    await page.choose("#seed", "11");
    await page.click("#new-game");
    const line = /^30×16, 99 mines.*no guess: solved by.*seed 11$/;
    assert.match(await page.text("#game-line"), line);
    const link = await page.address();
    assert.equal(new URLSearchParams(link.slice(1)).get("play"),
      "open-first,30x16/99,11," + proof);
    await page.click(page.cell([7, 15]));
    assert.equal(await page.attribute(page.cell([7, 15]), "data-shows"), "0");
    const countOpen = () => page.count("#play-board .cell:not([data-shows=hidden])");
    const opened = await countOpen();
    await page.letSapperPlay();
    assert.match(await page.text("#game-line"), /^Won/);
    const mines = () => page.page.$$eval("#play-board .cell.mined", (cells) =>
      cells.map(({ dataset: { row, col } }) => row + "," + col).join());
    const first = await mines();
    assert.equal(first.split(",").length, 2 * 99);
    // The link is the same board, for the same first click.
    await page.forget();
    await page.goto(address + link);
    await page.click(page.cell([7, 15]));
    assert.equal(await countOpen(), opened);
    await page.letSapperPlay();
    assert.equal(await mines(), first);
    await page.click("#to-replay");
    await page.page.waitForSelector("#viewer .cell");
  });
}

pageTest("time, 3BV/s, clicks and efficiency", {}, async (sapper, page) => {
  // Two numbers beside no opening, which an opening does not show: three cells to open by clicks.
  await layout(sapper, page, 3, 2, [[0, 1]]);
  const figures = async () => Promise.all(
    ["#time", "#bbbv", "#bbbv-speed", "#clicks", "#efficiency"].map((id) => sapper.text(id)));
  assert.deepEqual(await figures(), ["0.00 s", "5", "–", "0", "–"]);
  await open(sapper, [0, 0]);
  await sapper.cell([0, 1]).click({ button: "right" });
  await page.waitForTimeout(300);
  const [time, , speed, clicks, efficiency] = await figures();
  assert.match(time, /^\d+\.\d\d s$/);
  assert.ok(parseFloat(time) >= 0.2 && parseFloat(speed) <= 5 && parseFloat(speed) > 0);
  assert.deepEqual([clicks, efficiency], ["2", "50 %"]);
  await open(sapper, [0, 0]);
  assert.deepEqual((await figures()).slice(3), ["3", "100 %"]);
  await open(sapper, [0, 2]);
  await open(sapper, [1, 2]);
  const end = await figures();
  assert.deepEqual(end.slice(3), ["5", "100 %"]);
  assert.equal(await sapper.text("#mines-left"), "0");
  // The time stands still, also over a reload, and the line of the end tells it.
  assert.equal(await sapper.text("#game-line"), "Won in " + end[0]);
  await page.waitForTimeout(200);
  await page.reload();
  await sapper.ready();
  assert.deepEqual(await figures(), end);
  const expected = 5 / parseFloat(end[0]);
  assert.ok(Math.abs(parseFloat(end[2]) / expected - 1) < 0.05, end.join());
});

pageTest("Sapper plays at once by few requests, and the last verdict is of its last click", EXPERT,
  async (sapper, page) => {
    await page.addInitScript(() => {
      const { Worker } = window;
      window.asked = [];
      window.Worker = class extends Worker {
        postMessage(message) {
          if (message.request) window.asked.push(JSON.parse(message.request));
          super.postMessage(message);
        }
      };
    });
    await page.reload();
    await sapper.ready();
    await sapper.cell([7, 15]).click({ button: "right" });
    await page.selectOption("#play-effort", "fast");
    await page.evaluate(() => {
      window.asked = [];
      // How often the board changes in a frame.
      window.paints = new Map();
      let frame = 0;
      const next = () => requestAnimationFrame(() => next(frame++));
      next();
      const { show } = BoardView.prototype;
      BoardView.prototype.show = function (...field) {
        window.paints.set(frame, (window.paints.get(frame) ?? 0) + 1);
        return show.apply(this, field);
      };
    });
    await letSapperPlay(sapper, page);
    const asked = await page.evaluate(() => window.asked);
    const plays = asked.filter((request) => request.do === "play");
    assert.ok(plays.length > 1 && plays.length < 40, plays.length + " requests");
    assert.deepEqual(asked.filter((request) => request.do === "open"), []);
    assert.ok(plays.every(({ effort }) => effort === "fast"));
    const paints = await page.evaluate(() => [...window.paints.values()]);
    // The end is painted at once, also where the frame has had its paint.
    assert.ok(paints.filter((count) => count > 1).length <= 1, paints.join());
    const isWon = /^Won/.test(await sapper.text("#game-line"));
    if (isWon) assert.equal(await sapper.text("#mines-left"), "0");
    const last = await page.evaluate(() => JSON.parse(localStorage["sapper.play"]).clicks.at(-1));
    const verdict = await sapper.text("#verdict");
    assert.ok(verdict.startsWith(`(${last}), opened by Sapper: `), verdict);
    assert.equal(await page.isVisible("#account"), false);
  });

pageTest("at the end of a game that Sapper played no mine is left", {
  address: "#play=botzone,30x20/80,7",
}, async (sapper, page) => {
  await open(sapper, [0, 0]);
  await letSapperPlay(sapper, page);
  assert.match(await sapper.text("#game-line"), /^The end/);
  assert.equal(await sapper.text("#mines-left"), "0");
  assert.match(await sapper.text("#verdict"), /opened by Sapper/);
});

// The rows of a table, as the texts of their cells.
const rowsOf = (page, id) => page.page.$$eval(`#${id} tbody tr`, (rows) => rows.map((row) =>
  [...row.cells].map(({ textContent }) => textContent.replace("\u00a0", " "))));

const BOARD_ROWS = "statistics-boards";
// What the statistics tell of the loss of the first board.
const LOST = `#${BOARD_ROWS} tbody td:nth-child(4)`;

bothTest("statistics: games, wins, guesses and luck are kept, saved and erased", {},
  async (page) => {
    const layOut = (mines) => page.file("board.mbf", boardFile(3, 1, mines));
    const open = async (...columns) => {
      for (const column of columns) await page.click(page.cell([0, column]));
    };
    await page.click("#tab-play");
    await page.click("#statistics summary");
    assert.match(await page.text("#statistics-luck"), /^No guess yet/);
    // A guess that is safe, and one that is not: one mine in three cells.
    for (const mine of [[0, 1], [0, 0]]) {
      await layOut([mine]);
      await open(0, 2);
    }
    assert.match(await page.text("#game-line"), /^Lost/);
    await page.waitForText(LOST, "0.0 points");
    const [[name], board] = await rowsOf(page, BOARD_ROWS);
    assert.equal(name, "3×1/1 given");
    assert.deepEqual([board[0], board[1], board[4]], ["2", "50 %", "0"]);
    assert.match(board[2], /^\d+\.\d\d s$/);
    assert.deepEqual(await rowsOf(page, "statistics-guesses"), [["30 to 40 %", "2", "0.7", "1"]]);
    const luck = /^2 guesses: 0\.7 mines .* 1 hit\. Luck: −0\.3/;
    assert.match(await page.text("#statistics-luck"), luck);
    // The same board again counts no more, and one with help counts apart.
    await page.click("#restart");
    await open(0);
    await layOut([[0, 1]]);
    await page.press("h");
    await open(0, 2);
    const [, after] = await rowsOf(page, BOARD_ROWS);
    assert.deepEqual([after[0], after[4]], ["2", "1"]);
    // Kept over a reload, saved as a file.
    await page.reload();
    await page.click("#statistics summary");
    assert.deepEqual(await rowsOf(page, BOARD_ROWS), [[name], after]);
    const { name: file, text } = await page.saved("#statistics-export");
    assert.equal(file, "sapper-statistics.json");
    const value = JSON.parse(text);
    assert.equal(value.boards["3×1/1 given"].games, 2);
    assert.deepEqual(value.guesses[3].hits, 1);
    // Erased after a question.
    await page.click("#statistics-erase");
    await page.click("#erase-dialog button[value=cancel]");
    assert.deepEqual(await rowsOf(page, BOARD_ROWS), [[name], after]);
    await page.click("#statistics-erase");
    await page.click("#erase-dialog button[value=erase]");
    await page.waitForText("#notice-text", "The statistics are erased.");
    assert.deepEqual(await rowsOf(page, BOARD_ROWS), []);
    assert.match(await page.text("#statistics-luck"), /^No guess yet/);
    await page.reload();
    await page.click("#statistics summary");
    assert.deepEqual(await rowsOf(page, BOARD_ROWS), []);
  });

// Two numbers, each with a mine at its left or at its right. A cell between them tells about both
// pairs, and an end tells nothing: 1/2 x 1/2 of the games is lost by it.
bothTest("statistics tell what a game lost against Sapper", {}, async (page) => {
  await page.file("pairs.mbf", boardFile(6, 1, [[0, 2], [0, 5]]));
  await page.click("#statistics summary");
  for (const column of [1, 4, 0]) await page.click(page.cell([0, column]));
  assert.match(await page.text("#verdict"), /Your click cost 25\.0 points/);
  assert.equal(await page.text(LOST), "–");
  await page.click(page.cell([0, 5]));
  assert.match(await page.text("#game-line"), /^Lost/);
  // The two clicks on numbers cost 13.3 and 16.7 points, and the last one nothing.
  await page.waitForText(LOST, "55.0 points");
  assert.equal(await page.text("#against-sapper"), "+55.0 ±0.0 points");
});

pageTest("another board before the first click is that of the game", EXPERT,
  async (sapper, page) => {
    const cells = () => page.locator("#play-board .cell").count();
    assert.equal(await cells(), 480);
    await page.selectOption("#level", "0");
    await sapper.ready();
    assert.equal(await cells(), 81);
    await open(sapper, [4, 4]);
    await page.selectOption("#rule", "botzone");
    await page.selectOption("#level", { index: 1 });
    await sapper.ready();
    assert.equal(await cells(), 81, "a game that has begun goes on");
    assert.match(await sapper.shows([4, 4]), /\d/);
  });
