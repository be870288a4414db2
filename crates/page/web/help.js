"use strict";
// What the help lists: every key, and every sign on the board.

const HELP = [
  ["The game", [
    ["A number", "so many of the cells around it, up to eight, are mines"],
    ["The goal", "open all cells that are no mines"],
    ["A mine", "ends the game; by Botzone's rules it costs points, and the game goes on"],
  ]],
  ["Touch", [
    ["Tap", "put in what the palette says; in Play, open"],
    ["Long press", "flag"],
    ["Drag", "scroll the board"],
  ]],
  ["Analyse: mouse", [
    ["Click", "put in what the palette says; Step goes through the numbers that the cell can show"],
    ["Drag", "paint the same over other cells"],
    ["Right button", "flag: your own mark; with \"Flags are mines\" a known mine"],
    ["Wheel", "step the number (with Alt where the board scrolls)"],
    ["Shift and drag", "select cells; the next key fills them"],
    ["Point at a sentence", "see its cells: dotted ones are used, framed ones follow"],
  ]],
  ["Analyse: keys", [
    [Object.keys(CURSOR_KEYS).map(shownKey).join(", "), "move the cursor; with Shift, select"],
    ...keyRows("edit"),
    ...keyRows("analyse"),
  ]],
  ["Play", [
    ["Click", "open a cell; on a number whose mines are flagged, open around it"],
    ["Right button", "flag"],
    ["Middle button", "open around a number whose mines are flagged"],
    ...keyRows("game"),
    ...keyRows("play"),
  ]],
  ["Analyse and Play: keys", keyRows("board")],
  ["Replay", ACTIONS.map(({ key, label }) =>
    [shownKey(key), label[0].toLowerCase() + label.slice(1)])],
  ["Everywhere", [
    ...keyRows("page"),
    ...keyRows("tabs"),
    ["Ctrl+C, Ctrl+V", "copy the position, paste a position or a game"],
    ...keyRows("boxes"),
    ...keyRows("menus"),
  ]],
  ["Signs", [
    ["ok, ×", "proven safe, proven a mine"],
    ["0.1 to 99.9", "the odds of a mine in percent; nothing is proven"],
    ["43.1 ± 1.2", "the chance to win if Sapper plays on, and half of its 95 % interval"],
    ["∅", "the number of this cell is known beforehand: it tells nothing"],
    ["*", "a mine that was opened"],
    ["Solid frame", "the move, or what a sentence tells about"],
    ["Dashed frame", "the cell that should have been opened instead"],
    ["Double frame", "numbers that contradict each other, or a wrong flag"],
    ["Cells", "(row,column), both from 0"],
  ]],
];

// Its beginning takes the focus: else the button at its end would, and scroll to itself.
function showHelp() {
  byId("help").showModal();
  byId("help-title").focus();
}

function fillHelp(body) {
  for (const [title, rows] of HELP) {
    const list = make("dl");
    for (const [keys, what] of rows) {
      list.append(make("dt", { textContent: keys }), make("dd", { textContent: what }));
    }
    body.append(make("section", {}, make("h3", { textContent: title }), list));
  }
}
