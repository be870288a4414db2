"use strict";
// Edits a field on a board by mouse, keyboard and touch.
//
// A tool says what a click or a tap puts in. A press with the mouse decides the value, and dragging
// paints it over other cells; a stroke is one step of undo. The tool that steps waits for the
// release, since it asks the engine what the cell can show. Keys act on the selected cells, or on
// the cursor's. Only an answer that cannot be is refused: else the engine says what cannot be.

const TOOLS = [
  { id: "look", text: "Look", title: "Look at a cell and change nothing (L)" },
  { id: "step", text: "Step", title: "A click steps through what the cell can show (S)" },
  { id: "hidden", text: "Hide", title: "Hidden cell (. or H)", shows: HIDDEN },
  ...Array.from({ length: 9 }, (_, shows) => (
    { id: String(shows), text: String(shows), title: "Number " + shows, shows })),
  { id: "mine", text: "Mine", title: "A mine that was opened (* or M)", shows: MINE },
  { id: "flag", text: "Flag", title: "Your own mark (F)" },
];

class Editor {
  // `edited` is an EditedField. `changed({field})` is called when the cursor came to another cell,
  // and with `field` true when the field has changed.
  // `possible(cell)` comes to the values that a cell can show by all others, in order, or to null
  // where they are not known.
  constructor(board, edited, { changed, accepts, answered, possible }) {
    this.board = board;
    this.edited = edited;
    this.changed = changed;
    // While the page asks for the number of a cell, a number put in there is the answer.
    this.accepts = accepts;
    this.answered = answered;
    this.possible = possible;
    this.steps = Promise.resolve();
    // The cell that was pressed to be stepped, until it is released or dragged from.
    this.pressed = null;
    this.tool = TOOLS[1];
    this.paint = null;
    this.anchor = null;
    this.buildPalette();
  }

  get field() {
    return this.edited.field;
  }

  // The callbacks for the board; see board-input.js.
  get events() {
    return {
      press: (cell, how) => this.#press(cell, how),
      drag: (cell, how) => this.#drag(cell, how),
      release: () => this.#release(),
      tap: (cell) => this.#tap(cell),
      longPress: (cell) => this.#flag([cell]),
      wheel: (cell, step) => this.#wheel(cell, step),
      hover: (cell) => this.#hover(cell),
      moved: (cell, shift, from) => this.#moved(cell, shift, from),
      key: (event) => this.#key(event),
    };
  }

