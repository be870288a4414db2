"use strict";
// A game in the page: its setting, and the clicks so far.
//
// The engine keeps no game: it plays all clicks anew from the seed or the layout. So setting and
// clicks are the whole game, and what else is here are the player's own marks and the coach's
// verdicts. All of it is plain JSON, which survives a reload.
//
// `clicks` are the cells that were opened; `counts` are the player's clicks, of which a chord may
// open several cells, and a flag none. `presses` are the same clicks in order, [milliseconds,
// button, row, column], with those that take a flag away before Sapper or an opening opens its
// cell; null in a game of an earlier version of the page, which did not keep them.
//
// Invariant: `verdicts[i]` is about `clicks[i]`: null where it is not judged, and undefined while
// it is being judged.

const MOST_SEED = 2 ** 31 - 1;

class Game {
  // `setting` is {rule, width, height, minecount, seed}, with `proof` where the board needs no
  // guess, and `mines` where the layout is given.
  constructor(setting) {
    this.setting = setting;
    this.clicks = [];
    this.verdicts = [];
    // In milliseconds.
    this.time = 0;
    this.counts = { left: 0, right: 0, chords: 0 };
    this.presses = [];
    this.wasHelped = false;
    // Whether the board was played before, and what of the game is in the statistics.
    this.isRepeat = false;
    this.counted = { end: false, loss: false };
    this.#reset();
  }

  #reset() {
    const { width, height, minecount } = this.setting;
    this.field = new Field(height, width, minecount);
    this.hits = 0;
    this.isOver = false;
    this.isWon = false;
    this.bbbv = null;
    this.solvedBbbv = 0;
    this.mines = null;
    this.score = null;
  }

  // Takes over what the engine says about the game; the flags stay where cells are hidden. Where
  // all safe cells are open, the mines that are left have flags.
  apply({ field, over, won, hits, bbbv, solved_bbbv: solvedBbbv, mines, score }) {
    const { flags } = this.field;
    this.field = Field.fromText(field);
    flags.forEach((flag, index) => {
      const isHidden = this.field.shows[index] === HIDDEN;
      this.field.flags[index] = isHidden ? flag : 0;
      if (flag === 1 && !isHidden) this.#unflagBefore(this.field.cellAt(index));
    });
    this.hits = hits;
    this.isOver = over;
    this.isWon = won;
    this.bbbv = bbbv;
    this.solvedBbbv = solvedBbbv;
    this.score = score;
    this.mines = mines;
    if (over && (won || this.setting.rule === "botzone")) {
      this.field.flags.fill(0);
      for (const mine of mines) this.field.flag(mine, true);
    }
  }

  // The request for the game after the first `count` clicks.
  request(count = this.clicks.length) {
    return { do: "open", ...this.setting, clicks: this.clicks.slice(0, count) };
  }

  // The whole game as a text that Replay and the engine read.
  get text() {
    return JSON.stringify({ ...this.request(), presses: this.presses ?? undefined });
  }

  // Counts a click of a button, as events name it, on a cell; a chord is one of the middle button.
  press(button, [row, column]) {
    if (this.isOver) return;
    this.counts[["left", "chords", "right"][button]]++;
    this.presses?.push([Math.round(this.time), button, row, column]);
  }

  // An opening opened a flagged cell, which recordings of other programs keep closed.
  #unflagBefore([row, column]) {
    const [time] = this.presses?.at(-1) ?? [];
    if (time !== undefined) this.presses.splice(-1, 0, [time, 2, row, column]);
  }

  // Sapper clicks on a cell. It knows no flags: one there was wrong, or is in its way.
  pressForSapper(cell) {
    if (this.field.flags[this.field.index(cell)] === 1) {
      this.field.flag(cell, false);
      this.press(2, cell);
    }
    this.press(0, cell);
  }

  get objective() {
    return this.setting.rule === "botzone" ? "fewest-hits" : "clean-win";
  }

  get isStarted() {
    return this.clicks.length > 0;
  }

  // The classic rules lay the mines after the first click, which is free.
  isAtRisk(index) {
    return index > 0 || this.setting.rule === "botzone" || Boolean(this.setting.mines);
  }

  // Mines that are neither flagged nor hit; negative with too many flags.
  get minesLeft() {
    return this.field.mines - this.hits - this.field.flags.reduce((sum, flag) => sum + flag, 0);
  }

  // The cells that a chord on an open number opens: none unless its flags are complete.
  chord(cell) {
    const number = this.field.at(cell);
    if (number < 1 || number > 8) return [];
    const around = this.field.neighbours(cell);
    const isFlagged = (one) => this.field.flags[this.field.index(one)] === 1;
    const known = around.filter((one) => isFlagged(one) || this.field.at(one) === MINE);
    if (known.length !== number) return [];
    return around.filter((one) => this.field.at(one) === HIDDEN && !isFlagged(one));
  }

  save() {
    const { setting, clicks, verdicts, time, counts, presses } = this;
    const { wasHelped, isRepeat, counted } = this;
    const flags = this.field.flagged;
    const marks = { wasHelped, isRepeat, counted, flags };
    return { setting, clicks, verdicts, time, counts, presses, ...marks };
  }

  // Earlier versions of the page had whole seconds, and no presses.
  static load({ flags, seconds = 0, ...saved }) {
    if (!Array.isArray(saved.presses)) saved.presses = null;
    const setting = { ...saved.setting, rule: currentName(saved.setting.rule) };
    saved.time ??= seconds * 1000;
    const game = Object.assign(new Game(setting), saved, { setting });
    for (const index of flags) game.field.flags[index] = 1;
    return game;
  }

  // The setting as a part of the address, and the way back, which fails with a line that says what
  // is wrong.
  get link() {
    const { rule, width, height, minecount, seed, proof } = this.setting;
    return `${rule},${width}x${height}/${minecount},${seed}${proof ? "," + proof : ""}`;
  }

  static settingOf(link) {
    const parts = /^([^,]*),([^x]*)x([^/]*)\/([^,]*),([^,]+)(?:,(.*))?$/.exec(link);
    const rule = currentName(parts?.[1]);
    const proof = parts?.[6];
    const isProof = proof === undefined || (rule === "open-first" && PROOF_LEVELS.includes(proof));
    if (!RULES.includes(rule) || !isProof) throw new Error("it was cut off or changed");
    const setting = { rule, ...readNumbers(...parts.slice(2, 6)) };
    return proof === undefined ? setting : { ...setting, proof };
  }
}

// The numbers of a setting from their texts. Fails with a line that says what is wrong.
function readNumbers(columnsText, rowsText, minesText, seedText) {
  const { columns, rows } = readSize(columnsText, rowsText);
  const minecount = readMines(minesText, columns * rows);
  const seed = wholeNumber(seedText, 0, MOST_SEED);
  if (seed === null) throw new Error("A seed is a whole number from 0 to " + MOST_SEED);
  return { width: columns, height: rows, minecount, seed };
}

const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % MOST_SEED + 1;
