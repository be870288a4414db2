// The names of rules and objectives in links and in the storage: those of now, and former ones.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const SCRIPTS = ["viewer/web/cells.js", ...["dom", "field", "names", "sizes", "game"].map(
  (name) => `page/web/${name}.js`)];
const read = (path) => readFileSync(new URL("../../../" + path, import.meta.url), "utf8");
const { Game, OBJECTIVES, RULES, currentName } = new Function(
  SCRIPTS.map(read).join("\n") + "; return { Game, OBJECTIVES, RULES, currentName };")();

test("a link to a game is read as it was written", () => {
  for (const rule of RULES) {
    const setting = { rule, width: 9, height: 9, minecount: 10, seed: 3 };
    assert.deepEqual(Game.settingOf(new Game(setting).link), setting);
  }
});

test("former names are read, and are not written", () => {
  const setting = { rule: "open-first", width: 9, height: 9, minecount: 10, seed: 3 };
  assert.deepEqual(Game.settingOf("opens-first,9x9/10,3"), setting);
  const saved = new Game(setting).save();
  const game = Game.load({ ...saved, setting: { ...setting, rule: "opens-first" } });
  assert.deepEqual([game.setting, game.objective], [setting, "clean-win"]);
  assert.deepEqual(game.save(), saved);
  assert.deepEqual(["mines", "win"].map(currentName), OBJECTIVES);
});

test("other names are refused", () => {
  for (const rule of ["", "classic", "open", "constructor"]) {
    assert.throws(() => Game.settingOf(rule + ",9x9/10,3"), /cut off or changed/);
  }
  assert.equal(currentName(undefined), undefined);
});
