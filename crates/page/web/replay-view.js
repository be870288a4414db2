"use strict";
// The view Replay: a game that was pasted, opened or played here, in the viewer.
//
// The viewer can be used at once: its frames are analysed one after another in the slow worker, the
// frame that is looked at first.
//
// Invariant: answers about a game that was closed are dropped.

class ReplayView {
  constructor(app) {
    this.app = app;
    this.board = null;
    this.viewer = null;
    this.source = null;
    this.games = [];
    onClick("replay-read", () => this.openText(byId("replay-text").value));
    onClick("replay-own", () => app.replayGame(app.views.play.game));
    onClick("replay-other", () => this.#close());
    onClick("replay-analyse", () => this.#analyse());
    for (const form of ["log", "rawvf", "mbf", "pttacg"]) {
      onClick("replay-" + form, () => this.#saveAs(form));
    }
    byId("replay-match").addEventListener("change", () => this.#openMatch());
    // Before the board takes the arrow keys: here they step through the turns.
    document.addEventListener("keydown", (event) => this.#viewerKey(event), { capture: true });
  }

  // Shows a game, by default for the objective of its rule; the one before stays where the text is
  // none.
  async openText(text, objective = null) {
    this.games = [];
    await this.#openGame(text, objective);
  }

  // Shows the first of these games, [{name, text}], and lets the others be chosen; `notes` says
  // what was left out.
  async openPack(games, notes) {
    this.games = games;
    const option = ({ name }, value) => make("option", { textContent: name, value });
    byId("replay-match").replaceChildren(...games.map(option));
    await this.#openMatch();
    if (notes.length > 0) this.app.fail("Left out: " + notes.join("; "));
  }

  #openMatch() {
    return this.#openGame(this.games[byId("replay-match").value].text, null);
  }

  async #openGame(text, objective) {
    try {
      const game = await this.#read(text);
      this.app.closeNotice();
      this.app.show("replay");
      this.#open(text, objective ?? game.objective, game);
    } catch (fault) {
      this.app.fail("The game cannot be read: " + fault.message);
    }
  }

  // What is no game may be a position, or the requests of one line by line.
  async #read(text) {
    if (text.trim() === "") throw new Error("it is empty");
    try {
      return await this.app.ask({ do: "read", text, as: "game" });
    } catch (fault) {
      const read = await this.app.ask({ do: "read", text }).catch(() => fault);
      throw read.kind === "position" ? new Error("it is a position, for Analyse") : fault;
    }
  }

  #open(text, objective, game) {
    const frames = new Array(game.count).fill(null);
    this.wanted = 0;
    const source = {
      ...game,
      account: null,
      frame: (index) => frames[index],
      told: (index) => frames[index],
      wanted: (index) => {
        this.wanted = index;
      },
    };
    this.source = source;
    byId("replay-start").hidden = true;
    byId("replay-shown").hidden = false;
    byId("replay-matches").hidden = this.games.length < 2;
    byId("viewer").replaceChildren();
    // Where the engine failed, a step is the wish to go on.
    const turn = () => this.#analyseAll();
    this.viewer = new Viewer(byId("viewer"), source, { on: { turn } });
    this.frames = frames;
    this.request = { game: text, objective, effort: "standard" };
    this.#analyseAll();
  }

  // Analyses the frames that are left. Ends when the view is left: another one thinks then.
  async #analyseAll() {
    const { source, frames } = this;
    if (this.isAnalysing || source === null || source.account !== null) return;
    const ask = (asked) => this.app.ask({ ...this.request, ...asked }, { slow: true });
    this.isAnalysing = true;
    try {
      while (frames.includes(null)) {
        const turn = frames[this.wanted] === null ? this.wanted : frames.indexOf(null);
        const frame = await ask({ do: "frame", turn });
        if (source !== this.source || this.app.shown !== this) return;
        frames[turn] = frame;
        this.#showProgress();
        this.viewer.update();
      }
      source.account = (await ask({ do: "account" })).account;
      if (source === this.source) this.viewer.update();
    } catch (fault) {
      if (source === this.source) this.app.failed(fault);
    } finally {
      this.isAnalysing = false;
      if (this.source !== source && this.app.shown === this) this.#analyseAll();
    }
  }

  // Saves or copies the game, or its layout, for another program.
  async #saveAs(form) {
    try {
      const { text, notes = [] } = await this.app.ask({
        do: "write", game: this.request.game, as: form,
      });
      if (form === "pttacg") return await this.app.copy(text, "The layout");
      if (form === "mbf") {
        const bytes = text.match(/../g).map((digits) => parseInt(digits, 16));
        download("layout.mbf", "application/octet-stream", new Uint8Array(bytes));
      } else if (form === "log") download("game.json", "application/json", text);
      else download("game.rawvf", "text/plain", text);
      return notes.length > 0 ? this.app.tell(notes.join("; ")) : undefined;
    } catch (fault) {
      return this.app.fail("The game cannot be saved so: " + fault.message);
    }
  }

  #showProgress() {
    const done = this.frames.filter((frame) => frame !== null).length;
    byId("replay-progress").textContent = done === this.frames.length ? "" :
      `analysed ${done} of ${this.frames.length} turns`;
  }

  #close() {
    this.source = null;
    this.viewer = null;
    byId("replay-shown").hidden = true;
    byId("replay-start").hidden = false;
    this.shown();
  }

  #analyse() {
    const { board } = this.viewer;
    const field = new Field(this.source.rows, this.source.columns, this.source.mines);
    board.field.shows.forEach((shows, index) => {
      field.shows[index] = shows === ILLEGIBLE ? HIDDEN : shows;
    });
    this.app.analyse(field);
  }

  #viewerKey(event) {
    const isMine = this.app.shown === this && this.viewer !== null;
    if (!isMine || isTextInput(event.target) || document.querySelector("dialog[open]")) return;
    if (isPressKey(event) && event.target.closest("button, summary")) return;
    if (this.viewer.key(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  shown() {
    byId("replay-own").hidden = !this.app.views?.play.game.isStarted;
    this.app.store.setAddress("");
    this.#analyseAll();
  }

  key() {
    return false;
  }

  get copied() {
    return null;
  }
}
