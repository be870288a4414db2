"use strict";
// The chance to win in Play, of the position before the next click, if Sapper plays on.
//
// It is off until the player wants it: whether a guess is due is for the player to find out, and
// 100 % tells that none is. It names no cell, so that a game with it is not one with help. While it
// is off, nothing is computed; while clicks follow each other quickly, neither.
//
// Invariant: a figure of a position that is gone is faded, until the next one is known.

const REST_TIME = 150;

class ChanceBar {
  constructor(app, isShown) {
    this.teller = new ChanceTeller(app.engine, isShown, (chance) => this.#tell(chance));
    this.timer = 0;
    // The position of the bar, as text, and what the game is played for.
    this.field = null;
    this.objective = null;
  }

  get isOn() {
    return byId("chance-shown").checked;
  }

  // The game may have changed, or whether the bar is wanted.
  show(game) {
    byId("chance-bar").hidden = !this.isOn;
    const field = this.isOn ? game.field.toText() : null;
    const isSame = field === this.field && game.objective === this.objective;
    const known = this.isOn ? knownChance(game) : null;
    if (isSame && known === null) return;
    this.field = field;
    this.objective = game.objective;
    clearTimeout(this.timer);
    this.teller.stop();
    if (!this.isOn) return;
    byId("bar-name").textContent = chanceName(game.objective);
    byId("chance-bar").classList.toggle("of-mines", game.objective !== "clean-win");
    if (known !== null) this.#put(known);
    else {
      byId("chance-bar").classList.add("old");
      delete byId("chance-bar").dataset.playouts;
      const { objective } = game;
      // The move alone, at the effort of the playouts.
      const request = { field, objective, effort: "fast", most: 1 };
      this.timer = setTimeout(() => this.teller.ask(request), REST_TIME);
    }
  }

  resume() {
    this.teller.resume();
  }

  pause() {
    this.teller.pause();
  }

  #tell(told) {
    if (told === null) return this.#put({ text: "not known", share: 0, why: "" });
    const [ofMove] = told.cells;
    const text = chanceFigures(ofMove, told, told.unit === "mines" ? 1 : 0) + chanceSign(told);
    const why = chanceSource(told);
    byId("chance-bar").dataset.playouts = told.playouts;
    return this.#put({ text: told.exact ? text + ", exact" : text, share: ofMove.chance, why });
  }

  #put({ text, share, why }) {
    const bar = byId("chance-bar");
    bar.classList.remove("old");
    bar.title = why;
    byId("bar-value").textContent = text;
    byId("bar-meter").firstElementChild.style.width = 100 * Math.min(1, share) + "%";
  }
}

// What is known without playouts; null if they are needed.
function knownChance(game) {
  if (game.isOver) return { text: "–", share: 0, why: "The game is over" };
  if (game.setting.proof) return { text: "100\u00a0%", share: 1, why: "No guess is needed" };
  if (!game.isAtRisk(game.clicks.length)) {
    return { text: "–", share: 0, why: "The mines are laid after the first click" };
  }
  return null;
}
