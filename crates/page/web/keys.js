"use strict";
// Every key of the page in one table, from which the help lists it.
//
// What handles keys asks `keyAction` for the name of the action. The keys of the cursor are in
// board-input.js and those of Replay in viewer-controls.js: the page of `judge replay` has both.

const KEYS = {
  edit: [
    { name: "number", keys: [..."012345678"], shown: "0 to 8", help: "the number of a cell" },
    { name: "hide", keys: [".", "h", "Delete", "Backspace"], help: "hidden" },
    { name: "mine", keys: ["m", "*"], help: "a mine that was opened" },
    { name: "flag", keys: ["f"], help: "flag" },
    { name: "press", keys: [" ", "Enter"], help: "put in what the palette says" },
    { name: "look", keys: ["l"], help: "palette: look" },
    { name: "step", keys: ["s"], help: "palette: step" },
    { name: "unselect", keys: ["Escape"], help: "end the selection" },
  ],
  analyse: [
    { name: "playOn", keys: ["n"], help: "play on: asks what the next cell shows" },
    { name: "stopAsking", keys: ["Escape"], help: "stop asking" },
    { name: "undo", keys: ["Ctrl+z"], help: "undo" },
    { name: "redo", keys: ["Ctrl+y", "Ctrl+Shift+z"], help: "redo" },
  ],
  game: [
    { name: "open", keys: [" ", "Enter"], help: "open, as a click" },
    { name: "flag", keys: ["f"], help: "flag" },
    { name: "chord", keys: ["c"], help: "open around a number whose mines are flagged" },
  ],
  play: [
    { name: "newGame", keys: ["n"], help: "new game" },
    { name: "hint", keys: ["h"], help: "hint" },
    { name: "odds", keys: ["o"], help: "show or hide the odds" },
    { name: "auto", keys: ["s"], help: "let Sapper play, or stop it" },
  ],
  page: [
    { name: "analyse", keys: ["A"], help: "Analyse" },
    { name: "play", keys: ["P"], help: "Play" },
    { name: "replay", keys: ["R"], help: "Replay" },
    { name: "help", keys: ["?"], help: "this help" },
  ],
  board: [
    { name: "larger", keys: ["+"], help: "larger board; also Ctrl and wheel" },
    { name: "smaller", keys: ["-"], help: "smaller board" },
    { name: "fit", keys: ["w"], help: "fit the board to the window" },
    { name: "picture", keys: ["x"], help: "save the board as a picture (SVG)" },
  ],
  tabs: [
    { name: "previous", keys: ["ArrowLeft"], help: "on a tab: the view before" },
    { name: "next", keys: ["ArrowRight"], help: "on a tab: the next view" },
  ],
  boxes: [{ name: "apply", keys: ["Enter"], help: "in a box: take what was typed" }],
  menus: [{ name: "close", keys: ["Escape"], help: "close a menu or a window" }],
};

// The name of the action that a key has in a group, or undefined. On a Mac, Cmd is Ctrl.
function keyAction(group, { key, ctrlKey, metaKey, shiftKey }) {
  const isControl = ctrlKey || metaKey;
  const pressed = isControl ? "Ctrl+" + (shiftKey ? "Shift+" : "") + key.toLowerCase() : key;
  return KEYS[group].find(({ keys }) => keys.includes(pressed))?.name;
}

// Runs what `actions` has for the action of a key; returns whether there is one.
function runKey(group, event, actions) {
  const name = keyAction(group, event);
  if (name === undefined) return false;
  return actions[name]() !== false;
}

// Whether a key presses the button that has the focus.
const isPressKey = ({ key }) => key === "Enter" || key === " ";

const KEY_NAMES = {
  " ": "Space", "ArrowUp": "Up", "ArrowDown": "Down", "ArrowLeft": "Left", "ArrowRight": "Right",
  "PageUp": "Page up", "PageDown": "Page down",
};

// How the help writes a key: "Shift+A" for what the event calls "A".
function shownKey(key) {
  if (key.length > 1 && key.includes("+")) return key.split("+").map(shownPart).join("+");
  return key !== key.toLowerCase() && key.length === 1 ? "Shift+" + key : shownPart(key);
}

const shownPart = (key) => KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

// Rows for the help: the keys, and what they do.
const keyRows = (group) => KEYS[group].map(({ keys, shown, help }) =>
  [shown ?? keys.map(shownKey).join(" or "), help]);
