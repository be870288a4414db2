// Writes the picture of the page for the README:
// `node crates/page/tests/browser/picture.mjs FILE.png`.

import { SapperPage, close, PAGE, withAddress } from "./browser.mjs";

const [file] = process.argv.slice(2);
const SIZE = { viewport: { width: 1280, height: 680 }, colorScheme: "light" };

await withAddress(PAGE, SIZE, async (page) => {
  const sapper = new SapperPage(page);
  await sapper.ready();
  await sapper.begin();
  await sapper.click("#first-hint-close");
  await page.hover("#why li:last-child");
  await sapper.ready();
  await page.screenshot({ path: file });
});
await close();