  #edit(change) {
    if (this.edited.edit(change)) this.changed({ field: true });
  }

  put(cells, shows) {
    if (!this.accepts(cells, shows)) return;
    this.#edit((field) => cells.forEach((cell) => field.set(cell, shows)));
    this.answered(cells, shows);
  }

  // Flags all cells, or none of them where all have one.
  #flag(cells) {
    const hidden = cells.filter((cell) => this.field.at(cell) === HIDDEN);
    const isFlagged = (cell) => this.field.flags[this.field.index(cell)] === 1;
    const wanted = !hidden.every(isFlagged);
    this.#edit((field) => hidden.forEach((cell) => field.flag(cell, wanted)));
  }

  // ---- Mouse and touch ------------------------------------------------------------------------

  // What a press with the tool, which is not the one that steps, makes of a cell.
  #toolValue(cell) {
    return this.field.at(cell) === this.tool.shows ? HIDDEN : this.tool.shows;
  }

  get isStepping() {
    return this.tool.id === "step";
  }

  // Steps a cell to the next value that it can show; after the last one it is hidden again. Steps
  // are done one after another, since the engine is asked what the cell can show.
  #step(cell) {
    this.steps = this.steps.then(async () => {
      const values = await this.possible(cell) ?? this.#valuesAround(cell);
      const shows = this.field.at(cell);
      this.put([cell], values.find((value) => value > shows) ?? HIDDEN);
    });
  }

  // What a cell can show by the cells around it alone: the opened mines at least.
  #valuesAround(cell) {
    const around = this.field.neighbours(cell).map((one) => this.field.at(one));
    const least = around.filter((shows) => shows === MINE).length;
    const hidden = around.filter((shows) => shows === HIDDEN).length;
    return Array.from({ length: hidden + 1 }, (_, index) => least + index);
  }

  #press(cell, { button, shift }) {
    if (shift) return this.#select(this.anchor ?? cell, cell);
    if (button === 2) return this.#flag(this.#selected(cell));
    this.#unselect();
    this.anchor = cell;
    if (button !== 0 || this.tool.id === "look") return this.changed({ field: false });
    if (this.tool.id === "flag") return this.#flag([cell]);
    if (this.isStepping) {
      this.pressed = cell;
      return undefined;
    }
    return this.#beginPaint(cell, this.#toolValue(cell));
  }

  #beginPaint(cell, shows) {
    this.edited.beginStroke();
    this.paint = shows;
    this.put([cell], shows);
  }

  // A drag with the tool that steps opens cells without a number, or hides open ones.
  #drag(cell, { shift }) {
    if (shift && this.anchor) return this.#select(this.anchor, cell);
    if (this.pressed !== null) {
      this.#beginPaint(this.pressed, this.field.at(this.pressed) === HIDDEN ? 0 : HIDDEN);
      this.pressed = null;
    }
    if (this.paint !== null) this.put([cell], this.paint);
    return undefined;
  }

  #release() {
    if (this.pressed !== null) this.#step(this.pressed);
    this.pressed = null;
    if (this.paint === null) return;
    this.paint = null;
    this.edited.endStroke();
    this.changed({ field: true });
  }

  #tap(cell) {
    if (this.tool.id === "look") return this.changed({ field: false });
    if (this.tool.id === "flag") return this.#flag([cell]);
    if (this.isStepping) return this.#step(cell);
    return this.put([cell], this.#toolValue(cell));
  }

  // From hidden up to 8, and back.
  #wheel(cell, step) {
    const shows = this.field.at(cell);
    const next = shows === MINE ? HIDDEN : Math.min(8, Math.max(HIDDEN, shows + step));
    this.board.moveCursor(cell, { scrolls: false });
    this.put([cell], next);
  }

  #hover(cell) {
    if (cell === null || this.paint !== null) return;
    this.board.moveCursor(cell, { scrolls: false });
    this.changed({ field: false });
  }

  // ---- Selection and keys ---------------------------------------------------------------------

  #select(from, to) {
    this.anchor = from;
    const [top, bottom] = [from[0], to[0]].sort((a, b) => a - b);
    const [left, right] = [from[1], to[1]].sort((a, b) => a - b);
    const cells = [];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) cells.push([row, column]);
    }
    this.board.mark("selected", cells);
  }

  // Returns whether cells were selected.
  #unselect() {
    const wasSelected = this.board.marks.get("selected").length > 0;
    this.anchor = null;
    this.board.mark("selected", []);
    return wasSelected;
  }

  // The selected cells, or only `cell` where it is not among them.
  #selected(cell) {
    const selected = this.board.marks.get("selected");
    return selected.some((one) => sameCell(one, cell)) ? selected : [cell];
  }

  #moved(cell, shift, from) {
    if (shift) this.#select(this.anchor ?? from, cell);
    else this.#unselect();
    this.changed({ field: false });
  }

  #key(event) {
    const selected = this.board.marks.get("selected");
    const cells = selected.length > 0 ? selected : [this.board.cursor];
    return runKey("edit", event, {
      number: () => this.put(cells, Number(event.key)),
      hide: () => this.put(cells, HIDDEN),
      mine: () => this.put(cells, MINE),
      flag: () => this.#flag(cells),
      press: () => this.#tap(this.board.cursor),
      look: () => this.choose(TOOLS.find(({ id }) => id === "look")),
      step: () => this.choose(TOOLS.find(({ id }) => id === "step")),
      unselect: () => this.#unselect(),
    });
  }

  // ---- The palette ----------------------------------------------------------------------------

  buildPalette() {
    const buttons = TOOLS.map((tool) => {
      const { text, title } = tool;
      const button = make("button", { type: "button", textContent: text, title });
      button.dataset.tool = tool.id;
      button.className = text.length === 1 ? "number" : "word";
      if (text.length === 1) button.setAttribute("aria-label", title);
      button.addEventListener("click", () => this.choose(tool));
      return button;
    });
    byId("palette").replaceChildren(...buttons);
    this.choose(this.tool);
  }

  choose(tool) {
    this.tool = tool;
    for (const button of byId("palette").children) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === tool.id));
    }
  }
}
