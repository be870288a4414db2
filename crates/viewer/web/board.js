"use strict";
// Draws a field into a container as a grid of cells that scrolls, zooms and fits its window.
//
// `show` is given the whole field every time and repaints only what changed. Cells in view are
// elements with data-row, data-col, data-shows and data-odds; up to ALL_CELLS cells, every cell
// counts as in view. Beyond that the elements are a window that moves over the field as it scrolls.
//
// Invariant: the element at place (i, j) of the window stands for the cell (firstRow + i,
// firstColumn + j), and its key says which cell is painted on it, and how.
//
// The container needs a size of its own; the board fills it. Input is in board-input.js.

const ALL_CELLS = 10000;
const LEAST_SIDE = 5;
const GREATEST_SIDE = 360;
// Cells of this side have room for a decimal.
const FINE_SIDE = 28;
// The side of cells whose numbers can be read, if need be with two fingers that spread the page.
const READABLE_SIDE = 8;
// The part of the screen's height that a board which flows fills.
const FLOWING_HEIGHT = 0.68;
const ZOOM_STEP = 1.25;
const STRIP_HEIGHT = 20;
const DIGIT_WIDTH = 7;
const MARK_KINDS = ["selected", "uses", "tells", "wrong", "instead", "move", "cursor"];

let boardCount = 0;

function element(name, className, parent) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (parent) parent.append(made);
  return made;
}

class BoardView {
  // `label` names the grid for screen readers. `on` has callbacks; see board-input.js.
  constructor(container, { label = "Board", on = {} } = {}) {
    this.id = "board" + boardCount++;
    this.field = {
      rows: 0, columns: 0, shows: [], odds: null, flags: null, mines: null, overlay: null,
      dead: null,
    };
    this.marks = new Map(MARK_KINDS.map((kind) => [kind, []]));
    this.cursor = [0, 0];
    this.side = 0;
    // Null while the board fits its window by itself.
    this.chosenSide = null;
    this.cells = [];
    this.keys = new WeakMap();
    this.window = { firstRow: 0, firstColumn: 0, rows: 0, columns: 0 };
    this.#build(container, label);
    this.input = new BoardInput(this, on);
    this.frame.addEventListener("scroll", () => this.#moveWindow());
    this.resizeObserver = new ResizeObserver(() => this.#resize());
    this.resizeObserver.observe(this.frame);
  }

  #build(container, label) {
    this.frame = element("div", "board-frame", container);
    const sheet = element("div", "board-sheet", this.frame);
    element("div", "board-corner", sheet).setAttribute("aria-hidden", "true");
    this.columnNumbers = element("div", "board-columns", sheet);
    this.rowNumbers = element("div", "board-rows", sheet);
    this.area = element("div", "board-area", sheet);
    this.grid = element("div", "board-grid", this.area);
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-label", label);
    this.grid.tabIndex = 0;
    this.markLayer = element("div", "board-marks", this.area);
    for (const hidden of [this.columnNumbers, this.rowNumbers, this.markLayer]) {
      hidden.setAttribute("aria-hidden", "true");
    }
  }

  // ---- The field ------------------------------------------------------------------------------

  // Shows a field: {rows, columns, shows, odds, flags, mines, overlay, dead}. `shows` has a value
  // of cells.js for each cell, row by row. `odds` has a probability or null for each cell; `flags`
  // and `mines` say for each cell whether it is flagged, and whether a mine is known to lie there.
  // `overlay`, {words, figures}, has what hidden cells but proven mines show in place of their
  // odds: {chance, badness} or null for each. `dead` says for each cell whether its number tells
  // nothing. All but the first three may be null or left out.
  show({
    rows, columns, shows, odds = null, flags = null, mines = null, overlay = null, dead = null,
  }) {
    // The first field keeps the size that was chosen before.
    const isFirst = this.field.rows === 0;
    const isResized = rows !== this.field.rows || columns !== this.field.columns;
    this.field = { rows, columns, shows, odds, flags, mines, overlay, dead };
    if (!isResized) return this.#paint();
    // For styles that give the container a size by the field's.
    this.frame.parentElement.style.setProperty("--rows", rows);
    this.frame.parentElement.style.setProperty("--columns", columns);
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", columns);
    for (const kind of MARK_KINDS) this.marks.set(kind, []);
    this.cursor = [Math.min(this.cursor[0], rows - 1), Math.min(this.cursor[1], columns - 1)];
    if (!isFirst) this.chosenSide = null;
    this.fitsWhole = false;
    this.frame.scrollTo(0, 0);
    this.side = 0;
    this.#resize();
    this.moveCursor(this.cursor, { scrolls: false });
  }

  // What is known of a cell.
  cell([row, column]) {
    const { columns, shows, odds, flags, mines, overlay, dead } = this.field;
    const index = row * columns + column;
    return {
      shows: shows[index],
      odds: odds === null || shows[index] !== HIDDEN ? null : odds[index] ?? null,
      isFlagged: Boolean(flags && flags[index]),
      isMined: Boolean(mines && mines[index]),
      isDead: Boolean(dead && dead[index]),
      figure: overlay === null ? null : overlay.figures[index] ?? NO_FIGURE,
    };
  }

  has([row, column]) {
    return row >= 0 && column >= 0 && row < this.field.rows && column < this.field.columns;
  }

  #paint() {
    const { firstRow, firstColumn, columns } = this.window;
    const words = this.field.overlay?.words ?? null;
    const isFine = this.side >= FINE_SIDE;
    this.cells.forEach((painted, i) => {
      const at = [firstRow + Math.floor(i / columns), firstColumn + (i % columns)];
      const cell = this.cell(at);
      const { shows, odds, figure, isFlagged, isMined, isDead } = cell;
      const key = [...at, shows, odds, words, figure?.chance, isFlagged, isMined, isDead, isFine];
      if (this.keys.get(painted) === key.join()) return;
      this.keys.set(painted, key.join());
      paintCell(painted, at, cell, { id: this.#elementId(at), words, isFine });
    });
    this.#markMove();
  }

  #elementId([row, column]) {
    return this.id + "-" + row + "-" + column;
  }

  elementOf([row, column]) {
    const { firstRow, firstColumn, rows, columns } = this.window;
    const [i, j] = [row - firstRow, column - firstColumn];
    return i >= 0 && j >= 0 && i < rows && j < columns ? this.cells[i * columns + j] : null;
  }

  // ---- Size, zoom and the window --------------------------------------------------------------

  // How much larger than usual the page writes.
  get #scale() {
    return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  }

