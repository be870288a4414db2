// Replay: recorded games, logs, histories and the page's own games, in the viewer.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { pageTest, rootPath } from "./browser.mjs";

const LOG = readFileSync(rootPath("samples/games/small-11x11-11.json"), "utf8");

async function replay(sapper, text) {
  await sapper.click("#tab-replay");
  await sapper.page.fill("#replay-text", text);
  await sapper.click("#replay-read");
}

pageTest("a recorded game is stepped through, by keys and by buttons", {}, async (sapper, page) => {
  await replay(sapper, LOG);
  assert.equal(await page.locator("#viewer .cell").count(), 121);
  const first = await page.locator("#viewer .cell:not([data-shows=hidden])").count();
  await sapper.press("End");
  const last = await page.locator("#viewer .cell:not([data-shows=hidden])").count();
  assert.ok(last > first, `${first} cells are open at first, ${last} at last`);
  await sapper.press("Home", "ArrowRight");
  const second = await page.locator("#viewer .cell:not([data-shows=hidden])").count();
  await sapper.press("Home");
  await sapper.click("#viewer [data-action='next']");
  assert.equal(await page.locator("#viewer .cell:not([data-shows=hidden])").count(), second);
  await sapper.click("#replay-analyse");
  assert.equal(await page.locator("#analyse-board .cell:not([data-shows=hidden])").count(), second);
});

// A board that is painted again goes back to the move from where its reader scrolled it.
pageTest("turns that are analysed leave the board as it is", {}, async (sapper, page) => {
  await page.evaluate(() => {
    window.painted = { boards: 0, updates: 0 };
    const { show } = BoardView.prototype;
    BoardView.prototype.show = function counted(field) {
      window.painted.boards++;
      return show.call(this, field);
    };
    const { update } = Viewer.prototype;
    Viewer.prototype.update = function counted() {
      window.painted.updates++;
      return update.call(this);
    };
  });
  await replay(sapper, LOG);
  await page.waitForFunction(() =>
    document.getElementById("replay-progress").textContent === "" &&
    document.querySelectorAll(".viewer-account p").length > 2);
  const painted = () => page.evaluate(() => window.painted);
  const { boards, updates } = await painted();
  // The empty board, its frame, and the frame with its chance.
  assert.ok(boards >= 2 && boards <= 4 && updates > 10, `${boards} of ${updates}`);
  await sapper.press("End");
  const atEnd = (await painted()).boards;
  await sapper.press("x");
  assert.ok(boards < atEnd && atEnd < (await painted()).boards);
});

pageTest("the game of the page is replayed with the same account", {
  address: "#play=botzone,3x1/1,1",
}, async (sapper, page) => {
  for (const column of [0, 1, 2]) {
    await sapper.cell([0, column]).click();
    await sapper.ready();
  }
  await sapper.click("#to-replay");
  // As the coach has it: 1/3 + 1 + 0 risked, 1 of it by mistake, and one mine hit.
  const text = await sapper.text("#viewer");
  assert.match(text, /Risk taken: 1\.333 mines/);
  assert.match(text, /Mistakes: 1\.000 mines, in 1 click/);
  await sapper.click("#replay-other");
  assert.ok(await page.isVisible("#replay-text"));
});

pageTest("a first click that the rules keep free is no risk", {
  address: "#play=open-first,9x9/10,3",
}, async (sapper, page) => {
  await sapper.cell([4, 4]).click();
  await sapper.ready();
  await sapper.click("#to-replay");
  assert.match(await sapper.text("#viewer"), /Risk taken: 0\.00 %/);
  assert.match(await sapper.text("#viewer"), /The mines are laid after the first click/);
  assert.equal(await page.locator("#viewer [data-odds]").count(), 0);
});

