"use strict";
// The sizes of boards: levels by name, and any other size.

const LEVELS = [
  { name: "Beginner", columns: 9, rows: 9, mines: 10 },
  { name: "Intermediate", columns: 16, rows: 16, mines: 40 },
  { name: "Expert", columns: 30, rows: 16, mines: 99 },
  { name: "Botzone", columns: 30, rows: 20, mines: 80 },
  { name: "Botzone min", columns: 11, rows: 11, mines: 11 },
  { name: "Botzone max", columns: 80, rows: 40, mines: 80 },
];
const CUSTOM = "custom";
// The choice of a board in Analyse that is no level.
const OWN = "own";
// What the engine takes.
const MOST_CELLS = 512 * 512;

function fillLevels(select) {
  const options = LEVELS.map(({ name, columns, rows, mines }, index) =>
    make("option", { value: index, textContent: `${name} ${columns}×${rows}/${mines}` }));
  const custom = make("option", { value: CUSTOM, textContent: "Another size" });
  select.replaceChildren(...options, custom);
}

function levelOf({ columns, rows, mines }) {
  const index = LEVELS.findIndex((level) =>
    level.columns === columns && level.rows === rows && level.mines === mines);
  return index < 0 ? CUSTOM : String(index);
}

// Reads the columns and rows that two texts hold. Fails with a line that says what is wrong.
function readSize(columnsText, rowsText) {
  const [columns, rows] = [columnsText, rowsText].map((text) => wholeNumber(text, 1, MOST_CELLS));
  if (columns === null || rows === null || columns * rows > MOST_CELLS) {
    throw new Error(`Columns and rows are whole numbers from 1, with at most ${MOST_CELLS} cells`);
  }
  return { columns, rows };
}

// Reads a number of mines for so many cells, likewise.
function readMines(text, cells) {
  const mines = wholeNumber(text, 0, cells);
  if (mines !== null) return mines;
  throw new Error(`Mines are a whole number from 0 to ${cells}, the cells of the board`);
}

// Chooses the size of the board in Analyse.
class SizePicker {
  constructor(view) {
    this.view = view;
    // Mines for each cell, as they were chosen: a small board has no room for a share of a mine.
    this.density = null;
    this.select = byId("size");
    fillLevels(this.select);
    this.own = make("option", { value: OWN });
    this.select.prepend(this.own);
    this.select.addEventListener("change", () => this.#choose());
    onClick("custom-make", () => this.#make());
    onEnter(["custom-columns", "custom-rows"], () => this.#make());
  }

  show(field) {
    const { mines, shows } = field;
    if (mines !== this.#minesFor(shows.length)) {
      this.density = mines === null ? null : mines / shows.length;
    }
    const level = levelOf(field);
    this.own.hidden = level !== CUSTOM;
    this.own.textContent = `${field.columns}×${field.rows}/${mines ?? "?"}`;
    this.select.value = level === CUSTOM ? OWN : level;
    byId("custom").hidden = true;
    byId("custom-columns").value = field.columns;
    byId("custom-rows").value = field.rows;
  }

  #choose() {
    byId("custom").hidden = this.select.value !== CUSTOM;
    if ([CUSTOM, OWN].includes(this.select.value)) return;
    const { columns, rows, mines } = LEVELS[this.select.value];
    this.view.open(new Field(rows, columns, mines));
  }

  // As many mines as the density makes.
  #minesFor(cells) {
    return this.density === null ? null : Math.round(cells * this.density);
  }

  #make() {
    try {
      const { columns, rows } = readSize(byId("custom-columns").value, byId("custom-rows").value);
      this.view.open(new Field(rows, columns, this.#minesFor(columns * rows)));
    } catch (fault) {
      this.view.app.fail(fault.message);
    }
  }
}