  // The width of the strip with the numbers of the rows, and the height of that of the columns.
  get #stripWidth() {
    return this.#scale * (8 + DIGIT_WIDTH * Math.max(2, String(this.field.rows - 1).length));
  }

  get #stripHeight() {
    return this.#scale * STRIP_HEIGHT;
  }

  // The greatest side with which the whole field is in view; fingers need larger cells than mice.
  #fittingSide() {
    const easy = matchMedia("(pointer: coarse)").matches ? 24 : 18;
    const least = this.fitsWhole ? LEAST_SIDE : easy;
    const { rows, columns } = this.field;
    const wide = Math.floor((this.frame.clientWidth - this.#stripWidth - 6) / columns);
    if (this.#flows) return this.#flowingSide(wide, least);
    const high = Math.floor((this.frame.clientHeight - this.#stripHeight - 6) / rows);
    return Math.min(GREATEST_SIDE, Math.max(least, Math.min(wide, high)));
  }

  // Whether the board is as high as its rows, and the page scrolls: the style of the container says
  // so by `--flows`. A window on many cells needs a frame.
  get #flows() {
    const { rows, columns } = this.field;
    const wish = getComputedStyle(this.frame.parentElement).getPropertyValue("--flows");
    return wish.trim() === "1" && rows * columns <= ALL_CELLS;
  }

  // The board fits the width, as long as its numbers can be read, and most of the screen's height,
  // as long as its cells are easily hit.
  #flowingSide(wide, least) {
    if (wide < Math.min(least, READABLE_SIDE)) return least;
    const high = Math.floor((FLOWING_HEIGHT * innerHeight) / this.field.rows);
    return Math.min(GREATEST_SIDE, wide, Math.max(least, high));
  }

  #resize() {
    if (this.field.rows === 0 || this.frame.clientWidth === 0) return;
    this.frame.parentElement.classList.toggle("flows", this.#flows);
    const side = this.chosenSide ?? this.#fittingSide();
    if (side !== this.side) {
      this.side = side;
      this.frame.style.setProperty("--side", side + "px");
      this.frame.style.setProperty("--strip-width", this.#stripWidth + "px");
      this.frame.style.setProperty("--strip-height", this.#stripHeight + "px");
      this.area.style.width = side * this.field.columns + "px";
      this.area.style.height = side * this.field.rows + "px";
      const digits = String(Math.max(this.field.rows, this.field.columns) - 1).length;
      this.frame.classList.toggle("tiny", side < 16);
      this.frame.classList.toggle("fine", side >= FINE_SIDE);
      this.frame.classList.toggle("sparse", side < this.#scale * DIGIT_WIDTH * digits + 2);
      this.#placeMarks();
    }
    this.#moveWindow();
  }

  // Larger by `steps`, smaller if negative; the middle of the view stays where it is.
  zoom(steps) {
    const side = Math.round(this.side * ZOOM_STEP ** steps);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.frame;
    const before = this.side;
    this.chosenSide = Math.min(GREATEST_SIDE, Math.max(LEAST_SIDE, side));
    this.#resize();
    const factor = this.side / before;
    this.frame.scrollTo({
      left: (scrollLeft + clientWidth / 2) * factor - clientWidth / 2,
      top: (scrollTop + clientHeight / 2) * factor - clientHeight / 2,
    });
  }

  // The whole field, also where its cells become smaller than is easily hit.
  fit() {
    this.chosenSide = null;
    this.fitsWhole = true;
    this.#resize();
  }

  // Whether the board is larger than its frame.
  get overflows() {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.frame;
    return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
  }

  #wantedWindow() {
    const { rows, columns } = this.field;
    if (rows * columns <= ALL_CELLS) return { firstRow: 0, firstColumn: 0, rows, columns };
    const span = (scrolled, view, count) => {
      const length = Math.min(count, Math.ceil(view / this.side) + 2);
      const first = Math.min(count - length, Math.max(0, Math.floor(scrolled / this.side) - 1));
      return [first, length];
    };
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.frame;
    const [firstRow, inRows] = span(scrollTop, clientHeight, rows);
    const [firstColumn, inColumns] = span(scrollLeft, clientWidth, columns);
    return { firstRow, firstColumn, rows: inRows, columns: inColumns };
  }

  // The window's place is not a property that cells inherit: all of them would be styled anew.
  #placeWindow() {
    const { firstRow, firstColumn } = this.window;
    const [top, left] = [firstRow, firstColumn].map((first) => first * this.side + "px");
    Object.assign(this.grid.style, { top, left });
    this.rowNumbers.style.paddingTop = top;
    this.columnNumbers.style.paddingLeft = left;
  }

  #moveWindow() {
    if (this.side === 0) return;
    const [old, wanted] = [this.window, this.#wantedWindow()];
    const isSameSize = old.rows === wanted.rows && old.columns === wanted.columns;
    const isSame = old.firstRow === wanted.firstRow && old.firstColumn === wanted.firstColumn;
    this.window = wanted;
    if (!isSameSize) this.#buildWindow();
    else this.#rotate(wanted.firstRow - old.firstRow, wanted.firstColumn - old.firstColumn);
    if (!isSameSize || !isSame) this.#number();
    this.#placeWindow();
    this.#paint();
  }

  #buildWindow() {
    const { rows, columns } = this.window;
    const built = document.createDocumentFragment();
    for (let i = 0; i < rows; i++) {
      const row = element("div", "board-row", built);
      row.setAttribute("role", "row");
      for (let j = 0; j < columns; j++) {
        element("div", "cell", row).setAttribute("role", "gridcell");
      }
    }
    this.grid.replaceChildren(built);
    this.cells = [...this.grid.querySelectorAll(".cell")];
  }

  // Moves the elements that leave the window on one side to the other side, so that all others
  // stay painted as they are.
  #rotate(rows, columns) {
    if (rows === 0 && columns === 0) return;
    const turn = (parent, steps) => {
      if (steps === 0) return;
      const moved = [...parent.children].slice(...(steps > 0 ? [0, steps] : [steps]));
      if (steps > 0) parent.append(...moved);
      else parent.prepend(...moved);
    };
    turn(this.grid, rows);
    for (const row of this.grid.children) turn(row, columns);
    this.cells = [...this.grid.querySelectorAll(".cell")];
  }

  // Numbers the rows and columns in the window, and puts it in its place.
  #number() {
    const { firstRow, firstColumn, rows, columns } = this.window;
    [...this.grid.children].forEach((row, i) =>
      row.setAttribute("aria-rowindex", firstRow + i + 1));
    const number = (strip, first, count) => {
      const numbers = Array.from({ length: count }, (_, i) => {
        const made = element("span", (first + i) % 5 === 0 ? "fifth" : "");
        made.textContent = first + i;
        return made;
      });
      strip.replaceChildren(...numbers);
    };
    number(this.rowNumbers, firstRow, rows);
    number(this.columnNumbers, firstColumn, columns);
  }

  // ---- Marks and the cursor -------------------------------------------------------------------

  // Marks these cells, and no others, as `kind` of MARK_KINDS.
  mark(kind, cells) {
    this.marks.set(kind, cells);
    this.#placeMarks();
    if (kind === "move") this.#markMove();
  }

  #placeMarks() {
    const placed = [];
    for (const [kind, cells] of this.marks) {
      for (const [row, column] of cells) {
        const mark = element("div", "mark " + kind);
        mark.style.left = column * this.side + "px";
        mark.style.top = row * this.side + "px";
        placed.push(mark);
      }
    }
    this.markLayer.replaceChildren(...placed);
  }

  #markMove() {
    for (const old of this.grid.querySelectorAll("[data-move]")) delete old.dataset.move;
    for (const cell of this.marks.get("move")) {
      const move = this.elementOf(cell);
      if (move) move.dataset.move = "";
    }
  }

  // Puts the keyboard's cursor on a cell. It is drawn while the grid has the focus.
  moveCursor(cell, { scrolls = true } = {}) {
    this.cursor = cell;
    if (scrolls) this.scrollTo(cell);
    this.mark("cursor", [cell]);
    this.grid.setAttribute("aria-activedescendant", this.#elementId(cell));
  }

  // Scrolls as little as needed to have a cell in view.
  scrollTo([row, column]) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.frame;
    const left = this.area.offsetLeft;
    const top = this.area.offsetTop;
    const into = (scrolled, view, at, header) =>
      Math.max(at + this.side - view + header, Math.min(scrolled, at));
    this.frame.scrollTo(
      into(scrollLeft, clientWidth, column * this.side, left),
      into(scrollTop, clientHeight, row * this.side, top),
    );
    this.#moveWindow();
  }

  toSvg(title) {
    return boardSvg(this.field, this.marks, title);
  }
}

