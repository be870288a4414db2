// The page in a headless Chromium, and what its users do in it.
//
// Every test starts with an empty page: nothing is kept from one to the next, and an error of a
// script, which nobody would see, fails the test at its end. A tab of the browser takes more than
// twice as long to open as to load a page anew, so that tests with the same options share a tab.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = new URL("../../../../", import.meta.url);
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

export const PAGE = new URL("target/page/sapper.html", ROOT).href;
const BLANK = new URL("crates/page/web/order.txt", ROOT).href;
export const rootPath = (path) => fileURLToPath(new URL(path, ROOT));

// The browser of this machine: the value of `CHROME`, or the first common name on the path.
function browserPath() {
  if (process.env.CHROME) return process.env.CHROME;
  const folders = process.env.PATH.split(":");
  const files = NAMES.flatMap((name) => folders.map((folder) => folder + "/" + name));
  return files.find((file) => existsSync(file));
}

const BROWSER = browserPath();
let browser = null;

// A test with a page of its own.
export function pageTest(name, options, use) {
  browserTest(name, () => withPage(options, use));
}

// Runs `use` with the page. `options` are Playwright's for a context, and `address`, what follows
// the page's own address.
function withPage({ address = "", ...context }, use) {
  return withAddress(PAGE + address, context, async (page) => {
    const sapper = new SapperPage(page);
    await sapper.ready();
    await sapper.begin();
    await use(sapper, page);
  });
}

// A test in the browser; skipped where there is none.
export function browserTest(name, use) {
  const skip = BROWSER === undefined && "no Chromium is on the path, or named by CHROME";
  test(name, { skip }, use);
}

// Runs `use` with a page at this address, in a context with these options of Playwright.
export async function withAddress(address, context, use) {
  const key = JSON.stringify(context);
  const options = { viewport: { width: 1280, height: 800 }, colorScheme: "light", ...context };
  const page = tabs.get(key) ?? await newTab(options);
  // Whoever fails leaves behind what nobody knows: the tab comes back only at the end.
  tabs.delete(key);
  const errors = [];
  let passed = false;
  try {
    await empty(page, options);
    page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(address);
    await use(page);
    assert.deepEqual(errors, []);
    passed = true;
  } finally {
    page.removeAllListeners();
    if (passed && !page.hasScript) tabs.set(key, page);
    else await page.context().close();
  }
}

// The tabs that no test uses now, by their options as JSON.
const tabs = new Map();

async function newTab(options) {
  browser ??= await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  const page = await (await browser.newContext(options)).newPage();
  page.devtools = await page.context().newCDPSession(page);
  // A script that a test adds would run in all later pages of the tab.
  page.hasScript = false;
  const addInitScript = page.addInitScript.bind(page);
  page.addInitScript = (script) => {
    page.hasScript = true;
    return addInitScript(script);
  };
  return page;
}

// Leaves the page of the test before, if there is one, and its data.
async function empty(page, { viewport, colorScheme }) {
  // The page that is left stores its state for the next time. Another file has the same process,
  // which "about:blank" has not.
  await page.goto(BLANK);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  await page.mouse.move(0, 0);
  await page.devtools.send("Storage.clearDataForOrigin",
    { origin: "file://", storageTypes: "all" });
}

export const close = () => browser?.close();
after(close);

export class SapperPage {
  constructor(page) {
    this.page = page;
  }

  // Waits until nothing is thought about, also not after a short rest.
  async ready() {
    await this.page.waitForSelector("html[data-state=ready]");
    await this.page.waitForTimeout(20);
    await this.page.waitForSelector("html[data-state=ready]");
  }

  // A newcomer is asked what to begin with.
  async begin() {
    if (await this.page.isVisible("#start")) await this.click("#start-analyse");
  }

  // Opens the settings, which are folded away where the window is narrow.
  async unfold() {
    const fold = this.page.locator(".view:not([hidden]) .fold[aria-expanded=false]");
    if (await fold.isVisible()) await fold.click();
  }

  cell([row, column]) {
    const place = `.cell[data-row="${row}"][data-col="${column}"]`;
    return this.page.locator(".view:not([hidden]) " + place);
  }

  shows(cell) {
    return this.cell(cell).getAttribute("data-shows");
  }

  async odds(cell) {
    return Number(await this.cell(cell).getAttribute("data-odds"));
  }

  text(selector) {
    return this.page.textContent(selector);
  }

  notice() {
    return this.text("#notice-text");
  }

  // The cell of the move, as [row, column]; null where none is marked.
  async move() {
    const moves = this.page.locator(".view:not([hidden]) [data-move]");
    if (await moves.count() === 0) return null;
    const [move] = await moves.all();
    return [+await move.getAttribute("data-row"), +await move.getAttribute("data-col")];
  }

  // The cells that have a mark of a kind, as texts "row,column".
  async marked(kind) {
    return this.page.evaluate((name) => {
      const view = document.querySelector(".view:not([hidden])");
      const side = parseFloat(getComputedStyle(view.querySelector(".cell")).width);
      return [...view.querySelectorAll(".mark." + name)].map((mark) =>
        [mark.style.top, mark.style.left].map((at) => Math.round(parseFloat(at) / side)).join());
    }, kind);
  }

  // Puts in a field by the dialog for texts.
  async put(text) {
    await this.page.click("details.menu summary");
    await this.page.click(".open-text");
    await this.page.fill("#text-input", text);
    await this.page.click("#text-dialog button[value=open]");
    await this.ready();
  }

  // What follows # in the address, which the page writes a moment after the last change. Its own
  // timers run in order, so that a busy machine delays both alike.
  address() {
    return this.page.evaluate(() => new Promise((resolve) => {
      setTimeout(() => resolve(location.hash.slice(1)), 300);
    }));
  }

  // The position in Analyse, as the page's address has it.
  async field() {
    return new URLSearchParams(await this.address()).get("field");
  }

  async click(selector) {
    await this.page.click(selector);
    await this.ready();
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.ready();
  }
}
