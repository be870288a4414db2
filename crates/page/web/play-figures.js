"use strict";
// The figures of a game in Play: its time and clicks, and the words for its start and its end.
//
// 3BV/s and efficiency are those of players' pages: the 3BV that was opened, for a second and for a
// click. Flags and chords are clicks, too.

const TICK = 50;

// Counts the time of the game of a view while the view is shown: from the first click on, to the
// click that ends the game.
class GameClock {
  // `game()` is the game whose time runs now, or null. `changed(game, isNewSecond)` shows it.
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
    this.last = performance.now();
    setInterval(() => this.tick(), TICK);
  }

  tick() {
    const now = performance.now();
    const passed = now - this.last;
    this.last = now;
    const game = this.game();
    if (game === null) return;
    const seconds = Math.floor(game.time / 1000);
    game.time += passed;
    this.changed(game, Math.floor(game.time / 1000) !== seconds);
  }
}

const secondsText = (time) => (time / 1000).toFixed(2) + " s";

function showFigures(game) {
  const { time, counts: { left, right, chords }, bbbv, solvedBbbv } = game;
  const clicks = left + right + chords;
  byId("time").textContent = secondsText(time);
  byId("bbbv").textContent = bbbv ?? "–";
  byId("bbbv-speed").textContent = time > 0 ? (1000 * solvedBbbv / time).toFixed(2) : "–";
  byId("clicks").textContent = clicks;
  byId("clicks").title = `${left} left, ${right} right, ${plural(chords, "chord", "chords")}`;
  const efficiency = Math.round(100 * solvedBbbv / clicks);
  byId("efficiency").textContent = clicks > 0 ? efficiency + " %" : "–";
}

const PROOF_WORDS = {
  numbers: "by one or two numbers",
  groups: "by groups and the mines left",
  counting: "by counting",
};

function startWords(game) {
  const { rule, width, height, minecount, seed, mines, proof } = game.setting;
  const names = { "botzone": "Botzone", "safe-first": "safe first click" };
  const parts = [
    `${width}×${height}`,
    plural(minecount, "mine", "mines"),
    mines && rule !== "botzone" ? "first click not protected" :
      names[rule] ?? "opening first click",
    ...(proof ? ["no guess: solved " + PROOF_WORDS[proof]] : []),
    mines ? "given layout" : "seed " + seed,
  ];
  return parts.join(", ");
}

function endWords(game) {
  const time = secondsText(game.time);
  if (game.setting.rule === "botzone") {
    return `The end, with ${plural(game.hits, "mine", "mines")} hit: score ` +
      `${game.score.toFixed(2)}, in ${time}`;
  }
  const help = game.wasHelped ? ", with Sapper's help" : "";
  return game.isWon ? `Won in ${time}${help}` : "Lost: a mine" + help;
}
