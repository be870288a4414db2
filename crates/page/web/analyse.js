"use strict";
// The view Analyse: a field that is edited, with its odds, the move and the reasons.
//
// Every change asks for the odds first, then for the reasons at fast effort, then for the move at
// the chosen effort. Answers about a field that has changed since are dropped.
//
// Invariant: odds and reasons are those of the field shown, except for OUTDATED_TIME after a
// change, so that the page does not flicker.

const CELL_DELAY = 120;
const FULL_DELAY = 600;
const OUTDATED_TIME = 150;

class AnalyseView {
  constructor(app) {
    this.app = app;
    const sample = () => new EditedField(Field.fromText(SAMPLE_FIELD));
    this.edited = app.store.load("analyse", EditedField.load) ?? sample();
    this.answer = null;
    this.odds = null;
    this.request = 0;
    // The request whose odds are shown.
    this.oddsRequest = 0;
    this.shownCell = null;
    // Whether the engine stopped at this field and was asked again.
    this.isRepeated = false;
    this.board = new BoardView(byId("analyse-board"), { label: "Position", on: {} });
    this.editor = new Editor(this.board, this.edited, {
      changed: ({ field }) => this.#changed(field),
      accepts: (cells, shows) => this.playOn.accepts(cells, shows),
      answered: (cells, shows) => this.playOn.answered(cells, shows),
      possible: (cell) => this.#possible(cell),
    });
    this.board.input.on = this.editor.events;
    this.panel = new AnalysisPanel(this.board);
    this.chance = new ChanceTeller(app.engine, () => app.shown === this,
      (chance) => this.panel.showChance(chance));
    this.playOn = new PlayOn(this);
    this.sizes = new SizePicker(this);
    this.mineCount = new MineCount(this);
    this.fold = new Fold("analyse");
    this.overlay = new Overlay(app.store, () => {
      this.#repaint();
      this.#askAhead();
    });
    byId("first-hint").hidden = app.store.get("hint-read", false);
    this.#listen();
    this.#readSetting(app.store.get("setting", {}));
    this.panel.clearCell();
  }

  get field() {
    return this.edited.field;
  }

  get setting() {
    const { density, areFlagsMines } = this.mineCount;
    const [objective, effort] = ["objective", "effort"].map((id) => byId(id).value);
    return { objective, effort, density, areFlagsMines };
  }

  // The field as the engine is asked about it.
  get askedField() {
    return this.mineCount.areFlagsMines ? withFlagsAsMines(this.field) : this.field;
  }

  #listen() {
    onClick("undo", () => this.undo());
    onClick("redo", () => this.redo());
    onClick("clear", () => this.clear());
    onClick("think-full", () => this.#think("full"));
    onClick("chance-name", () => this.#otherGoal());
    onClick("play-on", () => this.playOn.toggle());
    for (const id of ["objective", "effort", "flags-are-mines"]) {
      byId(id).addEventListener("change", () => this.#settingChanged());
    }
    onClick("analyse-smaller", () => this.board.zoom(-1));
    onClick("analyse-larger", () => this.board.zoom(1));
    onClick("analyse-fit", () => this.board.fit());
  }

  #readSetting({ objective, effort, density, areFlagsMines }) {
    this.mineCount.set(density, areFlagsMines);
    const known = currentName(objective);
    if (OBJECTIVES.includes(known)) byId("objective").value = known;
    byId("effort").value = EFFORTS.includes(effort) ? effort : "standard";
  }

  // What the headline tells is that of the goal, so that it is a place to change it.
  #otherGoal() {
    const { objective } = this.setting;
    byId("objective").value = OBJECTIVES.find((name) => name !== objective);
    this.#settingChanged();
  }

  densityChanged() {
    this.app.correct();
    this.#settingChanged();
  }

