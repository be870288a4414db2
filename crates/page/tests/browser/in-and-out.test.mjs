// All ways in and out: links, reload, pasted and dropped text, files, copies, pictures; bad input,
// and an engine that fails.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PAGE, pageTest } from "./browser.mjs";

const FIELD = "4 3 2\n01..\n01..\n011.";
const link = (text) => ({ address: "#field=" + encodeURIComponent(text) });

pageTest("a link shows its position and setting", {
  address: link(FIELD).address + "&objective=clean-win&effort=full",
}, async (sapper, page) => {
  assert.equal(await page.locator("#analyse-board .cell").count(), 12);
  assert.equal(await sapper.shows([2, 2]), "1");
  assert.equal(await page.inputValue("#objective"), "clean-win");
  assert.equal(await page.inputValue("#effort"), "full");
  assert.equal((await sapper.field()).trim(), FIELD);
});

pageTest("a link that an earlier page wrote shows its setting", {
  address: link(FIELD).address + "&objective=win&effort=fast",
}, async (sapper, page) => {
  assert.equal(await page.inputValue("#objective"), "clean-win");
  assert.equal((await sapper.field()).trim(), FIELD);
  assert.match(await sapper.address(), /objective=clean-win/);
});

pageTest("a link to a game that an earlier page wrote opens it", {
  address: "#play=opens-first,9x9/10,3",
}, async (sapper, page) => {
  assert.equal(await page.inputValue("#rule"), "open-first");
  assert.match(await sapper.text("#game-line"), /opening first click, seed 3$/);
});

for (const [what, address] of [
  ["cut off", "#field=9%209%2010%0A...."],
  ["no field", "#field=hello"],
  ["no game", "#play=botzone,30x"],
]) {
  pageTest("a link that is " + what + " is one line, and the rest stays", { address },
    async (sapper) => {
      const notice = await sapper.notice();
      assert.match(notice, /link/);
      assert.ok(!notice.includes("\n"), notice);
      await sapper.click("#tab-analyse");
      assert.ok(await sapper.move());
    });
}

pageTest("a reload keeps the position, the steps and the setting", {}, async (sapper, page) => {
  const start = await sapper.field();
  await sapper.cell([4, 2]).click({ button: "right" });
  await sapper.cell([8, 8]).hover();
  await sapper.press("3");
  await page.selectOption("#objective", "clean-win");
  // At once: the address is not written yet.
  await page.reload();
  await sapper.ready();
  assert.equal(await sapper.shows([8, 8]), "3");
  assert.match(await sapper.cell([4, 2]).getAttribute("aria-label"), /flagged/);
  assert.equal(await page.inputValue("#objective"), "clean-win");
  await sapper.click("#undo");
  await sapper.click("#undo");
  assert.equal(await sapper.field(), start);
});

pageTest("a reload keeps the game in progress", { address: "#play=open-first,9x9/10,3" },
  async (sapper, page) => {
    await sapper.cell([4, 4]).click();
    await sapper.ready();
    const open = await page.locator("#play-board .cell:not([data-shows=hidden])").count();
    await page.locator("#play-board .cell[data-shows=hidden]").first().click({ button: "right" });
    await page.reload();
    await sapper.ready();
    assert.equal(await page.locator("#play-board .cell:not([data-shows=hidden])").count(), open);
    assert.equal(await page.locator("#play-board .flagged").count(), 1);
  });

for (const [name, value] of [
  ["play", "{}"], ["play", "7"],
  ["analyse", "{}"], ["analyse", '{"field":{"text":"x","flags":[]}}'],
  ["setting", "null"], ["play-setting", "null"], ["view", "{"],
]) {
  pageTest(`a stored ${name} like ${value} is left out`, {}, async (sapper, page) => {
    await page.evaluate(([key, text]) => {
      addEventListener("pagehide", () => localStorage.setItem("sapper." + key, text));
    }, [name, value]);
    await page.reload();
    await sapper.ready();
    assert.equal(await page.locator("#analyse-board .cell").count(), 81);
    assert.ok(await sapper.move());
  });
}

pageTest("what an earlier page stored is read", {}, async (sapper, page) => {
  await page.evaluate(() => addEventListener("pagehide", () => {
    const setting = { rule: "opens-first", width: 9, height: 9, minecount: 10, seed: 3 };
    const game = { setting, clicks: [[0, 0]], verdicts: [null], seconds: 1, wasHelped: false,
      flags: [] };
    localStorage.setItem("sapper.setting", '{"objective":"win","effort":"fast"}');
    localStorage.setItem("sapper.play-setting", '{"rule":"opens-first"}');
    localStorage.setItem("sapper.play", JSON.stringify(game));
  }));
  await page.reload();
  await sapper.ready();
  assert.equal(await page.inputValue("#objective"), "clean-win");
  assert.equal(await page.inputValue("#rule"), "open-first");
  await sapper.click("#tab-play");
  assert.match(await sapper.text("#game-line"), /^9×9, 10 mines, opening first click/);
});

