"use strict";
// A position that is put in: what each cell shows, the player's flags, and the number of mines.
//
// A flag is the player's own mark: it is no part of the text for the engine, and is in that of a
// link. It changes odds only where the player says so; see mine-count.js.

// The signs of the project's text format, which the engine reads.
const HIDDEN_SIGN = ".";
const MINE_SIGN = "*";
const FLAG_SIGN = "F";

class Field {
  // `mines` counts all mines, also those that were opened; null where it is unknown.
  constructor(rows, columns, mines) {
    this.rows = rows;
    this.columns = columns;
    this.mines = mines;
    this.shows = new Int8Array(rows * columns).fill(HIDDEN);
    this.flags = new Uint8Array(rows * columns);
  }

  // Reads a text that the engine has read or `toText` has written; null for any other.
  static fromText(text) {
    const [header, ...lines] = text.trim().split("\n");
    const [columns, rows, mines = null] = header.trim().split(/\s+/).map(Number);
    if (lines.length !== rows || lines.some((line) => line.trim().length !== columns)) return null;
    const field = new Field(rows, columns, mines);
    [...lines.map((line) => line.trim()).join("")].forEach((sign, index) => {
      if (sign >= "0" && sign <= "8") field.shows[index] = Number(sign);
      else if (sign === MINE_SIGN) field.shows[index] = MINE;
    });
    return field;
  }

  toText() {
    return this.#textOf(Array.from(this.shows, showsSign));
  }

  // The text with the flags, which the engine reads and tells again.
  toFlaggedText() {
    return this.#textOf(Array.from(this.shows, (shows, index) =>
      this.flags[index] === 1 ? FLAG_SIGN : showsSign(shows)));
  }

  #textOf(signs) {
    const { rows, columns, mines } = this;
    const lines = [mines === null ? `${columns} ${rows}` : `${columns} ${rows} ${mines}`];
    for (let row = 0; row < rows; row++) {
      lines.push(signs.slice(row * columns, (row + 1) * columns).join(""));
    }
    return lines.join("\n");
  }

  // A form that JSON keeps, and the way back.
  save() {
    return { text: this.toText(), flags: this.flagged };
  }

  static load({ text, flags }) {
    const field = Field.fromText(text);
    if (field === null) throw new Error("no field");
    for (const index of flags) field.flags[index] = 1;
    return field;
  }

  // The indexes of the cells with flags, and these cells.
  get flagged() {
    return indexesOf(this.flags, (flag) => flag === 1);
  }

  get flaggedCells() {
    return this.flagged.map((index) => this.cellAt(index));
  }

  copy() {
    const copy = new Field(this.rows, this.columns, this.mines);
    copy.shows.set(this.shows);
    copy.flags.set(this.flags);
    return copy;
  }

  index([row, column]) {
    return row * this.columns + column;
  }

  cellAt(index) {
    return [Math.floor(index / this.columns), index % this.columns];
  }

  at(cell) {
    return this.shows[this.index(cell)];
  }

  // Only hidden cells have flags.
  set(cell, shows) {
    this.shows[this.index(cell)] = shows;
    if (shows !== HIDDEN) this.flags[this.index(cell)] = 0;
  }

  flag(cell, isFlagged) {
    if (this.at(cell) === HIDDEN) this.flags[this.index(cell)] = Number(isFlagged);
  }

  neighbours([row, column]) {
    const found = [];
    for (let r = Math.max(0, row - 1); r <= Math.min(this.rows - 1, row + 1); r++) {
      for (let c = Math.max(0, column - 1); c <= Math.min(this.columns - 1, column + 1); c++) {
        if (r !== row || c !== column) found.push([r, c]);
      }
    }
    return found;
  }
}

function showsSign(shows) {
  if (shows === HIDDEN) return HIDDEN_SIGN;
  return shows === MINE ? MINE_SIGN : String(shows);
}

function indexesOf(values, isWanted) {
  const found = [];
  values.forEach((value, index) => {
    if (isWanted(value)) found.push(index);
  });
  return found;
}
