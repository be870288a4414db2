"use strict";
// The sizes of boards: levels by name, and any other size.

const LEVELS = [
  { name: "Beginner", columns: 9, rows: 9, mines: 10 },
  { name: "Intermediate", columns: 16, rows: 16, mines: 40 },
  { name: "Expert", columns: 30, rows: 16, mines: 99 },
  { name: "Botzone", columns: 30, rows: 20, mines: 80 },
  { name: "Botzone least", columns: 11, rows: 11, mines: 11 },
  { name: "Botzone most", columns: 80, rows: 40, mines: 80 },
];
const CUSTOM = "custom";
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

// Reads columns and rows from two inputs; a text says what is wrong with them.
function readSize(columnsInput, rowsInput) {
  const [columns, rows] = [columnsInput, rowsInput].map((input) =>
    wholeNumber(input, 1, MOST_CELLS));
  if (columns === null || rows === null) return "Columns and rows are whole numbers from 1";
  if (columns * rows > MOST_CELLS) return `A board has at most ${MOST_CELLS} cells`;
  return { columns, rows };
}

// Chooses the size of the board in Analyse.
class SizePicker {
  constructor(view) {
    this.view = view;
    this.select = byId("size");
    fillLevels(this.select);
    this.select.addEventListener("change", () => this.#choose());
    onClick("custom-make", () => this.#make());
  }

  show(field) {
    this.select.value = levelOf(field);
    byId("custom").hidden = this.select.value !== CUSTOM;
    byId("custom-columns").value = field.columns;
    byId("custom-rows").value = field.rows;
  }

  #choose() {
    byId("custom").hidden = this.select.value !== CUSTOM;
    if (this.select.value === CUSTOM) return;
    const { columns, rows, mines } = LEVELS[this.select.value];
    this.view.open(new Field(rows, columns, mines));
  }

  #make() {
    const size = readSize(byId("custom-columns"), byId("custom-rows"));
    if (typeof size === "string") return this.view.app.fail(size);
    const { columns, rows } = size;
    // As dense as the board before.
    const { mines, shows } = this.view.field;
    const wanted = mines === null ? null : Math.round(columns * rows * mines / shows.length);
    return this.view.open(new Field(rows, columns, wanted));
  }
}