pageTest("a position is kept where there is no room for its steps", {}, async (sapper, page) => {
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (name, text) {
      if (text.length > 1000) throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, name, text);
    };
  });
  for (const size of ["Intermediate 16×16/40", "Expert 30×16/99"]) {
    await page.selectOption("#size", { label: size });
  }
  await page.reload();
  await sapper.ready();
  assert.equal(await page.locator("#analyse-board .cell").count(), 480);
  assert.equal(await page.isEnabled("#undo"), false);
});

// A storage with room for so many characters.
const limitStorage = (page, room) => page.evaluate((most) => {
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (name, text) {
    const others = Object.entries(localStorage).filter(([other]) => other !== name);
    const used = others.reduce((sum, [, value]) => sum + value.length, 0);
    if (used + text.length > most) throw new DOMException("full", "QuotaExceededError");
    setItem.call(this, name, text);
  };
}, room);

const undoAll = (page) => page.evaluate(() => {
  const undo = document.getElementById("undo");
  let count = 0;
  for (; !undo.disabled; count++) undo.click();
  return count;
});

const editOften = (page, count) => page.evaluate((times) => {
  const key = (name) => document.querySelector("#analyse-board .board-grid")
    .dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  for (let index = 0; index < times; index++) key(index % 2 === 0 ? "1" : "2");
}, count);

pageTest("a reload at once keeps the view", { address: "#play=open-first,9x9/10,3" },
  async (sapper, page) => {
    for (const view of ["replay", "play", "analyse"]) {
      await page.evaluate((name) => {
        document.getElementById("tab-" + name).click();
        location.reload();
      }, view);
      await page.waitForEvent("load");
      await sapper.ready();
      assert.equal(await page.getAttribute("#tab-" + view, "aria-selected"), "true", view);
    }
  });

pageTest("a reload keeps a thousand steps, and those undone", {}, async (sapper, page) => {
  const start = await sapper.field();
  await editOften(page, 1000);
  await sapper.ready();
  for (let step = 0; step < 3; step++) await sapper.click("#undo");
  await page.reload();
  await sapper.ready();
  for (let step = 0; step < 3; step++) await sapper.click("#redo");
  assert.equal(await page.isEnabled("#redo"), false);
  assert.equal(await undoAll(page), 1000);
  await sapper.ready();
  assert.equal(await sapper.field(), start);
});

pageTest("a full storage loses the oldest steps only, and leaves room", {},
  async (sapper, page) => {
    await limitStorage(page, 310000);
    await editOften(page, 1000);
    await page.selectOption("#objective", "clean-win");
    await page.reload();
    await sapper.ready();
    assert.equal(await page.inputValue("#objective"), "clean-win");
    const kept = await undoAll(page);
    assert.ok(kept > 50 && kept < 1000, `${kept} steps are kept`);
  });

pageTest("the page works without storage", {}, async (sapper, page) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await page.goto("about:blank");
  await page.goto(PAGE);
  await sapper.ready();
  await sapper.begin();
  await page.click("[data-tool='0']");
  await sapper.cell([8, 8]).click();
  assert.equal(await sapper.shows([8, 8]), "0");
});

async function paste(page, text) {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData("text", pasted);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
    document.body.dispatchEvent(event);
  }, text);
}

const HISTORY = JSON.stringify({
  requests: [
    { width: 4, height: 3, minecount: 2 },
    { changed: [{ row: 2, col: 2, val: 1 }] },
  ],
  responses: [{ row: 2, col: 2 }],
});

for (const [what, text, shown] of [
  ["a field", FIELD, "1"],
  ["Botzone's JSON", HISTORY, "1"],
  ["a .mine text", "4x3x2\n01HH\n01FH\n011H\n", "1"],
]) {
  pageTest("pasting " + what + " opens it, and undo takes it back", {}, async (sapper, page) => {
    await paste(page, text);
    await sapper.ready();
    assert.equal(await page.locator("#analyse-board .cell").count(), 12);
    assert.equal(await sapper.shows([2, 2]), shown);
    await sapper.click("#undo");
    assert.equal(await page.locator("#analyse-board .cell").count(), 81);
  });
}

