"use strict";
// The view Play: games by the three rules, with hints, odds and the coach.
//
// Moves are done one after another, in the order in which they were asked for. The engine opens a
// cell at once; the coach's verdict comes when it is known.
//
// Invariant: the board shows the game after all of its clicks, except while a move is being done.

const SECOND = 1000;
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
    this.coach = new Coach((index) => this.#openAt(index), askSlowly);
    this.auto = new AutoPlay(this);
    fillLevels(byId("level"));
    this.#readSetting(app.store.get("play-setting", {}));
    this.#listen();
    this.#restore();
    setInterval(() => this.#tick(), SECOND);
  }

  get #events() {
    return {
      press: (cell, { button }) => button === 2 && this.#flag(cell),
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
    onClick("new-game", () => this.newGame());
    onEnter(["level-columns", "level-rows", "level-mines", "seed"], () => this.newGame());
    onClick("restart", () => this.#start(this.game.setting));
    onClick("hint", () => this.hint());
    onClick("odds-shown", () => this.toggleOdds());
    onClick("flag-mode", () => this.toggleFlagging());
    onClick("auto", () => this.auto.toggle());
    onClick("share-game", () => this.#share());
    onClick("save-game-svg", () => this.app.savePicture());
    onClick("to-analyse", () => this.#openAt(this.game.clicks.length));
    onClick("to-replay", () => this.app.replayGame(this.game));
    byId("coach").addEventListener("change", () => this.#settingChanged());
    for (const id of ["rule", "level", "speed"]) {
      byId(id).addEventListener("change", () => this.#settingChanged());
    }
    onClick("play-smaller", () => this.board.zoom(-1));
    onClick("play-larger", () => this.board.zoom(1));
    onClick("play-fit", () => this.board.fit());
  }

  // ---- The setting of the next game -----------------------------------------------------------

  #readSetting({ rule = "open-first", level = "0", speed = "500", coach = true, odds = false }) {
    byId("rule").value = currentName(rule);
    byId("level").value = level;
    byId("speed").value = speed;
    byId("coach").checked = coach;
    byId("odds-shown").setAttribute("aria-pressed", String(odds === true));
    byId("level-custom").hidden = level !== CUSTOM;
  }

  #settingChanged() {
    byId("level-custom").hidden = byId("level").value !== CUSTOM;
    this.app.store.set("play-setting", () => ({
      rule: byId("rule").value,
      level: byId("level").value,
      speed: byId("speed").value,
      coach: byId("coach").checked,
      odds: this.areOddsShown,
    }));
  }

  // The columns, rows and mines that are chosen, as texts.
  #chosenLevel() {
    if (byId("level").value === CUSTOM) {
      return ["columns", "rows", "mines"].map((name) => byId("level-" + name).value);
    }
    const { columns, rows, mines } = LEVELS[byId("level").value];
    return [columns, rows, mines].map(String);
  }

  newGame() {
    const seed = byId("seed").value.trim() || String(randomSeed());
    try {
      const numbers = readNumbers(...this.#chosenLevel(), seed);
      return this.#start({ rule: byId("rule").value, ...numbers });
    } catch (fault) {
      return this.app.fail(fault.message);
    }
  }

  // Starts a game with a setting from elsewhere: a link or a file.
  async open(setting) {
    byId("rule").value = setting.rule;
    const { width: columns, height: rows, minecount: mines } = setting;
    byId("level").value = levelOf({ columns, rows, mines });
    [["columns", columns], ["rows", rows], ["mines", mines]].forEach(([name, value]) => {
      byId("level-" + name).value = value;
    });
    if (!setting.mines) byId("seed").value = setting.seed;
    this.#settingChanged();
    await this.#start(setting);
  }

  // The game before stays until the engine has accepted the setting.
  async #start(setting) {
    this.auto.stop();
    const game = new Game(setting);
    try {
      game.apply(await this.app.ask(game.request()));
    } catch (fault) {
      return this.app.failed(fault);
    }
    this.app.correct();
    this.resume(game);
    return undefined;
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
    return flags ? this.#flag(cell) : this.openCell(cell, { isJudged: byId("coach").checked });
  }

  #flag(cell) {
    return this.#inTurn(() => {
      const { field, isOver } = this.game;
      if (isOver || field.at(cell) !== HIDDEN) return;
      field.flag(cell, field.flags[field.index(cell)] === 0);
      this.#changed();
    });
  }

  // Opens a hidden cell that has no flag.
  openCell(cell, { isJudged }) {
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
      game.verdicts.push(isJudged && isFree ? freeVerdict(cell) : null);
      this.odds = null;
      this.board.mark("move", []);
      byId("hint-line").textContent = "";
      this.#changed();
      this.#speak(cell);
      if (isJudged && !isFree) this.#judge(game, index, before);
    });
  }

  #chord(cell) {
    const { game } = this;
    if (game.isOver) return;
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
    } catch (fault) {
      return this.app.failed(fault);
    }
    if (game !== this.game) return undefined;
    this.#save();
    return this.coach.show(game);
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
    byId("mines-left").textContent = game.minesLeft;
    byId("time").textContent = game.seconds + " s";
    byId("bbbv").textContent = game.bbbv ?? "–";
    byId("hits").textContent = game.hits;
    for (const id of ["hint", "auto"]) byId(id).disabled = game.isOver;
    for (const id of ["restart", "to-replay"]) byId(id).disabled = !game.isStarted;
    byId("share-game").disabled = Boolean(game.setting.mines);
    byId("share-game").title = game.setting.mines ? "A given layout has no link" :
      "Copy a link to this board";
    this.coach.show(game);
  }

  #tick() {
    const { game } = this;
    if (!game.isStarted || game.isOver || this.app.shown !== this) return;
    game.seconds++;
    byId("time").textContent = game.seconds + " s";
    this.app.store.set("play", () => game.save());
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
  }

  left() {
    this.auto.stop();
  }

  #cellKey(event, cell) {
    return runKey("game", event, {
      open: () => this.#act(cell, false),
      flag: () => this.#flag(cell),
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

function startWords(game) {
  const { rule, width, height, minecount, seed, mines } = game.setting;
  const names = { "botzone": "Botzone", "safe-first": "safe first click" };
  const parts = [
    `${width}×${height}`,
    plural(minecount, "mine", "mines"),
    mines && rule !== "botzone" ? "first click not protected" :
      names[rule] ?? "opening first click",
    mines ? "given layout" : "seed " + seed,
  ];
  return parts.join(", ");
}

function endWords(game) {
  const time = plural(game.seconds, "second", "seconds");
  if (game.setting.rule === "botzone") {
    return `The end, with ${plural(game.hits, "mine", "mines")} hit: score ` +
      `${game.score.toFixed(2)}, in ${time}`;
  }
  const help = game.wasHelped ? ", with Sapper's help" : "";
  return game.isWon ? `Won in ${time}${help}` : "Lost: a mine" + help;
}
