"use strict";
// Steps through the frames of a game. Nothing is computed here: a frame says all that is shown.
//
// `source` hands in the frames: {name, title, rows, columns, count, value, scored, laid,
// account, frame(index), told(index), wanted(index)}. They are the JSON of
// crates/viewer/src/data.rs. `told` is a frame that need not have its board. Both are null for a
// frame that is not analyzed yet; the viewer then calls `wanted`, which may be left out. A frame
// whose chance is still to come has none, undefined. After frames or the account have come, the
// page calls `update`.
//
// Invariant: what is shown belongs to the turn of the counter.

const GUESS_KINDS = ["guess", "endgame", "rough"];
const SHOWN_LETTERS = { ".": HIDDEN, "*": MINE, x: ILLEGIBLE };

class Viewer {
  // Begins at `turn`, and plays with `speed`, a name of SPEEDS, if it is one. `on.turn(turn)` is
  // called when another turn is shown, and `on.speed(speed)` when another speed is chosen.
  constructor(container, source, { turn = 0, speed = null, on = {} } = {}) {
    this.source = source;
    this.on = on;
    this.lastTurn = source.count - 1;
    this.turn = Math.min(this.lastTurn, Math.max(0, turn));
    this.playTimer = 0;
    this.speed = SPEEDS.find(({ name }) => name === speed) ?? SPEEDS[DEFAULT_SPEED];
    this.minesShown = false;
    this.selected = null;
    // The frame that the board shows; null if it is to be painted again.
    this.painted = null;
    this.marked = { guesses: [], hits: [], mistakes: [] };
    this.root = element("div", "viewer", container);
    this.root.style.setProperty("--rows", source.rows);
    this.root.style.setProperty("--columns", source.columns);
    const goTo = (turn) => this.goTo(turn);
    this.controls = new ViewerControls(this.root, {
      act: (action) => this.#act(action),
      goTo,
      speed: this.speed,
      setSpeed: (chosen) => this.#setSpeed(chosen),
    });
    this.curve = new ViewerCurve(this.controls.track, goTo);
    const label = "Board; Shift and arrows select a cell";
    this.board = new BoardView(element("div", "viewer-board", this.root), {
      label,
      on: {
        hover: (cell) => cell && this.#select(cell, false),
        tap: (cell) => this.#select(cell, true),
        moved: (cell) => this.#select(cell, true),
      },
    });
    this.panel = new ViewerPanel(this.root, source, goTo);
    this.mineMap = source.laid === null ? null : this.#cellMap(source.laid);
    // Until its first frame is analyzed, the board is that of the game.
    if (source.frame(this.turn) === null) {
      this.#paint({ shows: ".".repeat(source.rows * source.columns), odds: null });
    }
    this.update();
  }

