"use strict";
// The statistics over all games in this browser: kept in its storage, exported, erased.
//
// A game counts when it ends, and once. Games that are left before their end do not count, and
// boards that were played before do not; games with Sapper's help are counted apart. The guesses
// are the player's clicks that the coach judged while no help was given. What they cost against
// Sapper is that of games in which the coach judged every click, once all of it is weighed.
//
// Another tab of the page may have written: a change reads what is stored, and writes it at once.
//
// Invariant: luck = the sum of the odds of the guesses - the mines hit by them.

const BINS = 10;

const emptyStatistics = () => ({
  version: 1,
  since: new Date().toISOString().slice(0, 10),
  boards: {},
  // Of guesses by their odds, in tenths: how many, the sum of the odds, and the mines hit.
  guesses: Array.from({ length: BINS }, () => ({ count: 0, odds: 0, hits: 0 })),
});

// What the storage holds, where it is statistics.
function readStatistics(value) {
  const { version, boards, guesses } = value;
  if (version !== 1 || typeof boards !== "object" || guesses.length !== BINS) throw new Error();
  return value;
}

class Statistics {
  constructor(app) {
    this.app = app;
    onClick("statistics-export", () => this.#export());
    onClick("statistics-erase", () => byId("erase-dialog").showModal());
    byId("erase-dialog").addEventListener("close", () => this.#erase());
    byId("statistics").addEventListener("toggle", () => this.show());
  }

  get value() {
    return this.app.store.load("statistics", readStatistics) ?? emptyStatistics();
  }

  #set(value) {
    this.app.store.set("statistics", () => value);
    this.app.store.flush();
    this.show();
  }

  // Changes what is kept of the board of a game.
  #change(game, change) {
    const { value } = this;
    const { width, height, minecount, mines } = game.setting;
    const name = `${width}×${height}/${minecount} ` +
      (mines ? "given" : choiceOfRule(game.setting));
    const none = { games: 0, wins: 0, helped: 0, best: null, lost: 0, weighed: 0 };
    change(value.boards[name] ??= none, value);
    this.#set(value);
  }

  ended(game) {
    if (!game.isOver || game.counted.end || game.isRepeat) return;
    game.counted.end = true;
    this.#change(game, (board) => {
      if (game.wasHelped) {
        board.helped++;
        return;
      }
      board.games++;
      board.wins += Number(game.isWon);
      if (game.isWon) board.best = Math.min(board.best ?? Infinity, Math.round(game.time));
    });
  }

  guessed(game, { odds, isHit }) {
    if (isProven(odds) || game.wasHelped || game.isRepeat) return;
    this.#change(game, (board, { guesses }) => {
      const bin = guesses[Math.min(BINS - 1, Math.floor(BINS * odds))];
      bin.count++;
      bin.odds += odds;
      bin.hits += Number(isHit);
    });
  }

  // All clicks of a game were weighed against Sapper's.
  weighed(game) {
    const isJudged = game.verdicts.every((verdict, index) => verdict || !game.isAtRisk(index));
    const isCounted = game.counted.end && !game.counted.loss;
    if (!isCounted || !isJudged || game.wasHelped || game.isRepeat) return;
    game.counted.loss = true;
    this.#change(game, (board) => {
      board.weighed++;
      for (const { verdict: { loss } } of judgedOf(game)) board.lost += loss?.cost ?? 0;
    });
  }

  // ---- Showing --------------------------------------------------------------------------------

  show() {
    if (!byId("statistics").open) return;
    const { boards, guesses, since } = this.value;
    showRows(byId("statistics-boards"), Object.entries(boards).flatMap(([name, board]) => [
      make("tr", {}, make("th", { scope: "rowgroup", colSpan: 5, textContent: boardWords(name) })),
      tableRow([
        board.games, board.games > 0 ? Math.round(100 * board.wins / board.games) + " %" : "–",
        board.best === null ? "–" : secondsText(board.best), lostText(name, board), board.helped,
      ]),
    ]));
    showRows(byId("statistics-guesses"), guesses.flatMap(({ count, odds, hits }, index) => {
      const range = `${100 * index / BINS} to ${100 * (index + 1) / BINS} %`;
      return count > 0 ? [tableRow([range, count, odds.toFixed(1), hits])] : [];
    }));
    const sum = (key) => guesses.reduce((total, bin) => total + bin[key], 0);
    const luck = sum("odds") - sum("hits");
    byId("statistics-luck").textContent = sum("count") === 0 ?
      "No guess yet that the coach judged." :
      `${plural(sum("count"), "guess", "guesses")}: ${sum("odds").toFixed(1)} mines were to be ` +
      `expected, ${sum("hits")} hit. Luck: ${signed(luck, 1)}.`;
    byId("statistics-since").textContent = `Since ${since}, kept in this browser alone.`;
  }

  #export() {
    download("sapper-statistics.json", "application/json", JSON.stringify(this.value, null, 1));
  }

  #erase() {
    const isWanted = byId("erase-dialog").returnValue === "erase";
    byId("erase-dialog").returnValue = "";
    if (!isWanted) return;
    this.#set(emptyStatistics());
    this.app.tell("The statistics are erased.");
  }
}

// The name of a board with its rules as the choice of rules has them.
function boardWords(name) {
  const [size, choice] = name.split(" ");
  const option = [...byId("rule").options].find(({ value }) => value === choice);
  return size + " " + (option?.textContent ?? choice);
}

// What the clicks cost against Sapper's, a game: points of the chance to win, or mines.
function lostText(name, { lost, weighed }) {
  if (weighed === 0) return "–";
  const isBotzone = name.endsWith(" botzone");
  const [value, unit] = isBotzone ? [lost, "mines"] : [100 * lost, "points"];
  return (value / weighed).toFixed(isBotzone ? 2 : 1) + " " + unit;
}

const tableRow = (texts) =>
  make("tr", {}, ...texts.map((text) => make("td", { textContent: text })));

function showRows(table, rows) {
  table.tBodies[0].replaceChildren(...rows);
  table.hidden = rows.length === 0;
}
