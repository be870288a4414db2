"use strict";
// "Play on": a game that is played elsewhere goes on here.
//
// Proven mines are flagged, and a cell whose number is certain is opened by itself. For any other
// cell the page asks what it shows; a number put in there, in whatever way, is the answer.
//
// Invariant: `asked` is the cell of the current question, or null.

class PlayOn {
  constructor(view) {
    this.view = view;
    this.isOn = false;
    this.asked = null;
  }

  toggle() {
    if (this.isOn) this.stop();
    else this.#start();
  }

  #start() {
    if (!this.view.answer) return;
    this.isOn = true;
    byId("play-on").textContent = "Stop asking";
    this.analysed(this.view.answer);
  }

  stop() {
    this.isOn = false;
    this.asked = null;
    byId("ask").hidden = true;
    byId("play-on").textContent = "Play on";
  }

  // The field has been analysed: flags what is proven a mine, and asks for the move.
  async analysed(answer) {
    if (!this.isOn) return undefined;
    this.view.flagMines(answer.mines);
    if (!isMoveLeft(answer.move)) return this.#finish();
    return this.#ask(answer.move.cell);
  }

  #finish() {
    this.stop();
    this.view.app.tell("Nothing is left to open.");
  }

  async #ask(cell) {
    if (this.asked && sameCell(cell, this.asked)) return undefined;
    this.asked = cell;
    this.outcomes = null;
    byId("ask").hidden = true;
    const { request } = this.view;
    let outcomes = null;
    try {
      ({ outcomes = null } = await this.view.ask({ do: "cell", cell, effort: "fast" }));
    } catch (fault) {
      return this.view.app.failed(fault);
    }
    if (!this.isOn || request !== this.view.request) return undefined;
    if (outcomes?.length === 1) {
      const [{ shows }] = outcomes;
      return this.view.editor.put([cell], shows === "mine" ? MINE : shows);
    }
    this.outcomes = outcomes;
    this.view.board.moveCursor(cell);
    this.#showQuestion(cell, outcomes);
    return undefined;
  }

  #showQuestion(cell, outcomes) {
    const isSafe = this.view.odds?.[this.view.field.index(cell)] === 0;
    const line = (isSafe ? "Open the safe cell " : "Guess the cell ") + cellText(cell) +
      ". What does it show?";
    byId("ask-line").textContent = line;
    const any = Array.from({ length: 9 }, (_, shows) => ({ shows })).concat({ shows: "mine" });
    const buttons = (outcomes ?? any).map(({ shows, chance }) => {
      const text = shows === "mine" ? "Mine" : String(shows);
      const share = chance === undefined ? "" : percentText(chance);
      const button = make("button", { type: "button" }, text, make("small", {}, share));
      button.addEventListener("click", () => {
        this.view.editor.put([cell], shows === "mine" ? MINE : shows);
        this.view.board.grid.focus({ preventScroll: true });
      });
      return button;
    });
    byId("ask-answers").replaceChildren(...buttons);
    byId("ask").hidden = false;
    this.view.app.say(line);
  }

  #isAsked(cells, shows) {
    return this.asked !== null && shows !== HIDDEN && cells.some((at) => sameCell(at, this.asked));
  }

  // Whether a value may be put into cells: what is offered, where the asked cell is among them.
  accepts(cells, shows) {
    const isOffered = (one) => (one.shows === "mine" ? MINE : one.shows) === shows;
    if (!this.outcomes || !this.#isAsked(cells, shows)) return true;
    if (this.outcomes.some(isOffered)) return true;
    const what = shows === MINE ? "be a mine" : "show " + shows;
    this.view.app.fail(cellText(this.asked) + " cannot " + what + "; choose what is offered");
    return false;
  }

  // A value was put into cells; where the asked cell is among them, the question is answered.
  answered(cells, shows) {
    if (!this.#isAsked(cells, shows)) return;
    this.asked = null;
    byId("ask").hidden = true;
  }
}
