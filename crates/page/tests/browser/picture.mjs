// Writes the picture of the page for the README: a guess, with the chance to win of each cell.
// `node crates/page/tests/browser/picture.mjs FILE.png`.

import { SapperPage, close, PAGE, withAddress } from "./browser.mjs";

const [file] = process.argv.slice(2);
const SIZE = { viewport: { width: 1280, height: 760 }, colorScheme: "light" };
const GUESS = `14 11 30
12.2.1001.101.
1.22110123322.
22100001.2..32
.11110011334..
112.311001.3..
003.4.10023...
003.522123....
002...2.......
0012..........
0012..........
001...........`;
// As many playouts as the page makes.
const PLAYOUTS = 2000;

await withAddress(PAGE, SIZE, async (page) => {
  const sapper = new SapperPage(page);
  await sapper.ready();
  await sapper.begin();
  await sapper.click("#first-hint-close");
  await page.selectOption("#objective", "clean-win");
  await sapper.put(GUESS);
  await page.waitForFunction((all) =>
    Number(document.getElementById("chance-line").dataset.playouts) >= all, PLAYOUTS);
  await page.hover("#candidates tbody tr:nth-child(2)");
  await sapper.ready();
  await page.screenshot({ path: file });
});
await close();