pageTest("an engine that traps in a replay goes on at the next step", {}, async (sapper, page) => {
  await page.addInitScript(() => {
    const { Worker } = window;
    window.Worker = class extends Worker {
      postMessage(message) {
        // What is no module fails as a trap does.
        if (window.traps && message.request?.includes('"do":"frame"')) {
          window.traps = false;
          super.postMessage({ module: 0 });
        }
        super.postMessage(message);
      }
    };
  });
  await page.reload();
  await sapper.ready();
  await page.evaluate(() => (window.traps = true));
  await replay(sapper, LOG);
  assert.match(await sapper.notice(), /has stopped/);
  assert.equal(await sapper.text(".viewer-caption"), "Turn 0 is being analyzed.");
  await sapper.press("ArrowRight", "Home");
  assert.match(await sapper.text(".viewer-caption"), /^Turn 0: /);
  assert.match(await sapper.text("#viewer"), /Risk taken: /);
});

pageTest("a history of requests is a game here", {}, async (sapper, page) => {
  await replay(sapper, JSON.stringify({
    requests: [
      { width: 4, height: 3, minecount: 2 },
      { changed: [{ row: 2, col: 2, val: 1 }] },
    ],
    responses: [{ row: 2, col: 2 }],
  }));
  assert.equal(await page.locator("#viewer .cell").count(), 12);
});

pageTest("a turn is spoken in words", {}, async (sapper, page) => {
  await replay(sapper, LOG);
  await sapper.press("ArrowRight");
  const spoken = await sapper.text("#viewer [role=status]");
  assert.match(spoken, /^Turn 1: row \d+, column \d+ by /);
  assert.doesNotMatch(spoken, /[%<>\u00d7]|\(\d|\.\./);
  await sapper.press("Shift+ArrowRight");
  assert.match(await sapper.text("#viewer [role=status]"), /^row \d+, column \d+: /);
});

for (const garbage of ["", "hello", "[1,2,3]", LOG.slice(0, 400), "3 2 1\n1..\n1.."]) {
  const name = JSON.stringify(garbage.slice(0, 20));
  pageTest(`${name} is no game: one line, and the game before stays`, {}, async (sapper, page) => {
    await replay(sapper, LOG);
    await sapper.press("ArrowRight");
    await sapper.click("#replay-other");
    await replay(sapper, garbage);
    assert.match(await sapper.notice(), /^The game cannot be read: ./);
    assert.ok(!(await sapper.notice()).includes("\n"));
    assert.equal(await page.inputValue("#replay-text"), garbage);
  });
}

const LINES = readFileSync(rootPath("samples/requests/keep-running.keep.jsonl"), "utf8");

pageTest("a position and requests line by line are sent to Analyse", {}, async (sapper) => {
  for (const text of ["3 2 1\n1..\n1..", LINES]) {
    await replay(sapper, text);
    await sapper.ready();
    assert.match(await sapper.notice(), /it is a position, for Analyse$/);
    await sapper.click("#notice-close");
  }
});

// Files that are packed or of other programs are opened by the file box.
const open = (page, name) => page.setInputFiles("#file", rootPath("samples/formats/" + name));
// Waits for a notice like this.
const noticed = (page, pattern) => page.waitForFunction(
  (source) => new RegExp(source).test(document.querySelector("#notice-text").textContent),
  pattern.source,
);
// The file that an item of the menu saves.
async function saved(sapper, id) {
  const { page } = sapper;
  await page.locator("#replay-shown details.menu summary").click();
  const [file] = await Promise.all([page.waitForEvent("download"), sapper.click(id)]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
const shownTurns = (page) => page.locator("#viewer input[type=range]").getAttribute("max");

pageTest("a recording of a person is replayed, and saved", {}, async (sapper, page) => {
  await open(page, "person.rawvf");
  await page.waitForSelector("#viewer .cell");
  assert.equal(await shownTurns(page), "5");
  await sapper.press("ArrowRight", "ArrowRight", "ArrowRight");
  assert.match(await sapper.text("#viewer"), /Turn 3 \(1\.300 s\): chord at \(1,3\) on \(0,4\)/);
  assert.equal(await page.locator("#viewer .flagged").count(), 1);
  await page.waitForFunction(() => document.body.textContent.includes("3BV 3, 2.050 s"));
  const rawvf = await saved(sapper, "#replay-rawvf");
  assert.equal(rawvf.name, "game.rawvf");
  assert.match(rawvf.bytes.toString(), /\n1\.200 lc \(56 24\)\n1\.230 rc \(56 24\)\n/);
  const mbf = await saved(sapper, "#replay-mbf");
  assert.deepEqual([...mbf.bytes], [6, 4, 0, 3, 5, 0, 4, 1, 0, 3]);
  await page.locator("#replay-shown details.menu summary").click();
  await sapper.click("#replay-log");
  await noticed(page, /no flags and chords/);
});

for (const [name, matches] of [["pack.jsonl", 2], ["pack.zip", 2]]) {
  pageTest("each game of " + name + " can be chosen", {}, async (sapper, page) => {
    await open(page, name);
    await page.waitForSelector("#viewer .cell");
    assert.equal(await page.locator("#replay-match option").count(), matches);
    const first = await sapper.text("#viewer");
    await page.selectOption("#replay-match", "1");
    await page.waitForFunction((before) =>
      document.querySelector("#viewer").textContent !== before, first);
    await sapper.click("#replay-other");
    await replay(sapper, LOG);
    assert.equal(await page.isVisible("#replay-matches"), false);
  });
}

// A zip file of these files, [name, bytes], which are not packed smaller.
function zipOf(files) {
  const locals = [];
  const entries = [];
  let at = 0;
  for (const [name, bytes, method = 0] of files) {
    const local = Buffer.alloc(30);
    local.write("PK\x03\x04", "latin1");
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02", "latin1");
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(bytes.length, 20);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), bytes);
    entries.push(entry, Buffer.from(name));
    at += local.length + Buffer.byteLength(name) + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...entries, end]);
}

