"use strict";
// What the hidden cells show in Analyse: the chance of a mine, of no mine, of a zero, or that a
// safe cell follows.
//
// The last two, and which cells tell nothing, are the engine's answer to `ahead`. Until it is
// there, the cells show no figure.
//
// Invariant: what is shown belongs to the field of the last odds.

const OVERLAYS = {
  mine: { legend: "The chance of a mine, in percent.", words: "a mine" },
  safe: { legend: "The chance of no mine, in percent.", words: "safe" },
  zero: { legend: "The chance of a zero, in percent.", words: "a zero" },
  next: {
    legend: "The chance, in percent, that a cell is proven safe once this one is open.",
    words: "a safe cell next",
  },
};
const LEGEND = " Dark is good, bright is bad. ok is proven safe, × proven a mine; ∅ marks a cell " +
  "whose number tells nothing.";

class Overlay {
  // `changed` is called when another figure is chosen.
  constructor(store, changed) {
    this.ahead = null;
    this.answer = null;
    this.select = byId("overlay");
    const name = store.get("overlay", "mine");
    this.select.value = name in OVERLAYS ? name : "mine";
    this.select.addEventListener("change", () => {
      store.set("overlay", () => this.name);
      this.#tellLegend();
      changed();
    });
    this.#tellLegend();
  }

  get name() {
    return this.select.value;
  }

  // Whether the figure takes the engine's answer to `ahead`, which is not there yet.
  get isWanting() {
    return this.isOfAhead && this.ahead === null;
  }

  get isOfAhead() {
    return this.name === "zero" || this.name === "next";
  }

  forget() {
    this.ahead = this.answer = null;
  }

  #tellLegend() {
    byId("legend").textContent = OVERLAYS[this.name].legend + LEGEND;
  }

  // For the board: {words, figures}, where `figures` has for each cell {chance, badness} or null.
  // Null where the cells show the chance of a mine.
  figures(odds) {
    if (this.name === "mine" || odds === null) return null;
    const { words } = OVERLAYS[this.name];
    const figure = (chance) => (chance === null ? null : { chance, badness: 1 - chance });
    const safe = () => odds.map((one) => (one === null ? null : figure(1 - one)));
    const promised = (table) => (table ? table.flat().map(figure) : odds.map(() => null));
    const tables = {
      safe, zero: () => promised(this.ahead?.zero), next: () => promised(this.ahead?.next_safe),
    };
    return { words, figures: tables[this.name]() };
  }

  // The cells that are known to tell nothing.
  get dead() {
    if (this.ahead) return this.ahead.tells_nothing;
    const { candidates = [], move } = this.answer ?? {};
    const known = [...candidates, ...(move?.endgame?.cells ?? [])];
    return known.filter(({ dead }) => dead).map(({ cell }) => cell);
  }
}
