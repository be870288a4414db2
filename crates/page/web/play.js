"use strict";
// The view Play: games by the three rules, with hints, odds and the coach.
//
// Moves are done one after another, in the order in which they were asked for. The engine opens a
// cell at once; the coach's verdict comes when it is known.
//
// Invariant: the board shows the game after all of its clicks, except while a move is being done.

const FIRST_SETTING = { rule: "open-first", width: 9, height: 9, minecount: 10 };

class PlayView {
  constructor(app) {
    this.app = app;
    const start = () => new Game({ ...FIRST_SETTING, seed: randomSeed() });
    this.game = app.store.load("play", Game.load) ?? start();
    this.odds = null;
    this.isFlagging = false;
    this.moves = Promise.resolve();
    this.board = new BoardView(byId("play-board"), { label: "Game", on: this.#events });
    const askSlowly = (request) => this.app.ask(request, { slow: true });
    this.statistics = new Statistics(app);
    this.coach = new Coach((index) => this.#openAt(index), askSlowly, (game) => {
      this.statistics.weighed(game);
      this.#save();
    });
    this.auto = new AutoPlay(this);
    this.chanceBar = new ChanceBar(app, () => app.shown === this);
    this.clock = new GameClock(() => this.#running, (game, isNewSecond) => {
      showFigures(game);
      if (isNewSecond) this.app.store.set("play", () => game.save());
    });
    this.fold = new Fold("play");
    fillLevels(byId("level"));
    this.#readSetting(app.store.get("play-setting", {}));
    this.#listen();
    this.#restore();
  }

