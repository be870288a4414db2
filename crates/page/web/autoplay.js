"use strict";
// "Let Sapper play": the engine's own moves, at a speed of choice.
//
// Invariant: at most one run is going; a stopped run opens no further cell.

class AutoPlay {
  constructor(view) {
    this.view = view;
    this.run = null;
  }

  get isOn() {
    return this.run !== null;
  }

  toggle() {
    if (this.isOn) this.stop();
    else this.#start();
  }

  stop() {
    this.run = null;
    this.#show();
  }

  #show() {
    byId("auto").setAttribute("aria-pressed", String(this.isOn));
    byId("auto").textContent = this.isOn ? "Stop Sapper" : "Let Sapper play";
  }

  async #start() {
    const run = {};
    this.run = run;
    this.#show();
    const { game, app } = this.view;
    game.wasHelped = true;
    try {
      while (this.run === run && !game.isOver) {
        const { objective } = game;
        const request = { do: "decide", field: game.field.toText(), objective, effort: "standard" };
        const { move } = await app.ask(request, { slow: true });
        if (this.run !== run || move === null) break;
        // Sapper knows no flags: one on its cell was wrong, or is in its way.
        game.field.flag(move.cell, false);
        await this.view.openCell(move.cell, { isJudged: false });
        await app.pause(Number(byId("speed").value), { isThinking: false });
      }
    } catch (fault) {
      app.failed(fault);
    }
    if (this.run === run) this.stop();
  }
}
