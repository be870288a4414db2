// Analyse where the mine count is unknown, and where a game is copied that is played elsewhere.

import assert from "node:assert/strict";
import { pageTest } from "./browser.mjs";

const UNKNOWN = { address: "#field=3%201%0A1.." };
const ROW = { address: "#field=4%201%202%0A....&objective=clean-win" };

async function fill(sapper, page, id, text) {
  await page.fill(id, text);
  await page.press(id, "Enter");
  await sapper.ready();
}

const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-9, `${found}`);

pageTest("an unknown mine count has a density to assume", UNKNOWN, async (sapper, page) => {
  assert.equal(await page.inputValue("#mines"), "");
  assert.equal(await page.inputValue("#density"), "20");
  near(await sapper.odds([0, 2]), 0.2);
  await fill(sapper, page, "#density", "35,5");
  near(await sapper.odds([0, 2]), 0.355);
  // The reasons, the move and the cell are those of the density, too.
  await sapper.cell([0, 2]).hover();
  await page.waitForFunction(() =>
    document.getElementById("cell-line").textContent.startsWith("(0,2)"));
  assert.match(await sapper.text("#cell-line"), /35\.5/);
  // It is kept, and is in the link.
  assert.equal(new URLSearchParams(await sapper.address()).get("density"), "0.355");
  await page.reload();
  await sapper.ready();
  near(await sapper.odds([0, 2]), 0.355);
  for (const wrong of ["0", "100", "x", "-3"]) {
    await fill(sapper, page, "#density", wrong);
    assert.match(await sapper.notice(), /^The density is a number of percent/);
    assert.equal(await page.inputValue("#density"), "35.5");
  }
  await fill(sapper, page, "#mines", "1");
  assert.equal(await page.isVisible("#density"), false);
  assert.equal(new URLSearchParams(await sapper.address()).get("density"), null);
  near(await sapper.odds([0, 2]), 0);
});

pageTest("a link sets the density", { address: UNKNOWN.address + "&density=0.4" },
  async (sapper, page) => {
    near(await sapper.odds([0, 2]), 0.4);
    await page.goto(page.url().split("#")[0] + UNKNOWN.address + "&density=7");
    await sapper.ready();
    assert.match(await sapper.notice(), /density that is not between 0 and 1: "7"/);
  });

pageTest("flags are mines where the player says so", ROW, async (sapper, page) => {
  near(await sapper.odds([0, 3]), 0.5);
  await sapper.cell([0, 0]).click({ button: "right" });
  await sapper.ready();
  near(await sapper.odds([0, 3]), 0.5);
  await page.check("#flags-are-mines");
  await sapper.ready();
  near(await sapper.odds([0, 3]), 1 / 3);
  assert.equal(await sapper.cell([0, 0]).getAttribute("data-odds"), null);
  assert.match(await sapper.cell([0, 0]).getAttribute("class"), /flagged/);
  // A second one leaves no mine.
  await sapper.cell([0, 2]).click({ button: "right" });
  await sapper.ready();
  assert.deepEqual([await sapper.odds([0, 1]), await sapper.odds([0, 3])], [0, 0]);
  await page.reload();
  await sapper.ready();
  assert.equal(await sapper.odds([0, 1]), 0);
  // A wrong flag contradicts the numbers.
  await sapper.put("3 1 1\n1..");
  await sapper.cell([0, 2]).click({ button: "right" });
  await sapper.ready();
  assert.equal(await sapper.text("#move-line"), "This position cannot be");
  assert.deepEqual((await sapper.marked("wrong")).sort(), ["0,0", "0,2"]);
  assert.equal(await sapper.text("#totals"),
    "Change one of the framed cells, or the number of mines. Flags are mines here.");
  await page.uncheck("#flags-are-mines");
  await sapper.ready();
  assert.equal(await sapper.odds([0, 2]), 0);
});

pageTest("mines remaining are counted as other programs do", ROW, async (sapper, page) => {
  const counts = async () =>
    [await page.inputValue("#mines"), await page.inputValue("#mines-remaining")];
  assert.deepEqual(await counts(), ["2", "2"]);
  await sapper.cell([0, 0]).click({ button: "right" });
  assert.deepEqual(await counts(), ["2", "1"]);
  // The other program shows 2 beside the flag.
  await fill(sapper, page, "#mines-remaining", "2");
  assert.deepEqual(await counts(), ["3", "2"]);
  near(await sapper.odds([0, 3]), 0.75);
  await fill(sapper, page, "#mines-remaining", "-1");
  assert.deepEqual(await counts(), ["0", "-1"]);
  for (const wrong of ["4", "-2", "1.5", "many"]) {
    await fill(sapper, page, "#mines-remaining", wrong);
    assert.match(await sapper.notice(), /^Mines remaining are a whole number from -1 to 3/);
    assert.deepEqual(await counts(), ["0", "-1"]);
  }
  await fill(sapper, page, "#mines-remaining", "");
  assert.deepEqual(await counts(), ["", ""]);
  assert.ok(await page.isVisible("#density"));
});
