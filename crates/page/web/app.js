"use strict";
// The page: its views, the engine, messages, and all ways in and out.
//
// `<html data-state>` is "thinking" while an answer is awaited, and "ready" otherwise.
//
// Invariant: whatever fails, a message says it, and what was put in stays.

const VIEWS = ["analyse", "play", "replay"];
// The first choice, which is no view.
const START = "start";
const JSMINESWEEPER = "https://davidnhill.github.io/JSMinesweeper/index.html";
const TOLD_TIME = 4000;

const SAMPLE_FIELD = `9 9 10
000000000
000000000
012210011
01..2112.
02.......
02.......
02.311...
011101...
000001...`;

class App {
  constructor() {
    this.store = new Store();
    this.engine = new EngineClient();
    this.pending = 0;
    this.toldTimer = 0;
    // The games that links have replaced, by the address that each was left at.
    this.left = new Map();
    this.views = {
      analyse: new AnalyseView(this),
      play: new PlayView(this),
      replay: new ReplayView(this),
    };
    const sides = this.store.get("sides", {});
    for (const [name, { board }] of this.#sized) board.chosenSide = Number(sides[name]) || null;
    this.#listen();
    fillHelp(byId("help-body"));
    fillScale(byId("scale"));
  }

  async start() {
    const parts = addressParts();
    const { replay } = this.views;
    const saved = this.#openedGame();
    const last = this.store.entered === START ? null : this.store.get("view", null);
    const view = saved ? "replay" : viewOf(parts) ?? last;
    // What is opened stands in for what was looked at before.
    const isNew = saved !== null || !this.store.isOwnAddress || (parts.replay && !replay.isKept);
    replay.isRestored = isNew && view === "replay";
    if (VIEWS.includes(view)) this.#display(view);
    else this.#offer();
    this.store.stay(this.viewName ?? START);
    this.views.analyse.refresh();
    if (saved !== null) await replay.openText(saved.text, saved.turn);
    else if (isNew) await this.#readAddress(parts);
    try {
      await this.#counted(this.engine.ready);
    } catch (fault) {
      this.fail("The engine did not start: " + fault.message);
    }
  }

  // The game inside this page, where the page was opened for it; null otherwise. After a reload the
  // game that was looked at counts, if there was room to keep it.
  #openedGame() {
    const game = savedGame();
    const isLeft = location.hash !== "" || (isReload() && this.views.replay.isKept);
    return game === null || isLeft ? null : game;
  }

