// For everyone: axe-core finds nothing, phones and large screens, large boards, no network.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PAGE, SapperPage, browserTest, pageTest, rootPath, withAddress } from "./browser.mjs";

const AXE = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const LOG = readFileSync(rootPath("samples/games/small-11x11-11.json"), "utf8");
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
const WIDE = { viewport: { width: 2560, height: 1440 } };

const VIEWS = {
  analyse: async () => {},
  conflict: (sapper) => sapper.put("4 1 1\n1.0."),
  overlay: async (sapper, page) => {
    await sapper.unfold();
    await page.selectOption("#overlay", "zero");
    await sapper.ready();
  },
  play: async (sapper) => {
    await sapper.click("#tab-play");
    await sapper.cell([4, 4]).click();
    await sapper.click("#odds-shown");
    await sapper.cell([0, 0]).click();
    await sapper.ready();
  },
  replay: async (sapper, page) => {
    await sapper.click("#tab-replay");
    await page.fill("#replay-text", LOG);
    await sapper.click("#replay-read");
  },
  "unknown mine count": (sapper) => sapper.put("3 1\n1.."),
  statistics: showStatistics,
  "the question before they are erased": async (sapper, page) => {
    await showStatistics(sapper, page);
    await page.click("#statistics-erase");
  },
  help: (sapper) => sapper.click("#help-open"),
};

// The statistics of a game of three cells, of which one was guessed.
async function showStatistics(sapper, page) {
  const buffer = Buffer.from([3, 1, 0, 1, 1, 0]);
  const file = { name: "board.mbf", mimeType: "application/octet-stream", buffer };
  await page.setInputFiles("#file", file);
  await sapper.ready();
  for (const cell of [[0, 0], [0, 2]]) {
    await sapper.cell(cell).click();
    await sapper.ready();
  }
  await page.click("#statistics summary");
  await page.waitForSelector("#statistics-guesses tbody tr");
}

async function violations(page) {
  await page.addScriptTag({ content: AXE });
  const found = await page.evaluate(() => window.axe.run());
  return found.violations.map(({ id, nodes }) =>
    `${id}: ${nodes.slice(0, 3).map(({ html }) => html).join(" ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  browserTest(`axe-core finds nothing: the first choice, ${colorScheme}`, () =>
    withAddress(PAGE, { colorScheme, bypassCSP: true }, async (page) => {
      await new SapperPage(page).ready();
      assert.deepEqual(await violations(page), []);
    }));
}

for (const [name, open] of Object.entries(VIEWS)) {
  for (const colorScheme of ["light", "dark"]) {
    pageTest(`axe-core finds nothing: ${name}, ${colorScheme}`, { colorScheme, bypassCSP: true },
      async (sapper, page) => {
        await open(sapper, page);
        assert.deepEqual(await violations(page), []);
      });
  }
  for (const [size, options] of Object.entries({ phone: PHONE, wide: WIDE })) {
    pageTest(`${name} fits a ${size} screen`, options, async (sapper, page) => {
      await open(sapper, page);
      const overflow = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0);
    });
  }
}

for (const [size, options] of Object.entries({ phone: PHONE, desk: {} })) {
  pageTest(`no choice is cut off on a ${size}`, options, async (sapper, page) => {
    const cutOff = () => page.evaluate(() => [...document.querySelectorAll("select")]
      .filter((select) => select.offsetWidth > 0)
      .filter((select) => {
        const width = select.offsetWidth;
        select.style.width = select.style.maxWidth = "max-content";
        return select.offsetWidth > width;
      }).map(({ id }) => id));
    await sapper.unfold();
    assert.deepEqual(await cutOff(), []);
    await sapper.click("#tab-play");
    assert.deepEqual(await cutOff(), []);
  });
}

pageTest("cells are large on a phone, and fill a wide screen", PHONE, async (sapper, page) => {
  await sapper.unfold();
  await page.selectOption("#size", { label: "Expert 30×16/99" });
  await sapper.ready();
  const small = await sapper.cell([0, 0]).boundingBox();
  assert.ok(small.width >= 18, `${small.width} px`);
  await page.setViewportSize(WIDE.viewport);
  await page.waitForFunction(() =>
    document.querySelector(".cell").getBoundingClientRect().width > 40);
});

pageTest("a board of 200x200 is put in, scrolled and zoomed", {}, async (sapper, page) => {
  const row = ".".repeat(200);
  await sapper.put(["200 200 6000", ...Array(200).fill(row)].join("\n"));
  const count = await page.locator("#analyse-board .cell").count();
  assert.ok(count > 100 && count < 10000, `${count} cells in view`);
  await page.focus("#analyse-board .board-grid");
  await sapper.press("PageDown", "End", "2");
  assert.equal(await sapper.shows([199, 199]), "2");
  assert.equal(await page.locator("#analyse-board [data-row='0']").count(), 0);
  await sapper.press("-", "-");
  assert.ok(await page.locator("#analyse-board .cell").count() > count);
  await sapper.press("Control+z", "PageUp", "Home");
  assert.equal(await sapper.shows([0, 0]), "hidden");
  assert.ok(Math.abs(await sapper.odds([0, 0]) - 0.15) < 1e-12);
});

pageTest("moves and conflicts are spoken, and cells are labelled", {}, async (sapper, page) => {
  await sapper.put("3 2 1\n1..\n1..");
  assert.match(await sapper.text("#spoken"), /Open row 0, column 2: proven safe/);
  assert.equal(await sapper.cell([0, 1]).getAttribute("aria-label"),
    "row 0, column 1: hidden, a mine with 50 percent");
  await page.focus(".board-grid");
  await sapper.press("PageUp", "Home", "ArrowRight");
  const active = await page.getAttribute(".board-grid", "aria-activedescendant");
  assert.equal(active, await sapper.cell([0, 1]).getAttribute("id"));
  await sapper.press("0");
  assert.match(await sapper.text("#spoken"), /This position cannot be/);
});

pageTest("nothing is asked of the network", {}, async (sapper, page) => {
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto("about:blank");
  await page.goto(PAGE);
  await sapper.ready();
  await VIEWS.play(sapper, page);
  assert.deepEqual(requests.filter((url) => !/^(file|blob|data|about):/.test(url)), []);
});
