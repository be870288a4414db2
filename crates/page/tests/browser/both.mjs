// Tests that run in Chromium and in Firefox: the same steps, in an empty page of either.
//
// Playwright drives Chromium and puppeteer Firefox. Their pages have in common what is used here.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";
import puppeteer from "puppeteer-core";
import { PAGE, browserTest, rootPath, withAddress } from "./browser.mjs";

const FOLDERS = process.env.PATH.split(":");
export const FIREFOX = FOLDERS.flatMap((folder) => [folder + "/firefox", folder + "/firefox-esr"])
  .find((file) => existsSync(file));
export const skip = FIREFOX === undefined && "no Firefox is on the path";
const SIZE = { width: 1280, height: 800 };

/** The first turns of a log: all of a long game take long to analyse. */
export function firstTurns(log, turns) {
  const record = JSON.parse(log);
  return JSON.stringify({ ...record, log: record.log.slice(0, 2 * turns + 1) });
}

let firefox = null;
after(() => firefox?.close());

// Runs `use(page, address)` with the page opened from disk, in each browser. `viewport` is the size
// of the window. `phone` are what Playwright emulates besides, which Firefox does not.
export function bothTest(name, { viewport = SIZE, ...phone } = {}, use) {
  const run = (page) => use(page, PAGE);
  browserTest(name + ", in Chromium", () => inChromium(PAGE, { viewport, ...phone }, run));
  test(name + ", in Firefox", { skip }, () => inFirefox(PAGE, viewport, run));
}

// The same with the page from a web server.
export function servedTest(name, use) {
  const served = (run) => async () => {
    const html = readFileSync(rootPath("target/page/sapper.html"));
    const server = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(html);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const address = `http://127.0.0.1:${server.address().port}/sapper.html`;
      await run(address, (page) => use(page, address));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  browserTest(name + ", in Chromium", served((address, run) =>
    inChromium(address, { viewport: SIZE }, run)));
  test(name + ", in Firefox", { skip }, served((address, run) => inFirefox(address, SIZE, run)));
}

const inChromium = (address, context, use) =>
  withAddress(address, context, (page) => begin(new BothPage(page), use));

async function inFirefox(address, viewport, use) {
  firefox ??= await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX });
  const context = await firefox.createBrowserContext();
  try {
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.setViewport(viewport);
    await page.goto(address);
    await begin(new BothPage(page), use);
    if (errors.length > 0) throw new Error(errors.join("\n"));
  } finally {
    await context.close();
  }
}

async function begin(page, use) {
  await page.ready();
  if (await page.isVisible("#start")) await page.click("#start-replay");
  await use(page);
}

class BothPage {
  constructor(page) {
    this.page = page;
  }

  // Waits until nothing is thought about, also not after a short rest.
  async ready() {
    await this.page.waitForSelector("html[data-state=ready]");
    await new Promise((resolve) => setTimeout(resolve, 60));
    await this.page.waitForSelector("html[data-state=ready]");
  }

  async goto(address) {
    // Another part after # alone would load nothing.
    await this.page.goto("about:blank");
    await this.page.goto(address);
    await this.ready();
  }

  async reload() {
    await this.page.reload();
    await this.ready();
  }

  // Leaves the page without its data, as another person has it.
  async forget() {
    await this.page.evaluate(() =>
      addEventListener("pagehide", () => localStorage.clear()));
    await this.page.goto("about:blank");
  }

  evaluate(work, value) {
    return this.page.evaluate(work, value);
  }

  isVisible(selector) {
    return this.page.$eval(selector, (found) => found.checkVisibility());
  }

  text(selector) {
    return this.page.$eval(selector, (found) => found.textContent);
  }

  // The texts of all that a selector finds.
  texts(selector) {
    return this.page.$$eval(selector, (found) => found.map((one) => one.textContent));
  }

  // Waits until a text is there.
  async waitForText(selector, expected) {
    for (let left = 100; left > 0 && await this.text(selector) !== expected; left--) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.equal(await this.text(selector), expected);
  }

  // The selector of a cell of the view that is shown.
  cell([row, column]) {
    return `.view:not([hidden]) .cell[data-row="${row}"][data-col="${column}"]`;
  }

  attribute(selector, name) {
    return this.page.$eval(selector, (found, asked) => found.getAttribute(asked), name);
  }

  // The value of a field or a choice.
  value(selector) {
    return this.page.$eval(selector, (found) => found.value);
  }

  // Chooses or writes a value.
  async choose(selector, value) {
    await this.page.$eval(selector, (found, chosen) => {
      found.value = chosen;
      for (const name of ["input", "change"]) {
        found.dispatchEvent(new Event(name, { bubbles: true }));
      }
    }, value);
    await this.ready();
  }

  count(selector) {
    return this.page.$$eval(selector, (found) => found.length);
  }

  async click(selector) {
    await this.page.click(selector);
    await this.ready();
  }

  // Presses a button that may be in a menu which is closed.
  async act(selector) {
    await this.page.$eval(selector, (button) => button.click());
    await this.ready();
  }

  // Presses keys, one after another; "Control+c" is one.
  async press(...keys) {
    const { keyboard } = this.page;
    for (const key of keys) {
      const [, held, last] = /^(\w+)\+(.+)$/.exec(key) ?? [null, null, key];
      if (held !== null) await keyboard.down(held);
      await keyboard.press(last);
      if (held !== null) await keyboard.up(held);
    }
    await this.ready();
  }

  // Puts in a field by the dialog for texts.
  async put(text) {
    await this.page.$eval("#analyse .open-text", (button) => button.click());
    await this.page.$eval("#text-input", (area, value) => {
      area.value = value;
    }, text);
    await this.click("#text-dialog button[value=open]");
  }

  // Opens a file that is chosen.
  async file(name, bytes) {
    await this.page.$eval("#file", (input, [named, values]) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File([new Uint8Array(values)], named));
      input.files = chosen.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }, [name, [...bytes]]);
    await this.ready();
  }

  // Lets Sapper play at once, to the end.
  async letSapperPlay() {
    await this.choose("#speed", "0");
    await this.page.click("#auto");
    await this.page.waitForFunction(() => document.getElementById("auto").disabled);
    await this.ready();
  }

  // Opens a text in Replay.
  async replay(text) {
    await this.click("#tab-replay");
    if (!await this.isVisible("#replay-text")) await this.click("#replay-other");
    await this.page.$eval("#replay-text", (area, value) => {
      area.value = value;
    }, text);
    await this.click("#replay-read");
  }

  // What follows # in the address, once the page has written it.
  async address() {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return this.evaluate(() => location.hash);
  }

  // What a button copies.
  async copied(selector) {
    await this.evaluate(() => Object.defineProperty(navigator, "clipboard", {
      configurable: true,
      value: { writeText: async (text) => void (window.copied = text) },
    }));
    await this.act(selector);
    return this.evaluate(() => window.copied ?? null);
  }

  // The name and the text of the file that a button saves.
  async saved(selector) {
    await this.evaluate(() => {
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => {
        window.blob = blob;
        return createObjectURL.call(URL, blob);
      };
      HTMLAnchorElement.prototype.click = function () {
        window.fileName = this.download;
      };
    });
    await this.act(selector);
    return this.evaluate(async () => ({ name: window.fileName, text: await window.blob.text() }));
  }
}