const GARBAGE = ["", "no field", "3 3 1\n...", "{\"requests\":", "[1,2,3]", "9".repeat(5000)];

for (const garbage of GARBAGE) {
  pageTest(`pasting ${JSON.stringify(garbage.slice(0, 20))} changes nothing`, {},
    async (sapper, page) => {
      const before = await sapper.field();
      await paste(page, garbage);
      await sapper.ready();
      assert.equal(await page.isVisible("#notice"), garbage !== "");
      assert.ok(!(await sapper.notice()).includes("\n"));
      assert.equal(await sapper.field(), before);
    });
}

pageTest("a file can be dropped", {}, async (sapper, page) => {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "field.txt", { type: "text/plain" }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }, FIELD);
  await page.waitForFunction(() => document.querySelectorAll("#analyse-board .cell").length === 12);
});

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

pageTest("copies are read again", { ...link(FIELD), ...CLIPBOARD },
  async (sapper, page) => {
    const copied = async (button) => {
      await page.click("details.menu summary");
      await page.click(button);
      await page.waitForSelector("#notice.good");
      await sapper.click("#notice-close");
      return page.evaluate(() => navigator.clipboard.readText());
    };
    assert.equal((await copied("#copy-text")).trim(), FIELD);
    assert.equal((await copied("#copy-mine")).trim(), "4x3x2\n01HH\n01HH\n011H");
    const jsLink = await copied("#copy-js-link");
    assert.match(jsLink, /^https:\/\/[^?]*JSMinesweeper\/index\.html\?board=4x3x2&analysis=/);
    assert.equal(JSON.parse(await copied("#copy-botzone")).minecount, 2);
    assert.match(await copied("#copy-link"), /#field=4%203%202%0A01/);
  });

pageTest("the picture is an SVG of the board", link(FIELD), async (sapper, page) => {
  await page.click("details.menu summary");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-svg")]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  // A rectangle for the ground, one for each cell, and one for the move.
  assert.equal(text.match(/<rect/g).length, 1 + 12 + 1);
});

pageTest("an engine that traps loses nothing", {}, async (sapper, page) => {
  await page.addInitScript(() => {
    const { Worker } = window;
    window.workers = [];
    window.Worker = class extends Worker {
      constructor(...values) {
        super(...values);
        window.workers.push(this);
      }
    };
  });
  await page.reload();
  await sapper.ready();
  await sapper.cell([8, 8]).click({ button: "right" });
  const before = await sapper.field();
  await page.evaluate(() => window.workers[0].onmessage({ data: { failed: "unreachable" } }));
  await page.waitForSelector("#notice:not([hidden])");
  assert.match(await sapper.notice(), /stopped \(unreachable\)/);
  assert.equal(await sapper.field(), before);
  await sapper.cell([4, 2]).hover();
  await sapper.press("3");
  assert.equal(await sapper.shows([4, 2]), "3");
  assert.ok(await sapper.move());
});

// Workers that trap at each analysis while `window.traps` is above 0: what is no module fails so.
async function trapAnalyses(page) {
  await page.addInitScript(() => {
    const { Worker } = window;
    window.traps = 0;
    window.asked = 0;
    window.Worker = class extends Worker {
      postMessage(message) {
        if (message.request?.includes('"do":"analyse"')) {
          window.asked++;
          if (window.traps-- > 0) super.postMessage({ module: 0 });
        }
        super.postMessage(message);
      }
    };
  });
  await page.reload();
}

pageTest("after a trap a fresh engine analyses the position at once", {}, async (sapper, page) => {
  await trapAnalyses(page);
  await sapper.ready();
  await page.evaluate(() => (window.traps = 1));
  await sapper.cell([8, 8]).hover();
  await sapper.press("1");
  assert.match(await sapper.notice(), /was started again/);
  assert.equal(await sapper.shows([8, 8]), "1");
  assert.match(await sapper.text("#move-line"), /^(Open|Guess) /);
  assert.ok(await sapper.move());
});

pageTest("a position that stops every engine is asked about twice", {}, async (sapper, page) => {
  await trapAnalyses(page);
  await sapper.ready();
  await page.evaluate(() => Object.assign(window, { traps: 1000, asked: 0 }));
  await sapper.cell([8, 8]).hover();
  await sapper.press("1");
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.asked), 2);
  assert.equal(await sapper.text("#move-line"), "No analysis");
  await page.evaluate(() => (window.traps = 0));
  await sapper.press(".");
  assert.ok(await sapper.move());
});

