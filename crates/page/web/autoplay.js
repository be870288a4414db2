"use strict";
// "Let Sapper play": the engine's own moves, at a speed and an effort of choice.
//
// "At once" asks for many moves by one request, after which the engine has the game still, and
// paints them once a frame at most. At any other speed each move is a request of its own.
//
// Invariant: at most one run is going; a stopped run opens no further cell.

class AutoPlay {
  constructor(view) {
    this.view = view;
    this.run = null;
    this.frame = 0;
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
        const pause = Number(byId("speed").value);
        const isMoved = pause === 0 ? await this.#playOn(run, game) : await this.#move(run, game);
        if (!isMoved) break;
        if (pause > 0) await app.pause(pause, { isThinking: false });
      }
    } catch (fault) {
      app.failed(fault);
    }
    if (this.run === run) this.stop();
  }

  // One move; returns whether there was one.
  async #move(run, game) {
    const { objective } = game;
    const request = { do: "decide", field: game.field.toText(), objective, effort: this.#effort };
    const { move } = await this.view.app.ask(request, { slow: true });
    if (this.run !== run || move === null) return false;
    this.view.clock.tick();
    game.pressForSapper(move.cell);
    await this.view.openCell(move.cell, { move });
    return true;
  }

  // Many moves; returns whether there were any.
  async #playOn(run, game) {
    const { objective } = game;
    const request = { ...game.request(), do: "play", objective, effort: this.#effort };
    const count = game.clicks.length;
    const answer = await this.view.app.ask(request, { slow: true });
    if (this.run !== run || count !== game.clicks.length) return false;
    const played = answer.played ?? [];
    this.view.clock.tick();
    for (const move of played) game.pressForSapper(move.cell);
    game.apply(answer);
    for (const move of played) {
      game.clicks.push(move.cell);
      game.verdicts.push(sapperVerdict(move, game.field.at(move.cell) === MINE));
    }
    this.#paintSoon(game);
    return played.length > 0;
  }

  // The end is painted at once: a page in the background has no frames.
  #paintSoon(game) {
    cancelAnimationFrame(this.frame);
    const paint = () => game === this.view.game && this.view.moved(game.clicks.at(-1));
    if (game.isOver) paint();
    else this.frame = requestAnimationFrame(paint);
  }

  get #effort() {
    return byId("play-effort").value;
  }
}
