"use strict";
// The view Replay: a game that was pasted, opened or played here, in the viewer.
//
// The viewer can be used at once: its frames are analysed one after another in the slow worker, the
// frame that is looked at first. Then the chances to win are told in the same way, which takes many
// times as long. The game and its turn survive a reload, where the browser has room for them.
//
// Invariant: answers about a game that was closed are dropped.

class ReplayView {
  constructor(app) {
    this.app = app;
    this.board = null;
    this.viewer = null;
    this.source = null;
    this.request = null;
    this.games = [];
    // Whether the game that was looked at before a reload was asked for, or another was opened.
    this.isRestored = false;
    this.isLinkRead = false;
    this.out = new ReplayOut(this);
    onClick("replay-read", () => this.#readText(byId("replay-text").value));
    onClick("replay-own", () => app.replayGame(app.views.play.game));
    onClick("replay-other", () => this.#close());
    onClick("replay-analyse", () => this.#analyse());
    byId("replay-match").addEventListener("change", () => this.#openMatch());
    // Before the board takes the arrow keys: here they step through the turns.
    document.addEventListener("keydown", (event) => this.#viewerKey(event), { capture: true });
  }

  get turn() {
    return this.viewer?.turn ?? 0;
  }

  // Whether a game is kept over a reload.
  get isKept() {
    return this.app.store.get("replay", null) !== null;
  }

  // ---- Opening and closing --------------------------------------------------------------------

  // Shows a game; the one before stays where the text is none.
  async openText(text, turn = 0) {
    this.games = [];
    await this.#openGame(text, turn);
  }

  #readText(text) {
    return linkIn(text) === null ? this.openText(text) : this.app.openText(text);
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

  // Shows the game of a link; where it is damaged, the game before stays.
  async openLink({ replay, turn = "0" }) {
    this.isLinkRead = true;
    try {
      const text = await unpackedText(replay);
      const game = await this.#read(text);
      this.games = [];
      this.isRestored = true;
      this.#open(text, game, wholeNumber(turn, 0, MOST_CELLS) ?? 0);
    } catch (fault) {
      this.app.fail("The game in the link cannot be read: " + fault.message);
      this.isLinkRead = false;
      this.isRestored = false;
      await this.#restore();
    }
  }

  #openMatch() {
    return this.#openGame(this.games[byId("replay-match").value].text, 0);
  }

  async #openGame(text, turn) {
    try {
      const game = await this.#read(text);
      this.isRestored = true;
      this.app.closeNotice();
      this.app.show("replay");
      this.#open(game.text ?? text, game, turn);
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

  #open(text, game, turn) {
    this.viewer?.stop();
    const frames = new Array(game.count).fill(null);
    this.wanted = Math.min(turn, game.count - 1);
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
    this.frames = frames;
    this.done = { analysed: new Set(), told: new Set() };
    this.request = { game: text, objective: game.objective, effort: "standard" };
    this.#showParts();
    byId("viewer").replaceChildren();
    this.viewer = new Viewer(byId("viewer"), source, {
      turn,
      speed: this.app.store.get("replay-speed", null),
      on: {
        turn: () => this.#turned(),
        speed: (speed) => this.app.store.set("replay-speed", () => speed),
      },
    });
    byId("replay-unkept").hidden = this.app.store.keep("replay", { text });
    this.out.pack();
    this.#turned();
  }

  // Shows the game that was looked at before a reload. What another version of the page has kept
  // may be none.
  async #restore() {
    if (this.isRestored || this.isLinkRead) return;
    this.isRestored = true;
    const { store } = this.app;
    const kept = store.load("replay", ({ text }) => ({ text }));
    if (kept === null) return;
    const turn = Number(store.get("replay-turn", 0)) || 0;
    byId("replay-start").hidden = true;
    const game = await this.#read(kept.text).catch(() => null);
    if (game !== null && this.source === null && !this.isLinkRead) {
      this.#open(kept.text, game, turn);
    }
    this.#showParts();
  }

  #close() {
    this.viewer.stop();
    this.source = null;
    this.viewer = null;
    this.request = null;
    this.app.store.keep("replay", null);
    this.out.forget();
    this.#showParts();
    this.shown();
  }

  // The game, or how one is opened.
  #showParts() {
    const isOpen = this.source !== null;
    byId("replay-start").hidden = isOpen;
    byId("replay-shown").hidden = !isOpen;
    byId("replay-matches").hidden = this.games.length < 2;
  }

  // ---- The turns ------------------------------------------------------------------------------

  // Where the engine failed, a step is the wish to go on.
  #turned() {
    this.app.store.set("replay-turn", () => this.turn);
    this.wanted = this.turn;
    this.setAddress();
    this.#analyseAll();
  }

  // Whether the game of an address is open, at whichever turn.
  isAt({ replay }) {
    return this.source !== null && this.out.packed === (replay ?? null);
  }

  setAddress() {
    if (this.app.shown === this) this.app.store.setAddress(this.out.address);
  }

  // Analyses the frames that are left. Ends when the view is left: another one thinks then.
  async #analyseAll() {
    const { source } = this;
    if (this.isAnalysing || source === null) return;
    this.isAnalysing = true;
    try {
      for (const told of [false, true]) {
        if (!await this.#analysePass(source, told)) return;
      }
    } catch (fault) {
      if (source === this.source) this.app.failed(fault);
    } finally {
      this.isAnalysing = false;
      if (this.source !== source && this.app.shown === this) this.#analyseAll();
    }
  }

  // Analyses the frames that are left, with their chances to win if these are `told`, and then the
  // account. Returns whether the game is still looked at. While chances are told, the page does not
  // count as thinking: all the rest is known.
  async #analysePass(source, told) {
    const { frames } = this;
    const done = this.done[told ? "told" : "analysed"];
    const { app, request } = this;
    const asker = told ? app.engine.call.bind(app.engine) : app.ask.bind(app);
    const ask = (asked) => asker({ ...request, ...asked, told }, { slow: true, isShort: told });
    const isLeft = (turn) => !done.has(turn) && (!told || hasChance(frames[turn]));
    const turns = () => frames.map((_, turn) => turn).filter(isLeft);
    const all = done.size + turns().length;
    for (let left = turns(); left.length > 0; left = turns()) {
      const turn = left.includes(this.wanted) ? this.wanted : left[0];
      const frame = await ask({ do: "frame", turn });
      if (source !== this.source || this.app.shown !== this) return false;
      frames[turn] = told || !hasChance(frame) ? frame : { ...frame, chance: undefined };
      done.add(turn);
      byId("replay-progress").textContent = done.size === all ? "" :
        `${told ? "chances of" : "analysed"} ${done.size} of ${all} turns`;
      this.viewer.update();
    }
    if (!done.has("account")) {
      const { account } = await ask({ do: "account" });
      if (source !== this.source) return false;
      source.account = account;
      done.add("account");
      this.viewer.update();
    }
    return this.app.shown === this;
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

  // ---- For the page ---------------------------------------------------------------------------

  shown() {
    byId("replay-own").hidden = !this.app.views?.play.game.isStarted;
    this.#restore();
    this.setAddress();
    this.#analyseAll();
  }

  left() {
    this.viewer?.stop();
  }

  key() {
    return false;
  }

  get copied() {
    return null;
  }
}

// Whether a chance may be told at a turn: its click was not proven safe.
const hasChance = ({ judgement }) => judgement !== null && judgement.kind !== "safe";