pageTest("recordings in a zip file are games, and what is none is named", {},
  async (sapper, page) => {
    const person = readFileSync(rootPath("samples/formats/person.rawvf"));
    const buffer = zipOf([
      ["__MACOSX/._a.rawvf", Buffer.from("\0")], [".DS_Store", Buffer.from("\0")],
      ["in/", Buffer.alloc(0)], ["in/a.rawvf", person], ["damaged.avf", Buffer.from("x"), 8],
      ["b.rawvf", person],
    ]);
    await page.setInputFiles("#file", { name: "games.zip", mimeType: "application/zip", buffer });
    await page.waitForSelector("#viewer .cell");
    const names = await page.locator("#replay-match option").allTextContents();
    assert.deepEqual(names, ["in/a.rawvf", "b.rawvf"]);
    await noticed(page, /^Left out: damaged\.avf: it cannot be unpacked$/);
  });

pageTest("a game in UTF-16 is read", {}, async (sapper, page) => {
  const buffer = Buffer.from("\ufeff" + LOG, "utf16le");
  await page.setInputFiles("#file", { name: "game.json", mimeType: "application/json", buffer });
  await page.waitForSelector("#viewer .cell");
  assert.equal(await page.locator("#viewer .cell").count(), 121);
});

pageTest("a packed file is unpacked, and a damaged one is one line", {}, async (sapper, page) => {
  const packed = gzipSync(LOG);
  const file = (buffer) => ({ name: "game.json.gz", mimeType: "application/gzip", buffer });
  await page.setInputFiles("#file", file(packed));
  await page.waitForSelector("#viewer .cell");
  assert.equal(await page.locator("#viewer .cell").count(), 121);
  await page.setInputFiles("#file", file(packed.subarray(0, 200)));
  await noticed(page, /^game\.json\.gz cannot be read: it is packed/);
  await sapper.click("#notice-close");
  const zip = readFileSync(rootPath("samples/formats/pack.zip"));
  await page.setInputFiles("#file", file(zip.subarray(0, zip.length - 30)));
  await noticed(page, /it is packed, and cannot be unpacked/);
  // No tab has the room for what a small file may unpack to.
  await page.setInputFiles("#file", file(gzipSync(Buffer.alloc(33 * 2 ** 20))));
  await noticed(page, /^game\.json\.gz cannot be read: it is larger than 32 MB when it is unp/);
  await page.setInputFiles("#file", file(zipOf([])));
  await noticed(page, /^game\.json\.gz cannot be read: it is empty/);
});

