"use strict";
// How many mines a position in Analyse has, for boards of one's own and games played elsewhere.
//
// Four boxes say it: all mines, the mines remaining (without flags and opened mines, as other
// programs count), the density that is assumed where the number is unknown, and whether flags are
// mines. If they are, the engine sees each flag as a known mine.
//
// Invariant: remaining = mines - flags - opened mines, wherever the number of mines is known.

const DEFAULT_DENSITY = 0.2;
// What flags are, as links have it: the player's marks, or known mines.
const FLAG_MEANINGS = ["marks", "mines"];
const isDensity = (density) => density > 0 && density < 1;

class MineCount {
  constructor(view) {
    this.view = view;
    this.density = DEFAULT_DENSITY;
    const changes = [["mines", this.#readAll], ["mines-remaining", this.#readRemaining],
      ["density", this.#readDensity]];
    for (const [id, read] of changes) {
      byId(id).addEventListener("change", () => {
        try {
          read.call(this, byId(id).value.trim());
        } catch (fault) {
          view.app.fail(fault.message);
          this.show();
        }
      });
    }
  }

  get areFlagsMines() {
    return byId("flags-are-mines").checked;
  }

  // Takes over what a link or the storage has; what is none of it stays.
  set(density, areFlagsMines) {
    if (isDensity(density)) this.density = density;
    if (areFlagsMines !== undefined) byId("flags-are-mines").checked = areFlagsMines === true;
  }

  // Flags and opened mines.
  get #marked() {
    const { shows, flags } = this.view.field;
    return shows.reduce((sum, one, index) => sum + Number(one === MINE || flags[index] === 1), 0);
  }

  show() {
    const { mines } = this.view.field;
    byId("mines").value = mines ?? "";
    byId("mines-remaining").value = mines === null ? "" : mines - this.#marked;
    byId("density").value = Number((100 * this.density).toFixed(4));
    byId("density-label").hidden = mines !== null;
  }

  #readAll(text) {
    const cells = this.view.field.shows.length;
    this.view.setMines(text === "" ? null : readMinesOrNone(text, cells));
  }

  // Other programs count below 0 where there are too many flags.
  #readRemaining(text) {
    const cells = this.view.field.shows.length;
    const marked = this.#marked;
    const number = /^[-−]?\d+$/.test(text) ? Number(text.replace("−", "-")) : NaN;
    if (text === "") return this.view.setMines(null);
    const mines = number + marked;
    if (!(mines >= 0 && mines <= cells)) {
      const range = `${-marked} to ${cells - marked}`;
      throw new Error(`Mines remaining are a whole number from ${range}: with flags and ` +
        "opened mines, at most the cells of the board; nothing where it is unknown");
    }
    return this.view.setMines(mines);
  }

  #readDensity(text) {
    const density = text === "" ? DEFAULT_DENSITY : Number(text.replace(",", ".")) / 100;
    if (!isDensity(density)) throw new Error("The density is a number of percent, from 0 to 100");
    this.density = density;
    this.show();
    this.view.densityChanged();
  }
}

function readMinesOrNone(text, cells) {
  try {
    return readMines(text, cells);
  } catch (fault) {
    throw new Error(fault.message + "; nothing where it is unknown");
  }
}

// The field with each flag as a mine that is known.
function withFlagsAsMines(field) {
  const known = field.copy();
  field.flags.forEach((flag, index) => {
    if (flag === 1) known.shows[index] = MINE;
  });
  return known;
}