  // The views whose boards keep their size over a reload.
  get #sized() {
    return Object.entries(this.views).filter(([name]) => name !== "replay");
  }

  #saveSides() {
    const sides = this.#sized.map(([name, { board }]) => [name, board.chosenSide]);
    this.store.set("sides", () => Object.fromEntries(sides));
    this.store.flush();
  }

  // ---- The engine -----------------------------------------------------------------------------

  // The engine's answer to a request. Slow ones have a worker of their own.
  ask(request, { slow = false } = {}) {
    return this.#counted(this.engine.call(request, { slow }));
  }

  cancelSlow() {
    this.engine.cancelSlow();
  }

  pause(time, { isThinking = true } = {}) {
    const pause = new Promise((resolve) => setTimeout(resolve, time));
    return isThinking ? this.#counted(pause) : pause;
  }

  // Waits for a promise, and shows that the page thinks. The state is "ready" only when no next
  // request has followed at once.
  async #counted(promise) {
    this.pending++;
    document.documentElement.dataset.state = "thinking";
    try {
      return await promise;
    } finally {
      this.pending--;
      setTimeout(() => {
        if (this.pending === 0) document.documentElement.dataset.state = "ready";
      });
    }
  }

  // ---- Views and messages ---------------------------------------------------------------------

  get shown() {
    return this.views?.[this.viewName] ?? null;
  }

  // Writes the address at once: while the page is left, it cannot be changed any more.
  show(name) {
    if (this.viewName !== name) this.store.enter(name);
    this.#display(name);
    this.store.flush();
  }

  // Asks a newcomer what to begin with. A tab or anything that is opened is an answer too.
  #offer() {
    this.shown?.left?.();
    this.viewName = null;
    for (const view of VIEWS) {
      byId(view).hidden = true;
      byId("tab-" + view).setAttribute("aria-selected", "false");
    }
    byId("start").hidden = false;
  }

  #display(name) {
    if (this.viewName !== name) this.shown?.left?.();
    this.viewName = name;
    byId("start").hidden = true;
    for (const view of VIEWS) {
      byId(view).hidden = view !== name;
      const tab = byId("tab-" + view);
      tab.setAttribute("aria-selected", String(view === name));
      tab.tabIndex = view === name ? 0 : -1;
    }
    this.store.set("view", () => this.viewName);
    this.shown.shown();
  }

  fail(text) {
    this.#notice(text, false);
  }

  // Tells of a request that failed; a cancelled one did not.
  failed(fault) {
    if (!fault.isCancelled) this.fail(fault.message);
  }

  tell(text) {
    this.#notice(text, true);
    this.toldTimer = setTimeout(() => this.closeNotice(), TOLD_TIME);
  }

  // Tells of a failure, and offers what can be done instead.
  offer(text, label, action) {
    this.#notice(text, false);
    byId("notice-offer").textContent = label;
    byId("notice-offer").hidden = false;
    byId("notice-offer").onclick = () => {
      this.closeNotice();
      action();
    };
  }

  #notice(text, isGood) {
    clearTimeout(this.toldTimer);
    byId("notice-offer").hidden = true;
    byId("notice-text").textContent = text;
    byId("alarm").textContent = spokenText(text);
    byId("notice").classList.toggle("good", isGood);
    byId("notice").hidden = false;
  }

  // What was put in has been corrected: a line that tells of a failure is outdated.
  correct() {
    if (!byId("notice").classList.contains("good")) this.closeNotice();
  }

  closeNotice() {
    clearTimeout(this.toldTimer);
    byId("notice").hidden = true;
  }

  // Speaks to screen readers.
  say(text) {
    byId("spoken").textContent = spokenText(text);
  }

  // ---- Ways in --------------------------------------------------------------------------------

  async #readAddress(parts, hash = location.hash) {
    const { field, objective, effort, density, flags, play, replay } = parts;
    const fault = linkFault(parts, hash);
    if (fault === null) this.correct();
    else this.fail(fault);
    if (replay !== undefined) return this.views.replay.openLink(parts);
    if (play !== undefined) return this.#openGameLink(play);
    if (field === undefined) return undefined;
    try {
      const read = await this.ask({ do: "read", text: field });
      if (read.kind !== "position") return this.fail("The link is no position");
      const areFlagsMines = flags === undefined ? undefined : flags === "mines";
      const setting = { objective, effort, density: Number(density ?? NaN), areFlagsMines };
      return this.views.analyse.open(fieldOf(read), setting);
    } catch (fault) {
      return this.fail("The position in the link cannot be read: " + fault.message);
    }
  }

  #openGameLink(link) {
    const { game } = this.views.play;
    try {
      const setting = Game.settingOf(link);
      if (!game.setting.mines && game.link === new Game(setting).link) return undefined;
      return this.views.play.open(setting);
    } catch (fault) {
      return this.fail("The link is no game: " + fault.message);
    }
  }

  // A link of the page is opened here, whichever page it leads to.
  async openText(text) {
    const hash = linkIn(text);
    const parts = addressParts(hash ?? "");
    const view = viewOf(parts);
    if (view === null) return this.#openRead({ text });
    this.closeNotice();
    this.show(view);
    return this.#readAddress(parts, hash);
  }

  async openFile(file) {
    if (file.size > LARGEST_FILE) return this.fail(file.name + " is larger than 32 MB");
    const packed = new Uint8Array(await file.arrayBuffer());
    try {
      const files = await unpackedFiles(file.name, packed);
      if (files.length > 1) return await this.#openFiles(files);
      return await this.#openRead({ bytes: [...files[0].bytes] }, file.name);
    } catch (fault) {
      return this.fail(file.name + " cannot be read: " + fault.message);
    }
  }

  // Opens the games of several files in Replay; the other files are left out.
  async #openFiles(files) {
    const games = [];
    const notes = [];
    for (const { name, bytes, fault: damage } of files) {
      const read = damage ? new Error(damage) :
        await this.ask({ do: "read", bytes: [...bytes] }).catch((fault) => fault);
      if (read.kind === "game") games.push({ name, text: read.text });
      else if (read.kind === "pack") {
        games.push(...read.matches.map((game) => ({ ...game, name: name + " " + game.name })));
        notes.push(...read.notes);
      } else notes.push(name + ": " + (read.message ?? "no game"));
    }
    if (games.length === 0) throw new Error("it has no game: " + notes.join("; "));
    await this.views.replay.openPack(games, notes);
  }

  // Shows what was read in the view for it.
  async #openRead(request, name = "The text") {
    try {
      const read = await this.ask({ do: "read", ...request });
      this.closeNotice();
      if (read.kind === "position") this.analyse(fieldOf(read));
      else if (read.kind === "layout") await this.#openLayout(read);
      else if (read.kind === "pack") await this.views.replay.openPack(read.matches, read.notes);
      else await this.views.replay.openText(read.text);
    } catch (fault) {
      this.fail(name + " cannot be read: " + fault.message);
    }
  }

  async #openLayout({ width, height, minecount, mines }) {
    this.show("play");
    const { rule } = ruleOfChoice(byId("rule").value);
    await this.views.play.open({ rule, width, height, minecount, seed: 0, mines });
  }

  // Shows a field in Analyse, with the cursor on `cell`.
  analyse(field, setting = {}, cell = null) {
    this.show("analyse");
    this.views.analyse.open(field, setting);
    if (cell) this.views.analyse.board.moveCursor(cell);
  }

  // Shows a game of the page in Replay. Its text is the request that plays it.
  replayGame(game) {
    return this.views.replay.openText(game.text);
  }

  // ---- Ways out -------------------------------------------------------------------------------

  async copy(text, what) {
    if (await copyText(text)) this.tell(what + " is copied.");
    else this.fail("The browser does not let the page copy");
  }

  async #copyAs(form) {
    const { field } = this.views.analyse;
    const flags = field.flaggedCells;
    try {
      const { text } = await this.ask({ do: "write", field: field.toText(), as: form, flags });
      const isTurned = form !== "botzone" && field.shows.includes(MINE);
      const start = form === "js-link" ? JSMINESWEEPER : "";
      const what = "The position" + (isTurned ? ", its opened mines as flags," : "");
      await this.copy(start + text, what);
    } catch (fault) {
      this.failed(fault);
    }
  }

  #copyLink() {
    this.store.flush();
    this.copy(location.href, "The link");
  }

  savePicture() {
    download("minesweeper.svg", "image/svg+xml", this.shown.picture);
  }

  // ---- Events ---------------------------------------------------------------------------------

  #listen() {
    for (const view of VIEWS) {
      for (const from of ["tab-", "start-"]) onClick(from + view, () => this.show(view));
    }
    byId("tab-analyse").parentElement.addEventListener("keydown", (event) => this.#tabKey(event));
    this.engine.addEventListener("failure", ({ detail }) => this.fail("The engine stopped (" +
      detail + ") and was started again; nothing that was put in is lost"));
    onClick("notice-close", () => this.closeNotice());
    onClick("help-open", () => showHelp());
    onClick("first-hint-close", () => this.views.analyse.hideHint());
    onClick("copy-link", () => this.#copyLink());
    onClick("copy-text", () => this.copy(this.views.analyse.copied, "The position"));
    onClick("copy-botzone", () => this.#copyAs("botzone"));
    onClick("copy-mine", () => this.#copyAs("mine"));
    onClick("copy-js-link", () => this.#copyAs("js-link"));
    onClick("save-svg", () => this.savePicture());
    for (const button of document.querySelectorAll(".open-file")) {
      button.addEventListener("click", () => byId("file").click());
    }
    for (const button of document.querySelectorAll(".open-text")) {
      button.addEventListener("click", () => byId("text-dialog").showModal());
    }
    byId("file").addEventListener("change", () => this.#fileChosen());
    byId("text-dialog").addEventListener("close", () => this.#textGiven());
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("input", () => this.correct());
    document.addEventListener("paste", (event) => this.#paste(event));
    document.addEventListener("copy", (event) => this.#copyEvent(event));
    addEventListener("pagehide", () => this.#saveSides());
    addEventListener("popstate", () => this.#entered());
    addEventListener("hashchange", (event) => this.#addressChanged(event));
    this.#listenToMenus();
    this.#listenToDrops();
  }

  // Back or Forward leads to a view that was shown before. Its address follows, if it is another.
  #entered() {
    const { entered } = this.store;
    if (VIEWS.includes(entered)) this.#display(entered);
    else if (entered === START) {
      this.#offer();
      // What was left may not have written its address yet.
      this.store.setAddress("");
    }
  }

  // A link was followed, or Back or Forward led to an entry with another address. Back brings the
  // game that a link has replaced; besides it the game in Play stays, and so does what is shown
  // already.
  #addressChanged({ oldURL }) {
    const parts = addressParts();
    const { play } = this.views;
    const isLink = this.store.entered === null;
    const left = this.left.get(location.hash);
    this.left.delete(location.hash);
    if (left || (isLink && parts.play)) this.left.set(new URL(oldURL).hash, play.game);
    if (left) play.resume(left);
    const view = viewOf(parts);
    if (view !== null) this.#display(view);
    if (isLink) this.store.stay(this.viewName ?? START);
    if (isLink || (this.shown && !this.shown.isAt(parts))) this.#readAddress(parts);
  }

  // A menu closes when something in it was done, by a click elsewhere, and by Escape.
  #listenToMenus() {
    for (const menu of document.querySelectorAll("details.menu")) {
      menu.addEventListener("keydown", (event) => {
        if (!menu.open || keyAction("menus", event) !== "close") return;
        event.preventDefault();
        menu.open = false;
        menu.querySelector("summary").focus();
      });
    }
    document.addEventListener("click", (event) => {
      for (const menu of document.querySelectorAll("details.menu[open]")) {
        const isSummary = event.target.closest("summary");
        if (!menu.contains(event.target) || !isSummary) menu.open = false;
      }
    });
  }

  #listenToDrops() {
    let depth = 0;
    const mark = (change) => {
      depth = change === 0 ? 0 : depth + change;
      document.body.classList.toggle("dropping", depth > 0);
    };
    document.addEventListener("dragenter", () => mark(1));
    document.addEventListener("dragleave", () => mark(-1));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      mark(0);
      const [file] = event.dataTransfer.files;
      const text = event.dataTransfer.getData("text");
      if (file) this.openFile(file);
      else if (text) this.openText(text);
    });
  }

  #fileChosen() {
    const [file] = byId("file").files;
    if (file) this.openFile(file);
    byId("file").value = "";
  }

  #textGiven() {
    const dialog = byId("text-dialog");
    const text = byId("text-input").value;
    if (dialog.returnValue === "open") this.openText(text);
    dialog.returnValue = "";
  }

  #paste(event) {
    const text = event.clipboardData.getData("text");
    const [file] = event.clipboardData.files;
    if (isTextInput(event.target) || (!text && !file)) return;
    event.preventDefault();
    if (text) this.openText(text);
    else this.openFile(file);
  }

  #copyEvent(event) {
    if (isTextInput(event.target) || String(getSelection()) !== "" || !this.shown?.copied) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", this.shown.copied);
    this.tell("The position is copied.");
  }

  #tabKey(event) {
    const step = (steps) => {
      const next = (VIEWS.indexOf(this.viewName) + steps + VIEWS.length) % VIEWS.length;
      this.show(VIEWS[next]);
      byId("tab-" + VIEWS[next]).focus();
    };
    const actions = { previous: () => step(-1), next: () => step(1) };
    if (runKey("tabs", event, actions)) event.preventDefault();
  }

  // Keys that nothing else took. A button keeps Enter and the space bar for itself.
  #key(event) {
    const isTaken = event.defaultPrevented || event.altKey;
    if (isTaken || isTextInput(event.target) || document.querySelector("dialog[open]")) return;
    if (isPressKey(event) && event.target.closest("button, summary, input, a")) return;
    if (this.#pageKey(event) || this.shown?.key(event)) event.preventDefault();
    else if (this.shown?.board && !event.target.closest(".board-grid")) {
      this.shown.board.input.key(event);
    }
  }

  #pageKey(event) {
    const board = this.shown?.board;
    const isDone = runKey("page", event, {
      help: () => showHelp(),
      analyse: () => this.show("analyse"),
      play: () => this.show("play"),
      replay: () => this.show("replay"),
    });
    if (isDone || !board) return isDone;
    return runKey("board", event, {
      larger: () => board.zoom(1),
      smaller: () => board.zoom(-1),
      fit: () => board.fit(),
      picture: () => this.savePicture(),
    });
  }
}