  #cellMap(cells) {
    const map = new Array(this.source.rows * this.source.columns).fill(false);
    for (const [row, column] of cells) map[row * this.source.columns + column] = true;
    return map;
  }

  // Shows what has come from the source since.
  update() {
    const frames = Array.from({ length: this.source.count }, (_, turn) => this.source.told(turn));
    const turns = (isWanted) =>
      frames.flatMap((frame, turn) => (frame !== null && isWanted(frame) ? [turn] : []));
    const isMistake = ({ judgement }) => judgement !== null && judgement.mistake;
    this.marked = {
      guesses: turns(({ kind }) => GUESS_KINDS.includes(kind)),
      hits: turns(({ hit }) => hit),
      mistakes: turns(isMistake),
    };
    this.controls.mark(this.lastTurn, this.marked);
    const chances = frames.map((frame) => (frame === null ? undefined : frame.chance));
    this.curve.draw(chances, this.source.unit === "mines");
    const mistakes = this.marked.mistakes.map((turn) => ({
      turn, judgement: frames[turn].judgement,
    }));
    const isKnown = (frame) => frame !== null && frame.chance !== undefined;
    this.panel.tellAccount(this.source.account, mistakes, frames.every(isKnown));
    this.#show();
  }

  goTo(wanted) {
    const turn = Math.min(this.lastTurn, Math.max(0, wanted));
    if (turn === this.turn) return;
    this.turn = turn;
    if (turn === this.lastTurn) this.#setPlaying(false);
    this.#show();
    if (this.on.turn) this.on.turn(turn);
  }

  #show() {
    const frame = this.source.frame(this.turn);
    if (frame === null && this.source.wanted) this.source.wanted(this.turn);
    if (frame !== null && frame !== this.painted) {
      this.painted = frame;
      this.#paint(frame);
      const better = frame.judgement === null ? null : frame.judgement.better;
      const instead = better ?? frame.instead;
      this.board.mark("uses", frame.uses);
      this.board.mark("instead", instead === null ? [] : [instead]);
      this.board.mark("move", frame.targets ?? (frame.move === null ? [] : [frame.move]));
      if (frame.move !== null) this.board.scrollTo(frame.move);
    }
    this.panel.show(frame, this.turn);
    this.#showControls(frame === null ? "" : frame.caption);
    if (this.selected !== null) this.#tellCell(this.selected);
  }

  #paint({ shows, odds, flags = [] }) {
    const { rows, columns } = this.source;
    const cells = Array.from(shows, (letter) => SHOWN_LETTERS[letter] ?? Number(letter));
    let hidden = 0;
    const ofCell = (value) => (value === HIDDEN ? odds[hidden++] : null);
    this.board.show({
      rows,
      columns,
      shows: cells,
      odds: odds === null ? null : cells.map(ofCell),
      flags: this.#cellMap(flags),
      mines: this.minesShown ? this.mineMap : null,
    });
  }

  #showControls(caption) {
    const { turn, lastTurn, minesShown } = this;
    const isPlaying = this.playTimer !== 0;
    const can = (name) => this.#can(name);
    this.curve.mark(turn);
    this.controls.show({ turn, lastTurn, caption, isPlaying, minesShown, can });
  }

  // ---- Actions: a method for each of ACTIONS --------------------------------------------------

  #can(name) {
    const isBefore = this.turn > 0;
    const isAfter = this.turn < this.lastTurn;
    switch (name) {
      case "first": case "back": case "backTen": return isBefore;
      case "last": case "next": case "nextTen": return isAfter;
      case "previousMistake": case "previousGuess": case "previousHit":
      case "nextMistake": case "nextGuess": case "nextHit": return this.#target(name) !== undefined;
      case "mines": return this.mineMap !== null;
      default: return true;
    }
  }

  #act({ name }) {
    if (this.#can(name)) this[name]();
  }

  // Handles a key; returns whether it was one of the viewer's. The page calls it, so that the keys
  // work wherever the focus is.
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const { target } = event;
    const isButton = target.closest && target.closest("button, summary, a");
    const isTyped = target.closest && target.closest("input:not([type=range]), textarea, select");
    if (isTyped || (isButton && event.key === " ")) return false;
    const action = ACTIONS.find(({ key }) => key === keyOf(event));
    if (!action) return false;
    event.preventDefault();
    event.stopPropagation();
    this.#act(action);
    return true;
  }

  first() { this.goTo(0); }
  last() { this.goTo(this.lastTurn); }
  back() { this.goTo(this.turn - 1); }
  next() { this.goTo(this.turn + 1); }
  backTen() { this.goTo(this.turn - 10); }
  nextTen() { this.goTo(this.turn + 10); }
  play() { this.#setPlaying(this.playTimer === 0); }
  previousMistake() { this.goTo(this.#target("previousMistake")); }
  nextMistake() { this.goTo(this.#target("nextMistake")); }
  previousGuess() { this.goTo(this.#target("previousGuess")); }
  nextGuess() { this.goTo(this.#target("nextGuess")); }
  previousHit() { this.goTo(this.#target("previousHit")); }
  nextHit() { this.goTo(this.#target("nextHit")); }
  smaller() { this.board.zoom(-1); }
  larger() { this.board.zoom(1); }
  fit() { this.board.fit(); }
  cellLeft() { this.#moveSelection([0, -1]); }
  cellUp() { this.#moveSelection([-1, 0]); }
  cellDown() { this.#moveSelection([1, 0]); }
  cellRight() { this.#moveSelection([0, 1]); }

  // The turn that a jump leads to, or undefined.
  #target(name) {
    const { guesses, hits, mistakes } = this.marked;
    const turns = name.endsWith("Guess") ? guesses : name.endsWith("Hit") ? hits : mistakes;
    return name.startsWith("next")
      ? turns.find((turn) => turn > this.turn) : turns.findLast((turn) => turn < this.turn);
  }

  #setPlaying(isOn) {
    clearInterval(this.playTimer);
    this.playTimer = 0;
    if (isOn) {
      if (this.turn === this.lastTurn) this.goTo(0);
      this.playTimer = setInterval(() => this.next(), this.speed.interval);
    }
    this.#show();
  }

  // Ends playing, before another game takes the place of this one.
  stop() {
    if (this.playTimer !== 0) this.#setPlaying(false);
  }

  #setSpeed(speed) {
    this.speed = speed;
    if (this.playTimer !== 0) this.#setPlaying(true);
    if (this.on.speed) this.on.speed(speed.name);
  }

  mines() {
    this.minesShown = !this.minesShown;
    this.painted = null;
    this.#show();
  }

  save() {
    const frame = this.source.frame(this.turn);
    if (frame === null) return;
    const link = document.createElement("a");
    const picture = this.board.toSvg(frame.caption);
    link.href = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(picture);
    link.download = "turn-" + this.turn + ".svg";
    link.click();
  }

  // ---- The selected cell ----------------------------------------------------------------------

  // Selects the neighbour in a direction; the first time, the cell of the move.
  #moveSelection([rows, columns]) {
    const frame = this.source.frame(this.turn);
    const move = frame === null ? null : frame.move;
    const cell = this.selected === null
      ? move ?? [0, 0] : [this.selected[0] + rows, this.selected[1] + columns];
    if (this.board.has(cell)) this.#select(cell, true);
  }

  // A cell that the pointer selects is not framed.
  #select(cell, isFramed) {
    this.selected = cell;
    this.root.classList.toggle("selecting", isFramed);
    if (isFramed) this.board.moveCursor(cell);
    this.#tellCell(cell);
    if (isFramed) this.panel.say(this.panel.cell.textContent);
  }

  #tellCell(cell) {
    this.panel.tellCell(cellText(cell) + ": " + cellWords(this.board.cell(cell)));
  }
}