  #settingChanged() {
    this.app.store.set("setting", () => this.setting);
    this.refresh();
  }

  // ---- Changes of the field -------------------------------------------------------------------

  // Shows another field; the one before can be had back by undo.
  open(field, setting = {}) {
    this.#readSetting({ ...this.setting, ...setting });
    this.playOn.stop();
    this.edited.endStroke();
    if (this.edited.replace(field)) this.#changed(true);
    else this.refresh();
  }

  undo() {
    if (this.edited.undo()) this.#changed(true);
  }

  redo() {
    if (this.edited.redo()) this.#changed(true);
  }

  clear() {
    this.playOn.stop();
    this.edited.edit(({ rows, columns, mines }) => new Field(rows, columns, mines));
    this.#changed(true);
  }

  // Puts in another number of mines; null where it is unknown.
  setMines(mines) {
    this.edited.edit((field) => {
      field.mines = mines;
    });
    this.#changed(true);
  }

  #changed(isField) {
    if (!isField) return this.#cellSoon();
    this.hideHint();
    this.app.correct();
    this.#save();
    // Flags that are no mines change nothing that the engine sees.
    if (this.askedText !== this.askedField.toText()) return this.refresh();
    this.#showField();
    this.shownCell = null;
    return this.#cellSoon();
  }

  // What a cell can show by all others: numbers, or a mine alone; null where it is not known.
  async #possible(cell) {
    const field = this.field.copy();
    field.set(cell, HIDDEN);
    const { objective } = this.setting;
    const request = { do: "cell", field: field.toText(), cell, objective, effort: "fast" };
    const { outcomes = null } = await this.app.ask(request).catch(() => ({}));
    const shown = outcomes?.map(({ shows }) => (shows === "mine" ? MINE : shows)) ?? [];
    if (shown.length === 0) return null;
    return shown.length === 1 ? shown : shown.filter((shows) => shows !== MINE);
  }

  // The hint for newcomers is read once.
  hideHint() {
    byId("first-hint").hidden = true;
    this.app.store.set("hint-read", () => true);
  }

  // Where the storage has no room for all steps, the oldest ones are left out.
  #save() {
    const { edited } = this;
    this.app.store.set("analyse", () => edited.save(), () => edited.forgetOldest());
  }

  // Shows what does not wait for the engine.
  #showField() {
    byId("undo").disabled = !this.edited.canUndo;
    byId("redo").disabled = !this.edited.canRedo;
    this.sizes.show(this.field);
    this.mineCount.show();
    const { rows, columns, mines } = this.field;
    this.fold.show(`${columns}×${rows}/${mines ?? "?"}`);
    this.#repaint();
    this.#setAddress();
  }

  // ---- Asking the engine ----------------------------------------------------------------------

  ask(request, options) {
    const { objective, effort, density } = this.setting;
    const field = this.askedField.toText();
    return this.app.ask({ field, objective, effort, density, ...request }, options);
  }

  // Analyses the field anew. Requests that come while one is running are collected to one.
  refresh() {
    const text = this.askedField.toText();
    if (text !== this.askedText) this.isRepeated = false;
    this.request++;
    this.askedText = text;
    this.answer = null;
    this.shownCell = null;
    this.chance.stop();
    this.app.cancelSlow();
    if (this.odds && this.odds.length !== this.field.shows.length) this.odds = null;
    clearTimeout(this.outdatedTimer);
    this.outdatedTimer = setTimeout(() => this.#forgetOutdated(), OUTDATED_TIME);
    this.#showField();
    if (!this.isAsking) this.#askAll();
  }

  // Asks for what the cells promise, where that is shown.
  async #askAhead() {
    const { request } = this;
    if (!this.overlay.isWanting || !this.answer || this.odds === null) return;
    try {
      const ahead = await this.ask({ do: "ahead", effort: "fast" }, { slow: true });
      if (request !== this.request) return;
      this.overlay.ahead = ahead;
      this.#repaint();
    } catch (fault) {
      this.app.failed(fault);
    }
  }

  // Runs where an answer takes long: the odds may have come, but not the reasons.
  #forgetOutdated() {
    this.panel.showThinking();
    byId("play-on").hidden = byId("think-full").hidden = true;
    if (this.oddsRequest === this.request) return;
    this.odds = null;
    this.#repaint();
    this.board.mark("move", []);
  }

  #setAddress() {
    if (this.app.shown === this) this.app.store.setAddress(addressOf(this.#addressParts));
  }

  // Whether the position of an address is the one shown.
  isAt(parts) {
    return addressOf(parts) === addressOf(this.#addressParts);
  }

  get #addressParts() {
    const { objective, effort, areFlagsMines } = this.setting;
    const density = this.field.mines === null ? this.setting.density : null;
    const field = this.field.toFlaggedText();
    const flags = this.field.flags.includes(1) ? FLAG_MEANINGS[Number(areFlagsMines)] : null;
    return { field, objective, effort, density, flags };
  }

  async #askAll() {
    this.isAsking = true;
    let request;
    try {
      do {
        request = this.request;
        const odds = await this.ask({ do: "odds" });
        if (request !== this.request) continue;
        this.#showOdds(odds);
        if (odds.conflicts) break;
        const answer = await this.ask({ do: "analyse", effort: "fast" });
        if (request !== this.request) continue;
        this.#showAnswer(answer, "fast");
        this.#askAhead();
      } while (request !== this.request);
    } catch (fault) {
      this.isAsking = false;
      if (this.#asksAgain(fault)) return;
      this.#showFault(fault);
    }
    this.isAsking = false;
    this.#cellSoon();
    if (!this.answer) return;
    if (isProven(this.answer.move?.odds ?? 0)) this.#finish();
    else if (this.setting.effort === "fast") this.#finish();
    else this.#think(this.setting.effort);
  }

  // After the engine stopped, a fresh one is asked; but only once about a field, which may be what
  // stops it.
  #asksAgain(fault) {
    if (!(fault instanceof EngineStopped) || this.isRepeated) return false;
    this.isRepeated = true;
    this.refresh();
    return true;
  }

  // Thinks at standard effort, then at full effort where that is wanted.
  async #think(effort) {
    const { request } = this;
    const isOutdated = () => request !== this.request;
    byId("think-full").hidden = true;
    this.chance.stop();
    try {
      const isStandardDone = this.answer.effort !== "fast";
      if (!isStandardDone) {
        const answer = await this.ask({ do: "analyse", effort: "standard" }, { slow: true });
        if (isOutdated()) return;
        this.#showAnswer(answer, "standard");
      }
      if (effort === "full") {
        if (!isStandardDone) await this.app.pause(FULL_DELAY);
        if (isOutdated()) return;
        const answer = await this.ask({ do: "analyse", effort: "full" }, { slow: true });
        if (isOutdated()) return;
        this.#showAnswer(answer, "full");
      }
      this.#finish();
    } catch (fault) {
      if (!isOutdated() && !this.#asksAgain(fault)) this.app.failed(fault);
    }
  }

  // ---- Showing the answers --------------------------------------------------------------------

  #repaint() {
    const { rows, columns, shows, flags } = this.field;
    const overlay = this.overlay.figures(this.odds);
    const dead = new Uint8Array(rows * columns);
    for (const cell of this.odds ? this.overlay.dead : []) dead[this.field.index(cell)] = 1;
    this.board.show({ rows, columns, shows, flags, odds: this.odds, overlay, dead });
  }

  // The numbers of conflicts, and where flags are mines the flags around these. A conflict with the
  // number of mines is with all flags.
  #suspects(conflicts) {
    const { field } = this;
    const numbers = conflicts.flatMap((one) => one.numbers);
    const isOfAll = conflicts.some(({ total }) => total);
    const isNear = (flag) => numbers.some((number) =>
      Math.max(Math.abs(number[0] - flag[0]), Math.abs(number[1] - flag[1])) === 1);
    const { areFlagsMines } = this.mineCount;
    const isSuspect = (flag) => areFlagsMines && (isOfAll || isNear(flag));
    return { numbers, flags: field.flaggedCells.filter(isSuspect) };
  }

  #showOdds({ odds, move, conflicts }) {
    this.oddsRequest = this.request;
    this.overlay.forget();
    this.odds = conflicts ? null : odds.flat();
    this.#repaint();
    const suspects = this.#suspects(conflicts ?? []);
    this.board.mark("wrong", [...suspects.numbers, ...suspects.flags]);
    this.board.mark("move", !conflicts && isMoveLeft(move) ? [move.cell] : []);
    if (!conflicts) return;
    clearTimeout(this.outdatedTimer);
    this.playOn.stop();
    this.panel.showConflicts(conflicts, suspects);
    byId("play-on").hidden = byId("think-full").hidden = true;
    this.app.say("This position cannot be. " + conflicts.map(({ text }) => text).join(" "));
  }

  #showAnswer(answer, effort) {
    clearTimeout(this.outdatedTimer);
    const wasMove = this.answer?.move?.cell ?? null;
    this.answer = this.overlay.answer = { ...answer, effort };
    this.odds = answer.odds.flat();
    this.#repaint();
    this.board.mark("move", isMoveLeft(answer.move) ? [answer.move.cell] : []);
    this.panel.showAnalysis({ ...answer, objective: this.setting.objective }, effort);
    const isGuess = answer.move !== null && !isProven(answer.move.odds);
    byId("think-full").hidden = !isGuess || effort !== "standard" || this.setting.effort === "full";
    byId("play-on").hidden = !isMoveLeft(answer.move);
    if (!sameCell(wasMove, answer.move?.cell ?? null)) this.app.say(moveWords(answer.move));
  }

  // The answer at the chosen effort is there.
  #finish() {
    this.playOn.analysed(this.answer);
    this.#askChance();
  }

  // Without a mine count, games are not known to come to their end.
  #askChance() {
    if (this.answer === null || this.field.mines === null || !isMoveLeft(this.answer.move)) return;
    const { objective } = this.setting;
    const { effort } = this.answer;
    this.chance.ask({ field: this.askedText, objective, effort });
  }

  // Flags the proven mines, which changes no odds.
  flagMines(mines) {
    this.edited.edit((field) => mines.forEach((cell) => field.flag(cell, true)));
    this.#changed(true);
  }

  #showFault(fault) {
    clearTimeout(this.outdatedTimer);
    this.odds = null;
    this.#repaint();
    this.board.mark("move", []);
    this.board.mark("wrong", []);
    this.panel.showFault(fault.message);
    byId("play-on").hidden = byId("think-full").hidden = true;
    this.app.failed(fault);
  }

  // Tells about the cursor's cell, once it has rested there.
  async #cellSoon() {
    const { cursor } = this.board;
    if (sameCell(this.shownCell, cursor)) return;
    await this.app.pause(CELL_DELAY);
    const isResting = sameCell(this.board.cursor, cursor);
    if (isResting && !sameCell(this.shownCell, cursor)) await this.#askCell(cursor);
  }

  async #askCell(cell) {
    const { request } = this;
    if (!this.answer || !this.board.has(cell)) return this.panel.clearCell();
    this.shownCell = cell;
    try {
      const answer = await this.ask({ do: "cell", cell, effort: "fast" });
      const isWanted = request === this.request && sameCell(cell, this.board.cursor);
      if (isWanted) this.panel.showCell(answer);
    } catch (fault) {
      this.app.failed(fault);
    }
    return undefined;
  }

  // ---- For the page ---------------------------------------------------------------------------

  shown() {
    this.#setAddress();
    this.board.grid.focus({ preventScroll: true });
    this.chance.resume();
  }

  left() {
    this.chance.pause();
  }

  key(event) {
    return runKey("analyse", event, {
      undo: () => this.undo(),
      redo: () => this.redo(),
      playOn: () => this.playOn.toggle(),
      stopAsking: () => this.playOn.stop(),
    });
  }

  get copied() {
    return this.askedField.toText();
  }

  get picture() {
    return this.board.toSvg("Minesweeper position");
  }
}
