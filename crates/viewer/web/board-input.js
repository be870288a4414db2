"use strict";
// Turns pointers, the wheel and keys on a board into events about cells.
//
// `on` may have these callbacks; a cell is [row, column], and `how` is {button, shift, isTouch}:
//   press(cell, how)   a button of the mouse or pen went down
//   drag(cell, how)    the pointer came to another cell with the button held; a fast pointer
//                      comes to each cell on its way
//   click(cell, how)   press and release on the same cell, of the mouse or pen
//   release()          the button went up, wherever it was
//   tap(cell)          a short touch
//   longPress(cell)    a touch held for LONG_PRESS milliseconds
//   wheel(cell, step)  a step of the wheel: 1 up, -1 down; where the board scrolls, with Alt held
//   hover(cell)        the pointer is over a cell; null where it left the board
//   key(event, cell)   a key that does not move the cursor; returns whether it was used
//   moved(cell, shift, from) a key moved the cursor here, from another cell
//
// Invariant: a touch that scrolls the board is neither a tap nor a long press.

const LONG_PRESS = 450;
const CURSOR_KEYS = {
  ArrowUp: ([row, column]) => [row - 1, column],
  ArrowDown: ([row, column]) => [row + 1, column],
  ArrowLeft: ([row, column]) => [row, column - 1],
  ArrowRight: ([row, column]) => [row, column + 1],
  Home: ([row]) => [row, 0],
  End: ([row], { columns }) => [row, columns - 1],
  PageUp: ([, column]) => [0, column],
  PageDown: ([, column], { rows }) => [rows - 1, column],
};

class BoardInput {
  constructor(board, on) {
    this.board = board;
    this.on = on;
    this.held = null;
    this.hovered = null;
    this.longPressTimer = 0;
    const { area, grid } = board;
    area.addEventListener("pointerdown", (event) => this.#down(event));
    area.addEventListener("pointermove", (event) => this.#move(event));
    area.addEventListener("pointerup", (event) => this.#up(event));
    area.addEventListener("pointercancel", () => this.#cancel());
    area.addEventListener("pointerleave", () => this.#hover(null));
    // A press of the middle button would begin to scroll.
    area.addEventListener("mousedown", (event) => event.button === 1 && event.preventDefault());
    area.addEventListener("contextmenu", (event) => event.preventDefault());
    area.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    grid.addEventListener("keydown", (event) => this.key(event));
  }

  #call(name, ...values) {
    return this.on[name] ? this.on[name](...values) : undefined;
  }

  // The cell below the pointer, or null. Marks and captured pointers do not matter to it.
  #cellAt(event) {
    const { left, top } = this.board.area.getBoundingClientRect();
    const { side } = this.board;
    const cell = [event.clientY - top, event.clientX - left].map((at) => Math.floor(at / side));
    return this.board.has(cell) ? cell : null;
  }

  #down(event) {
    const cell = this.#cellAt(event);
    if (!cell) return;
    const isTouch = event.pointerType === "touch";
    const how = { button: event.button, shift: event.shiftKey, isTouch };
    this.held = { cell, first: cell, how, isDone: false };
    this.board.grid.focus({ preventScroll: true });
    if (isTouch) {
      clearTimeout(this.longPressTimer);
      this.longPressTimer = setTimeout(() => this.#longPress(), LONG_PRESS);
      return;
    }
    event.preventDefault();
    this.board.area.setPointerCapture(event.pointerId);
    this.board.moveCursor(cell);
    this.#call("press", cell, how);
  }

  #longPress() {
    if (!this.held) return;
    this.held.isDone = true;
    this.board.moveCursor(this.held.first);
    this.#call("longPress", this.held.first);
  }

  #move(event) {
    const cell = this.#cellAt(event);
    if (event.pointerType !== "touch") this.#hover(cell);
    if (!this.held || !cell || sameCell(cell, this.held.cell)) return;
    if (this.held.how.isTouch) return this.#cancel();
    const from = this.held.cell;
    this.held.cell = cell;
    for (const passed of cellsBetween(from, cell)) this.#call("drag", passed, this.held.how);
  }

  #up(event) {
    if (!this.held) return;
    const { cell, first, how, isDone } = this.held;
    const isSame = sameCell(cell, first) && sameCell(this.#cellAt(event), first);
    this.#cancel();
    if (!isSame || isDone) return;
    if (how.isTouch) {
      this.board.moveCursor(first);
      this.#call("tap", first);
    } else {
      this.#call("click", first, how);
    }
  }

  #cancel() {
    clearTimeout(this.longPressTimer);
    const wasHeld = this.held && !this.held.how.isTouch;
    this.held = null;
    if (wasHeld) this.#call("release");
  }

  #hover(cell) {
    if (sameCell(cell, this.hovered)) return;
    this.hovered = cell;
    this.#call("hover", cell);
  }

  #wheel(event) {
    if (event.ctrlKey) {
      event.preventDefault();
      return this.board.zoom(event.deltaY < 0 ? 1 : -1);
    }
    const cell = this.#cellAt(event);
    const isWanted = this.on.wheel && (event.altKey || !this.board.overflows);
    if (!cell || !isWanted || event.deltaY === 0) return undefined;
    event.preventDefault();
    return this.#call("wheel", cell, event.deltaY < 0 ? 1 : -1);
  }

  // The page also hands in keys that were pressed while nothing else took them.
  key(event) {
    if (event.altKey) return;
    const { board } = this;
    const step = event.ctrlKey || event.metaKey ? undefined : CURSOR_KEYS[event.key];
    if (step) {
      event.preventDefault();
      const from = board.cursor;
      const cell = step(from, board.field);
      if (!board.has(cell)) return;
      board.moveCursor(cell);
      this.#call("moved", cell, event.shiftKey, from);
    } else if (this.#call("key", event, board.cursor)) {
      event.preventDefault();
    }
  }
}

// The cells on the straight line from one cell to another, without the first.
function cellsBetween(from, to) {
  const [rows, columns] = [to[0] - from[0], to[1] - from[1]];
  const steps = Math.max(Math.abs(rows), Math.abs(columns));
  return Array.from({ length: steps }, (_, step) => {
    const share = (step + 1) / steps;
    return [Math.round(from[0] + share * rows), Math.round(from[1] + share * columns)];
  });
}

function sameCell(a, b) {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);
}
