// A link shows what it was made of, whatever the page that made it shows by now.

import assert from "node:assert/strict";
import { PAGE, SapperPage, pageTest } from "./browser.mjs";

const ROW = { address: "#field=4%201%201%0A1...&objective=clean-win" };

// What a new tab of the same browser shows at this address.
async function inNewTab(sapper, hash, read) {
  const tab = new SapperPage(await sapper.page.context().newPage());
  await tab.page.goto(PAGE + "#" + hash);
  await tab.ready();
  const seen = await read(tab);
  await tab.page.close();
  return seen;
}

pageTest("a link of a position is that position after the next change", ROW, async (sapper) => {
  await sapper.put("4 1 1\n10..");
  const first = await sapper.address();
  await sapper.put("4 1 1\n11..");
  assert.notEqual(await sapper.address(), first);
  const read = (tab) => tab.field();
  assert.equal(await inNewTab(sapper, first, read), "4 1 1\n10..");
  // The second tab has written its own position; the first one keeps what its address says.
  await sapper.page.reload();
  await sapper.ready();
  assert.equal(await sapper.field(), "4 1 1\n11..");
});

const GAME = { address: "#play=safe-first,9x9/10,7" };

pageTest("a link of a game is that game after a new one", GAME, async (sapper) => {
  const hash = await sapper.address();
  await sapper.click("#new-game");
  await sapper.page.waitForTimeout(400);
  assert.notEqual(await sapper.address(), hash);
  assert.equal(await inNewTab(sapper, hash, (tab) => tab.address()), hash);
});