for (const [link, fault] of [
  ["9x9/10,-5", /A seed is a whole number from 0 to 2147483647$/],
  ["9x9/10,99999999999", /A seed is a whole number from 0 to 2147483647$/],
  ["9x9/10,x", /A seed is a whole number from 0 to 2147483647$/],
  ["9x9/82,5", /Mines are a whole number from 0 to 81/],
  ["0x9/1,5", /Columns and rows are whole numbers from 1/],
  ["9000x9000/1,5", /at most 262144 cells$/],
]) {
  const address = "#play=botzone," + link;
  pageTest(`a link to a game ${link} says what is wrong`, { address }, async (sapper, page) => {
    assert.match(await sapper.notice(), /^The link is no game: /);
    assert.match(await sapper.notice(), fault);
    assert.equal(await page.locator("#play-board .cell").count(), 81);
    // The box refuses it too, with the same words.
    const seed = link.split(",")[1];
    if (seed === "5") return;
    await page.fill("#seed", seed);
    assert.ok(await page.isHidden("#notice"));
    await sapper.click("#new-game");
    assert.match(await sapper.notice(), fault);
    await page.fill("#seed", "5");
    assert.ok(await page.isHidden("#notice"));
    await sapper.click("#new-game");
    assert.match(await sapper.text("#game-line"), /seed 5$/);
  });
}

pageTest("an error line goes once the value is corrected", {}, async (sapper, page) => {
  await page.fill("#mines", "many");
  await page.press("#mines", "Enter");
  assert.match(await sapper.notice(), /^Mines are a whole number from 0 to 81/);
  assert.ok(await page.isVisible("#notice"));
  await page.fill("#mines", "11");
  await page.press("#mines", "Enter");
  await sapper.ready();
  assert.ok(await page.isHidden("#notice"));
  await page.selectOption("#size", "custom");
  await page.fill("#custom-rows", "0");
  await page.click("#custom-make");
  assert.match(await sapper.notice(), /^Columns and rows are whole numbers from 1/);
  await page.selectOption("#size", { label: "Expert 30×16/99" });
  await sapper.ready();
  assert.ok(await page.isHidden("#notice"));
});

pageTest("a change while it thinks is answered for the new field", {}, async (sapper, page) => {
  await page.selectOption("#effort", "full");
  await page.selectOption("#size", { label: "Expert 30×16/99" });
  await page.waitForFunction(() => document.documentElement.dataset.state === "thinking");
  await page.selectOption("#size", { label: "Beginner 9×9/10" });
  await sapper.ready();
  assert.equal(await page.locator("#analyse-board .cell").count(), 81);
  assert.equal(await sapper.odds([0, 0]), 10 / 81);
  assert.match(await sapper.text("#totals"), /effort: full/);
});

for (const [address, fault] of [
  ["#fiel", /unknown part: "fiel"/],
  ["#seed=zz", /unknown part: "seed"/],
  [link(FIELD).address + "&objective=best", /unknown objective: "best"/],
  [link(FIELD).address + "&effort=huge", /unknown effort: "huge"/],
  ["#effort=fast%2", /broken % code/],
]) {
  pageTest(`a link ${address} says what is wrong`, { address }, async (sapper) => {
    assert.match(await sapper.notice(), fault);
  });
}

pageTest("an empty text is told of", {}, async (sapper) => {
  await sapper.put("");
  assert.match(await sapper.notice(), /it is empty$/);
});

pageTest("Back brings the game that a link has replaced", { address: "#play=open-first,9x9/10,3" },
  async (sapper, page) => {
    await sapper.cell([4, 4]).click();
    await sapper.ready();
    const open = () => page.locator("#play-board .cell:not([data-shows=hidden])").count();
    const before = await open();
    await sapper.address();
    await page.evaluate(() => (location.hash = "#play=botzone,9x9/10,4"));
    await page.waitForFunction(() =>
      document.getElementById("game-line").textContent.endsWith("seed 4"));
    assert.equal(await open(), 0);
    await page.goBack();
    await sapper.ready();
    assert.match(await sapper.text("#game-line"), /seed 3$/);
    assert.equal(await open(), before);
  });

pageTest("a reload keeps the odds and the zoom", { address: "#play=botzone,9x9/10,3" },
  async (sapper, page) => {
    await sapper.click("#odds-shown");
    await sapper.click("#play-smaller");
    const width = () => page.locator("#play-board .cell").first()
      .evaluate((cell) => getComputedStyle(cell).width);
    const before = await width();
    await page.reload();
    await sapper.ready();
    assert.equal(await width(), before);
    assert.ok(await page.locator("#play-board [data-odds]").count() > 0);
  });