pageTest("the chances of a game come after its turns, as a curve and in words", {}, async (
  sapper, page,
) => {
  await page.evaluate(() => {
    window.told = [];
    const { call } = EngineClient.prototype;
    EngineClient.prototype.call = function noted(request, options) {
      if ("told" in request) window.told.push(request.told);
      return call.call(this, request, options);
    };
  });
  // The curve has its place before it is drawn.
  await page.evaluate(() => {
    window.boardTops = new Set();
    new MutationObserver(() => {
      const board = document.querySelector("#viewer .viewer-board");
      if (board) window.boardTops.add(board.getBoundingClientRect().top + scrollY);
    }).observe(document.getElementById("replay-progress"), { childList: true });
  });
  await replay(sapper, LOG);
  await page.waitForFunction(() =>
    document.querySelector("#viewer .viewer-curve .drop")?.getAttribute("d"));
  // Its scale stands beside it.
  const [curve, scale] = [
    await page.locator(".viewer-curve svg").boundingBox(),
    await page.locator(".viewer-curve-top").boundingBox(),
  ];
  assert.ok(scale.x >= curve.x + curve.width, `${scale.x} px`);
  await page.waitForFunction(() => window.told.at(-1) &&
    document.getElementById("replay-progress").textContent === "");
  const told = await page.evaluate(() => window.told);
  assert.deepEqual(told, [...told].sort(), "the turns first");
  assert.ok(told.includes(true));
  const tops = await page.evaluate(() => [...window.boardTops]);
  assert.equal(tops.length, 1, tops.join());
  assert.equal(await sapper.text("#replay-progress"), "");
  const course = await page.getAttribute("#viewer .viewer-curve .course", "d");
  assert.ok(course.split("L").length > 2, course);
  // The first cell is a guess, in a game that counts mines.
  assert.match(await page.textContent("#viewer .viewer-chance"),
    /^Mines still to be expected: 0\.125 by \(0,0\)/);
  // A game that was judged once is not judged again, when its turns are looked at.
  await sapper.press("ArrowRight", "ArrowRight");
  assert.equal(await page.evaluate(() => window.told.length), told.length);
});

pageTest("a game of the page keeps its flags, its times and its first click", {
  address: "#play=safe-first,3x1/1,1",
}, async (sapper, page) => {
  // The last click ends the game, whichever of the two outer cells is the mine.
  await sapper.cell([0, 1]).click();
  await sapper.ready();
  await sapper.cell([0, 0]).click({ button: "right" });
  await page.waitForTimeout(300);
  await sapper.cell([0, 2]).click();
  await sapper.ready();
  await sapper.click("#to-replay");
  await page.waitForSelector("#viewer .cell");
  const turns = await shownTurns(page);
  const text = (await saved(sapper, "#replay-rawvf")).bytes.toString();
  assert.match(text, /^Program: Sapper$/m);
  assert.match(text, /^Mode: Classic$/m);
  const events = [...text.matchAll(/^(\d+\.\d+) (lc|rc) \((\d+) \d+\)$/mg)]
    .map(([, time, button, x]) => ({ time: Number(time), button, column: Math.floor(x / 16) }));
  assert.deepEqual(events.map(({ button, column }) => [button, column]),
    [["lc", 1], ["rc", 0], ["lc", 2]]);
  assert.equal(events[0].time, 0);
  assert.ok(events[2].time >= 0.3 && events[2].time < 30, `${events[2].time} s`);
  // The page with the game inside is that game also for a page that opens it as a file.
  const { bytes: html } = await saved(sapper, "#replay-page");
  await sapper.click("#replay-other");
  await page.setInputFiles("#file",
    { name: "game.html", mimeType: "text/html", buffer: html });
  await page.waitForSelector("#viewer .cell");
  assert.equal(await shownTurns(page), turns);
});