// The view that a link is for, or null.
function viewOf({ replay, play, field }) {
  return replay ? "replay" : play ? "play" : field ? "analyse" : null;
}

// What follows the address of the page where a text is one of its links, or null.
function linkIn(text) {
  return /^\S*?(#(?:\S*&)?(?:field|play|replay)=\S*)$/.exec(text.trim())?.[1] ?? null;
}

// What is wrong with a link, apart from a position or a game in it; null for nothing.
function linkFault(parts, hash) {
  if (/%(?![\da-f]{2})/i.test(hash)) return "The link has a broken % code";
  const { field, play, replay, turn, objective, effort, density, flags, ...others } = parts;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `The link has an unknown part: "${unknown}"`;
  if (objective !== undefined && !OBJECTIVES.includes(currentName(objective))) {
    return `The link has an unknown objective: "${objective}"`;
  }
  if (effort !== undefined && !EFFORTS.includes(effort)) {
    return `The link has an unknown effort: "${effort}"`;
  }
  if (flags !== undefined && !FLAG_MEANINGS.includes(flags)) {
    return `The link has flags that are neither marks nor mines: "${flags}"`;
  }
  if (turn !== undefined && wholeNumber(turn, 0, MOST_CELLS) === null) {
    return `The link has a turn that is no whole number: "${turn}"`;
  }
  if (density !== undefined && !isDensity(Number(density))) {
    return `The link has a density that is not between 0 and 1: "${density}"`;
  }
  return null;
}

// A position that the engine has read.
function fieldOf({ field: text, flags = [] }) {
  const field = Field.fromText(text);
  for (const cell of flags) field.flag(cell, true);
  return field;
}

const isTextInput = (target) =>
  target.closest?.("textarea, select, input:not([type='checkbox'])") !== null;

function fillScale(scale) {
  for (const odds of [0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1]) {
    const { fill, ink } = oddsColors(odds);
    const step = make("span", { textContent: oddsText(odds) });
    step.style.background = odds === 0 ? "var(--cell-safe)" : fill;
    step.style.color = odds === 0 ? "var(--cell-safe-ink)" : ink;
    scale.append(step);
  }
}
