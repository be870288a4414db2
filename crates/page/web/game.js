"use strict";
// A game in the page: its setting, and the clicks so far.
//
// The engine keeps no game: it plays all clicks anew from the seed or the layout. So setting and
// clicks are the whole game, and what else is here are the player's own marks and the coach's
// verdicts. All of it is plain JSON, which survives a reload.
//
// Invariant: `verdicts[i]` is about `clicks[i]`, or is null where it was not judged.

const MOST_SEED = 2 ** 31 - 1;

class Game {
  // `setting` is {rule, width, height, minecount, seed}, with `mines` where the layout is given.
  constructor(setting) {
    this.setting = setting;
    this.clicks = [];
    this.verdicts = [];
    this.seconds = 0;
    this.wasHelped = false;
    this.#reset();
  }

  #reset() {
    const { width, height, minecount } = this.setting;
    this.field = new Field(height, width, minecount);
    this.hits = 0;
    this.isOver = false;
    this.isWon = false;
    this.bbbv = null;
    this.mines = null;
    this.score = null;
  }

  // Takes over what the engine says about the game; the flags stay where cells are hidden.
  apply({ field, over, won, hits, bbbv, mines, score }) {
    const { flags } = this.field;
    this.field = Field.fromText(field);
    flags.forEach((flag, index) => {
      this.field.flags[index] = this.field.shows[index] === HIDDEN ? flag : 0;
    });
    this.hits = hits;
    this.isOver = over;
    this.isWon = won;
    this.bbbv = bbbv;
    this.score = score;
    this.mines = mines;
  }

  // The request for the game after the first `count` clicks.
  request(count = this.clicks.length) {
    return { do: "open", ...this.setting, clicks: this.clicks.slice(0, count) };
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
    const { setting, clicks, verdicts, seconds, wasHelped } = this;
    const flags = indexesOf(this.field.flags, (flag) => flag === 1);
    return { setting, clicks, verdicts, seconds, wasHelped, flags };
  }

  static load({ flags, ...saved }) {
    const setting = { ...saved.setting, rule: currentName(saved.setting.rule) };
    const game = Object.assign(new Game(setting), saved, { setting });
    for (const index of flags) game.field.flags[index] = 1;
    return game;
  }

  // The setting as a part of the address, and the way back, which fails with a line that says what
  // is wrong.
  get link() {
    const { rule, width, height, minecount, seed } = this.setting;
    return `${rule},${width}x${height}/${minecount},${seed}`;
  }

  static settingOf(link) {
    const parts = /^([^,]*),([^x]*)x([^/]*)\/([^,]*),(.+)$/.exec(link);
    const rule = currentName(parts?.[1]);
    if (!RULES.includes(rule)) throw new Error("it was cut off or changed");
    return { rule, ...readNumbers(...parts.slice(2)) };
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
