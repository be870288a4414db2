// Keys: all that are handled are listed in the help, and no script handles one that is in no table.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { pageTest, rootPath } from "./browser.mjs";

// The names of the help for keys whose own names are others.
const NAMES = {
  " ": "Space", "ArrowUp": "Up", "ArrowDown": "Down", "ArrowLeft": "Left", "ArrowRight": "Right",
  "PageUp": "Page up", "PageDown": "Page down",
};

function helpName(key) {
  if (key.length === 1 && key >= "A" && key <= "Z") return "Shift+" + key;
  const parts = key.length === 1 ? [key] : key.split("+");
  return parts.map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join("+");
}

pageTest("every key is listed in the help", {}, async (sapper, page) => {
  const keys = await page.evaluate(`[
    ...Object.values(KEYS).flat().flatMap(({ keys }) => keys),
    ...Object.keys(CURSOR_KEYS), ...ACTIONS.map(({ key }) => key),
  ]`);
  assert.ok(keys.length > 60, `${keys.length} keys`);
  await sapper.click("#help-open");
  const listed = await page.locator("#help-body dt").allInnerTexts();
  const names = new Set(listed.flatMap((text) => text.split(/, | or /)));
  for (const digit of "012345678") names.add(digit);
  assert.ok(listed.includes("0 to 8"));
  assert.deepEqual(keys.map(helpName).filter((name) => !names.has(name)), []);
  for (const key of ["Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z", "Delete", "Shift+A", "?"]) {
    assert.ok(names.has(key), key);
  }
});

test("keys are compared in their tables only", () => {
  const folders = ["crates/page/web/", "crates/viewer/web/"].map(rootPath);
  const compared = /\bkey\s*[!=]==?|\bincludes\((event\.)?key\)|\[event\.key\]|case "Arrow/;
  // board-input.js and viewer-controls.js have tables of their own, which the help lists too.
  const tables = ["keys.js", "board-input.js", "viewer-controls.js", "viewer.js"];
  const files = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => [name, folder + name]));
  const scripts = files.filter(([name]) => name.endsWith(".js"));
  assert.ok(tables.every((table) => scripts.some(([name]) => name === table)));
  const found = scripts.filter(([name, path]) =>
    !tables.includes(name) && compared.test(readFileSync(path, "utf8")));
  assert.deepEqual(found, []);
});

pageTest("the keys of the tabs, and Escape", {}, async (sapper, page) => {
  await page.focus("#tab-analyse");
  await sapper.press("ArrowRight");
  assert.ok(await page.isVisible("#play"));
  await sapper.press("ArrowLeft", "ArrowLeft");
  assert.ok(await page.isVisible("#replay"));
  await sapper.press("ArrowRight");
  await sapper.put("3 1 1\n...");
  await sapper.click("#play-on");
  assert.ok(await page.isVisible("#ask"));
  await page.focus("#analyse-board .board-grid");
  await sapper.press("Shift+ArrowRight");
  assert.ok((await sapper.marked("selected")).length > 0);
  await sapper.press("Escape");
  assert.deepEqual(await sapper.marked("selected"), []);
  assert.ok(await page.isVisible("#ask"));
  await sapper.press("Escape");
  assert.ok(await page.isHidden("#ask"));
  await sapper.press("4", "Control+z");
  await sapper.press("Control+Shift+z");
  assert.match(await sapper.field(), /4/);
  // As on a Mac.
  await sapper.press("Meta+z");
  assert.doesNotMatch(await sapper.field(), /4/);
  await sapper.press("Meta+Shift+z");
  assert.match(await sapper.field(), /4/);
});