  // The game whose time runs, or null. Before the engine has answered it is not known whether it is
  // over.
  get #running() {
    const { game } = this;
    const isGoingOn = game.isStarted && game.bbbv !== null && !game.isOver;
    return isGoingOn && this.app.shown === this ? game : null;
  }

  get #events() {
    return {
      press: (cell, { button }) => button === 2 && this.#flagByClick(cell),
      click: (cell, { button }) => {
        if (button === 0) this.#act(cell, this.isFlagging);
        if (button === 1) this.#chord(cell);
      },
      tap: (cell) => this.#act(cell, this.isFlagging),
      longPress: (cell) => this.#act(cell, !this.isFlagging),
      key: (event, cell) => this.#cellKey(event, cell),
    };
  }

  #listen() {
    onClick("new-game", () => {
      this.fold.open(false);
      this.newGame();
    });
    onEnter(["level-columns", "level-rows", "level-mines", "seed"], () => this.newGame());
    onClick("restart", () => this.#start(this.game.setting, {
      isRepeat: this.game.isStarted || this.game.isRepeat,
    }));
    onClick("hint", () => this.hint());
    onClick("odds-shown", () => this.toggleOdds());
    onClick("flag-mode", () => this.toggleFlagging());
    onClick("auto", () => this.auto.toggle());
    onClick("share-game", () => this.#share());
    onClick("save-game-svg", () => this.app.savePicture());
    onClick("to-analyse", () => this.#openAt(this.game.clicks.length));
    onClick("to-replay", () => this.app.replayGame(this.game));
    byId("coach").addEventListener("change", () => this.#settingChanged());
    byId("chance-shown").addEventListener("change", () => {
      this.#settingChanged();
      this.chanceBar.show(this.game);
    });
    for (const id of ["speed", "play-effort"]) {
      byId(id).addEventListener("change", () => this.#settingChanged());
    }
    for (const id of ["rule", "level"]) {
      byId(id).addEventListener("change", () => this.#nextChanged());
    }
    onClick("play-smaller", () => this.board.zoom(-1));
    onClick("play-larger", () => this.board.zoom(1));
    onClick("play-fit", () => this.board.fit());
  }

  // ---- The setting of the next game -----------------------------------------------------------

  #readSetting(setting) {
    const { rule = "open-first", level = "0", speed = "500", coach = true, odds = false } = setting;
    byId("rule").value = currentName(rule);
    byId("play-effort").value = EFFORTS.includes(setting.effort) ? setting.effort : "standard";
    byId("level").value = level;
    byId("speed").value = speed;
    byId("coach").checked = coach;
    byId("chance-shown").checked = setting.chance === true;
    byId("odds-shown").setAttribute("aria-pressed", String(odds === true));
    byId("level-custom").hidden = level !== CUSTOM;
  }

  #settingChanged() {
    byId("level-custom").hidden = byId("level").value !== CUSTOM;
    this.app.store.set("play-setting", () => ({
      rule: byId("rule").value,
      level: byId("level").value,
      speed: byId("speed").value,
      effort: byId("play-effort").value,
      coach: byId("coach").checked,
      chance: byId("chance-shown").checked,
      odds: this.areOddsShown,
    }));
  }

  // Another rule or level is that of the game that stands, if nothing is open in it. The numbers of
  // a custom board, or a seed, are typed first.
  #nextChanged() {
    this.#settingChanged();
    const isTyped = byId("level").value === CUSTOM || byId("seed").value !== "";
    if (!this.game.isStarted && !isTyped) this.newGame();
  }

  // The columns, rows and mines that are chosen, as texts.
  #chosenLevel() {
    if (byId("level").value === CUSTOM) {
      return ["columns", "rows", "mines"].map((name) => byId("level-" + name).value);
    }
    const { columns, rows, mines } = LEVELS[byId("level").value];
    return [columns, rows, mines].map(String);
  }

  // A seed that was typed is for one game: the next one has another board.
  async newGame() {
    const typed = byId("seed").value.trim();
    try {
      const numbers = readNumbers(...this.#chosenLevel(), typed || String(randomSeed()));
      const isStarted = await this.#start({ ...ruleOfChoice(byId("rule").value), ...numbers });
      if (isStarted) byId("seed").value = "";
      return undefined;
    } catch (fault) {
      return this.app.fail(fault.message);
    }
  }

  // Starts a game with a setting from elsewhere: a link or a file.
  async open(setting) {
    byId("rule").value = choiceOfRule(setting);
    const { width: columns, height: rows, minecount: mines } = setting;
    byId("level").value = levelOf({ columns, rows, mines });
    [["columns", columns], ["rows", rows], ["mines", mines]].forEach(([name, value]) => {
      byId("level-" + name).value = value;
    });
    byId("seed").value = "";
    this.#settingChanged();
    await this.#start(setting);
  }

  // The game before stays until the engine has accepted the setting. Returns whether it has.
  async #start(setting, { isRepeat = false } = {}) {
    this.auto.stop();
    const game = new Game(setting);
    game.isRepeat = isRepeat;
    try {
      game.apply(await this.app.ask(game.request()));
    } catch (fault) {
      this.app.failed(fault);
      return false;
    }
    this.app.correct();
    this.resume(game);
    return true;
  }

  // Goes on with a game that the engine knows.
  resume(game) {
    this.auto.stop();
    this.game = game;
    this.odds = null;
    this.board.mark("move", []);
    this.board.mark("wrong", []);
    byId("hint-line").textContent = "";
    this.#changed();
  }

  async #restore() {
    try {
      this.game.apply(await this.app.ask(this.game.request()));
    } catch (fault) {
      this.app.failed(fault);
      return this.newGame();
    }
    this.#changed();
    return undefined;
  }

  // ---- Moves ----------------------------------------------------------------------------------

  // Does `move` after the moves before it.
  #inTurn(move) {
    this.moves = this.moves.then(move).catch((fault) => this.app.failed(fault));
    return this.moves;
  }

  #act(cell, flags) {
    if (this.auto.isOn) this.auto.stop();
    if (this.game.field.at(cell) !== HIDDEN) return this.#chord(cell);
    if (flags) return this.#flagByClick(cell);
    this.#press(0, cell);
    return this.openCell(cell, { isJudged: byId("coach").checked });
  }

  // Counts a click of the player.
  #press(button, cell) {
    this.clock.tick();
    this.game.press(button, cell);
  }

  #flagByClick(cell) {
    this.#press(2, cell);
    return this.#flag(cell);
  }

  #flag(cell) {
    return this.#inTurn(() => {
      const { field, isOver } = this.game;
      if (isOver || field.at(cell) !== HIDDEN) return;
      field.flag(cell, field.flags[field.index(cell)] === 0);
      this.#changed();
    });
  }

  // Opens a hidden cell that has no flag; `move` is Sapper's, where it opens the cell.
  openCell(cell, { isJudged = false, move = null }) {
    this.clock.tick();
    const { time } = this.game;
    return this.#inTurn(async () => {
      const { game } = this;
      const isFlagged = game.field.flags[game.field.index(cell)] === 1;
      if (game.isOver || isFlagged || game.field.at(cell) !== HIDDEN) return;
      const before = game.field.toText();
      game.clicks.push(cell);
      try {
        game.apply(await this.app.ask(game.request()));
      } catch (fault) {
        game.clicks.pop();
        throw fault;
      }
      const index = game.clicks.length - 1;
      const isFree = !game.isAtRisk(index);
      const isHit = game.field.at(cell) === MINE;
      const verdict = move ? sapperVerdict(move, isHit) : isFree ? freeVerdict(cell) : undefined;
      game.verdicts.push(move || isJudged ? verdict : null);
      // The game ended with the click, not with the answer.
      if (game.isOver && index > 0) game.time = time;
      this.moved(cell);
      if (isJudged && !isFree) this.#judge(game, index, before);
    });
  }

  // Shows the game after a cell was opened.
  moved(cell) {
    this.odds = null;
    this.board.mark("move", []);
    byId("hint-line").textContent = "";
    this.statistics.ended(this.game);
    this.#changed();
    this.#speak(cell);
  }

  #chord(cell) {
    const { game } = this;
    if (game.isOver) return;
    this.#press(1, cell);
    for (const one of game.chord(cell)) this.openCell(one, { isJudged: byId("coach").checked });
  }

  #speak(cell) {
    const { game } = this;
    const ending = game.isOver ? " " + endWords(game) : "";
    const words = cellWords({ shows: game.field.at(cell), odds: null });
    this.app.say(cellText(cell) + " " + words + "." + ending);
  }

  async #judge(game, index, before) {
    const cell = game.clicks[index];
    const { objective } = game;
    // At fast effort, so that the next click does not wait: the costs are the look-ahead's.
    const request = { do: "judge", field: before, cell, objective, effort: "fast" };
    try {
      const verdict = await this.app.ask(request);
      const isHit = game.field.at(cell) === MINE;
      game.verdicts[index] = { ...verdict, cell, isHit, before: verdict.odds > 0 ? before : null };
      this.statistics.guessed(game, game.verdicts[index]);
    } catch (fault) {
      game.verdicts[index] = null;
      this.app.failed(fault);
    }
    if (game !== this.game) return;
    this.#save();
    this.#showVerdicts();
  }

  // ---- Showing --------------------------------------------------------------------------------

  #changed() {
    this.#save();
    this.#paint();
    if (this.areOddsShown) this.#askOdds();
  }

  #save() {
    this.app.store.set("play", () => this.game.save());
    if (this.app.shown === this) this.setAddress();
  }

  // The game that is played stays, whatever the address was before.
  isAt() {
    return true;
  }

  setAddress() {
    const { setting } = this.game;
    this.app.store.setAddress(setting.mines ? "" : addressOf({ play: this.game.link }));
  }

  #paint() {
    const { game } = this;
    const { rows, columns, shows, flags } = game.field;
    const mines = game.isOver && game.mines ? new Uint8Array(rows * columns) : null;
    for (const cell of mines ? game.mines : []) mines[game.field.index(cell)] = 1;
    const odds = game.isOver ? null : this.odds;
    this.board.show({ rows, columns, shows, flags, odds, mines });
    const wrong = mines ? indexesOf(flags, (flag) => flag === 1).filter((at) => !mines[at]) : [];
    this.board.mark("wrong", wrong.map((at) => game.field.cellAt(at)));
    byId("game-line").textContent = game.isOver ? endWords(game) : startWords(game);
    this.fold.show(`${columns}×${rows}, ${game.field.mines} mines`);
    byId("mines-left").textContent = game.minesLeft;
    showFigures(game);
    byId("hits").textContent = game.hits;
    for (const id of ["hint", "auto"]) byId(id).disabled = game.isOver;
    for (const id of ["restart", "to-replay"]) byId(id).disabled = !game.isStarted;
    byId("share-game").disabled = Boolean(game.setting.mines);
    byId("share-game").title = game.setting.mines ? "A given layout has no link" :
      "Copy a link to this board";
    this.chanceBar.show(game);
    this.#showVerdicts();
  }

  // Shows what the coach says, and frames the cell that was better than the last click.
  #showVerdicts() {
    const { game } = this;
    this.coach.show(game);
    const last = game.verdicts.at(-1);
    if (last === undefined && game.isStarted) return;
    const better = last?.mistake ? last.better : null;
    const isHidden = better && game.field.at(better) === HIDDEN;
    this.board.mark("instead", isHidden ? [better] : []);
  }

  // ---- Help while playing ---------------------------------------------------------------------

  async #askOdds() {
    const { game } = this;
    const count = game.clicks.length;
    if (game.isOver) return;
    try {
      const { objective } = game;
      const field = game.field.toText();
      const answer = await this.app.ask({ do: "odds", field, objective, effort: "fast" });
      if (game !== this.game || count !== game.clicks.length || !this.areOddsShown) return;
      this.odds = answer.odds?.flat() ?? null;
      game.wasHelped = true;
      this.#paint();
    } catch (fault) {
      this.app.failed(fault);
    }
  }

  get areOddsShown() {
    return byId("odds-shown").getAttribute("aria-pressed") === "true";
  }

  toggleOdds() {
    byId("odds-shown").setAttribute("aria-pressed", String(!this.areOddsShown));
    this.#settingChanged();
    this.odds = null;
    this.#changed();
  }

  toggleFlagging() {
    this.isFlagging = !this.isFlagging;
    byId("flag-mode").setAttribute("aria-pressed", String(this.isFlagging));
  }

  hint() {
    return this.#inTurn(async () => {
      const { game } = this;
      if (game.isOver) return;
      const { objective } = game;
      const request = { do: "analyse", field: game.field.toText(), objective, effort: "standard" };
      const { move, easiest, move_proof: proof } = await this.app.ask(request);
      if (game !== this.game) return;
      game.wasHelped = true;
      this.#save();
      const steps = (proof ?? easiest)?.steps.map(({ text }) => text);
      const why = move.odds === 0 && steps ? steps : move.why.slice(0, 2);
      this.board.mark("move", [move.cell]);
      this.board.scrollTo(move.cell);
      byId("hint-line").textContent = [moveWords(move), ...why].join(". ").replaceAll("..", ".");
      this.app.say(byId("hint-line").textContent);
    });
  }

  // Shows the position before a click in Analyse.
  async #openAt(index) {
    try {
      const { field } = await this.app.ask(this.game.request(index));
      const shown = Field.fromText(field);
      this.app.analyse(shown, { objective: this.game.objective }, this.game.clicks[index]);
    } catch (fault) {
      this.app.failed(fault);
    }
  }

  async #share() {
    const address = location.href.split("#")[0] + "#" + addressOf({ play: this.game.link });
    await this.app.copy(address, "The link to this board");
  }

  // ---- For the page ---------------------------------------------------------------------------

  shown() {
    this.setAddress();
    this.board.grid.focus({ preventScroll: true });
    this.chanceBar.resume();
  }

  left() {
    this.auto.stop();
    this.chanceBar.pause();
  }

  #cellKey(event, cell) {
    return runKey("game", event, {
      open: () => this.#act(cell, false),
      flag: () => this.#flagByClick(cell),
      chord: () => this.#chord(cell),
    });
  }

  key(event) {
    return runKey("play", event, {
      newGame: () => this.newGame(),
      hint: () => this.hint(),
      odds: () => this.toggleOdds(),
      auto: () => this.auto.toggle(),
    });
  }

  get copied() {
    return this.game.field.toText();
  }

  get picture() {
    return this.board.toSvg("Minesweeper game");
  }
}