// What a cell shows of which the overlay knows nothing.
const NO_FIGURE = { chance: null, badness: null };

// `words` say what the chances of an overlay are of; null without one.
function paintCell(painted, [row, column], cell, { id, words: of, isFine }) {
  const name = showsName(cell.shows);
  painted.id = id;
  painted.dataset.row = row;
  painted.dataset.col = column;
  painted.dataset.shows = name;
  painted.setAttribute("aria-colindex", column + 1);
  // The label must contain what the cell shows.
  const percents = (odds) => oddsText(odds, isFine) + " percent";
  const words = [cellWords(cell, percents), ...overlayWords(cell, of, isFine)].join(", ");
  painted.setAttribute("aria-label", "row " + row + ", column " + column + ": " + words);
  const classes = ["cell", cell.shows === HIDDEN ? "hidden" : "open"];
  if (cell.shows === HIDDEN && cell.odds !== null) {
    painted.dataset.odds = cell.odds;
    const { text, badness } = shownChance(cell, isFine);
    const { fill, ink } = badness === null ? { fill: "", ink: "" } : oddsColors(badness);
    painted.style.backgroundColor = fill;
    painted.style.color = ink;
    painted.textContent = text;
    if (isProven(cell.odds)) classes.push("proven", cell.odds === 0 ? "safe" : "mine");
    if (/\d/.test(text)) classes.push("likely");
    if (cell.isDead) classes.push("dead");
  } else {
    delete painted.dataset.odds;
    painted.style.backgroundColor = painted.style.color = "";
    painted.textContent = cell.shows === HIDDEN ? "" : openText(cell.shows);
    if (cell.shows !== HIDDEN) classes.push(cell.shows === MINE ? "hit" : "n" + cell.shows);
  }
  if (cell.isFlagged && cell.shows === HIDDEN) classes.push("flagged");
  if (cell.isMined && cell.shows === HIDDEN) classes.push("mined");
  painted.className = classes.join(" ");
}

// The chance in a hidden cell with known odds: its text, and what its colour says. A proven mine is
// a cross, whatever is shown of the others.
function shownChance({ odds, figure }, isFine) {
  if (figure === null || odds === 1) return { text: oddsText(odds, isFine), badness: odds };
  if (figure.chance === null) return { text: odds === 0 ? "ok" : "", badness: null };
  const text = chanceText(figure.chance, isFine);
  return { text, badness: figure.badness };
}

// What an overlay adds to the words about a cell.
function overlayWords({ shows, odds, figure, isDead }, of, isFine) {
  const words = [];
  if (shows !== HIDDEN || odds === null || odds === 1) return words;
  if (figure?.chance != null) words.push(of + " with " + chanceText(figure.chance, isFine) +
    " percent");
  if (isDead) words.push("its number tells nothing (\u2205)");
  return words;
}
