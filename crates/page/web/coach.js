"use strict";
// The coach: tells the verdict on every click, and the account of a game.
//
// A verdict is the engine's: {cell, name, mistake, odds, cost, cost_text, better, sentence, proof},
// and whether the click hit a mine. Here verdicts are told and summed. The cost of a verdict is
// that of the two-ply look-ahead, which is known at once. When the game is over, the account asks
// what each guess costs above Sapper's cell by playouts, or exactly in an endgame that is solved:
// the loss, as `judge coach` counts it. What Sapper opens has a verdict without an account.
//
// Invariant: luck = risk taken - mines hit by judged clicks.

const MAX_LISTED = 3;

class Coach {
  // `openAt(index)` shows the position before a click; `ask` asks the engine what may take long;
  // `weighedAll(game)` is called when all losses of a game are known.
  constructor(openAt, ask, weighedAll) {
    this.openAt = openAt;
    this.ask = ask;
    this.weighedAll = weighedAll;
    // The game whose losses are being asked for.
    this.weighed = null;
  }

  show(game) {
    const judged = judgedOf(game);
    // While the last click is being judged, the verdict before it stays.
    const last = game.verdicts.at(-1);
    if (last !== undefined || !game.isStarted) this.#showLast(last ?? null);
    byId("verdicts").replaceChildren(...judged.slice().reverse().map((one) => this.#line(one)));
    byId("verdicts-title").hidden = judged.length === 0;
    byId("account").hidden = !game.isOver || judged.length === 0;
    if (!game.isOver) return;
    this.#showAccount(game, judged);
    this.#weigh(game);
  }

  // Asks for the losses that are missing, one by one, and shows the sum as it grows.
  async #weigh(game) {
    if (this.weighed === game) return;
    this.weighed = game;
    // The verdict on the last click may come while others are weighed.
    for (let next; (next = judgedOf(game).find(isUnweighed)) !== undefined;) {
      const { verdict, index } = next;
      const { cell, before: field } = verdict;
      const { objective, setting: { seed } } = game;
      const request = { do: "cost", field, cell, seed, turn: index, objective, effort: "fast" };
      try {
        verdict.loss = await this.ask(request);
      } catch {
        // It was cancelled; the account is asked for when it is shown again.
        break;
      }
      if (this.weighed !== game) return;
      this.#showAccount(game, judgedOf(game));
    }
    this.weighed = null;
    if (!game.verdicts.includes(undefined) && !judgedOf(game).some(isUnweighed)) {
      this.weighedAll(game);
    }
  }

  #showLast(last) {
    const lines = last === null ? [] : [last.sentence, ...last.proof];
    byId("verdict").className = last === null ? "" : verdictClass(last);
    byId("verdict").replaceChildren(...lines.map((text) => make("p", { textContent: text })));
  }

  #line({ verdict, index }) {
    const look = make("button", { type: "button", textContent: "Look" });
    look.setAttribute("aria-label", "Look at the position before click " + (index + 1));
    look.addEventListener("click", () => this.openAt(index));
    return make("li", { value: index + 1, className: verdictClass(verdict) },
      verdictWords(verdict), look);
  }

  #showAccount(game, judged) {
    const { risk, hits, luck } = accountOf(judged.map(({ verdict }) => verdict));
    const isClassic = game.objective === "clean-win";
    const told = (text) => text + (isClassic ? "\u00a0%" : " mines");
    const [factor, decimals] = isClassic ? [100, 1] : [1, 2];
    byId("risk-taken").textContent = told((factor * risk).toFixed(decimals));
    byId("against-sapper").textContent = lossWords(judged, isClassic);
    byId("luck").textContent = told(signed(factor * luck, decimals));
    byId("account-words").textContent =
      `Risk taken is the sum of the odds of ${plural(judged.length, "click", "clicks")}; luck is ` +
      `that less ${plural(hits, "mine", "mines")} hit${isClassic ? ", 100\u00a0% each" : ""}. ` +
      "Against Sapper is what your cells cost above its own, " +
      (isClassic ? "in points of the chance to win, " : "") + "as judge coach counts it: both " +
      "cells are tried in 500 games or more that Sapper plays on at fast effort; in an endgame " +
      "that it solves, the cost is exact. A minus is a gain.";
    const costliest = judged.filter(({ verdict }) => costOf(verdict) > 0)
      .sort((a, b) => costOf(b.verdict) - costOf(a.verdict)).slice(0, MAX_LISTED);
    byId("costliest").replaceChildren(...costliest.map((one) => this.#line(one)));
    byId("costliest-title").hidden = costliest.length === 0;
  }
}

// The verdicts on the player's clicks that are known, with the indexes of the clicks.
function judgedOf(game) {
  return game.verdicts.map((verdict, index) => ({ verdict, index }))
    .filter(({ verdict }) => verdict && !verdict.isSapper);
}

// The verdict on a cell that Sapper opened.
function sapperVerdict({ cell, odds }, isHit) {
  const what = odds === 0 ? "proven safe" : "a guess, a mine with " + percentText(odds);
  const sentence = `${cellText(cell)}, opened by Sapper: ${what}.${isHit ? " It was a mine." : ""}`;
  return { cell, isSapper: true, odds, isHit, mistake: false, proof: [], sentence };
}

// The verdict on a first click that the rules keep free.
const freeVerdict = (cell) => ({
  cell, isHit: false, before: null, kind: "rule", name: "first click, no risk", mistake: false,
  odds: 0, cost: 0, proof: [],
  sentence: cellText(cell) + " was no risk: the mines are laid after the first click.",
});

const isUnweighed = ({ verdict }) => verdict.before && !verdict.loss;

// By playouts, or by the two-ply look-ahead until these are known.
const costOf = ({ cost, loss }) => loss?.cost ?? cost;

function accountOf(verdicts) {
  const sum = (value) => verdicts.reduce((total, verdict) => total + value(verdict), 0);
  const risk = sum(({ odds }) => odds);
  const hits = sum(({ isHit }) => Number(isHit));
  return { risk, hits, luck: risk - hits };
}

// The sum of the losses with its 95 % interval, and how many clicks are still missing.
function lossWords(judged, isClassic) {
  const losses = judged.map(({ verdict }) => verdict.loss).filter((loss) => loss?.cost != null);
  const sum = losses.reduce((total, { cost }) => total + cost, 0);
  const variance = losses.reduce((total, loss) => total + loss.standard_error ** 2, 0);
  const half = 1.96 * Math.sqrt(variance);
  const words = isClassic ?
    `${signed(100 * sum, 1)} \u00b1${(100 * half).toFixed(1)} points` :
    `${signed(sum, 2)} \u00b1${half.toFixed(2)} mines`;
  const missing = judged.filter(isUnweighed).length;
  return missing > 0 ? `${words}; ${plural(missing, "click", "clicks")} to go` : words;
}

function signed(value, decimals) {
  return (value >= 0 ? "+" : "\u2212") + Math.abs(value).toFixed(decimals);
}

function verdictClass({ mistake, odds }) {
  if (mistake) return "bad";
  return odds === 0 ? "good" : "";
}

// A needless risk costs its odds: those are not told twice.
function verdictWords({ cell, kind, name, odds, mistake, cost_text: cost, isHit }) {
  const risk = isProven(odds) || kind === "needless-risk" ? "" : ", " + percentText(odds);
  return cellText(cell) + " " + name + risk + (mistake ? ", costs " + cost : "") +
    (isHit ? "; a mine" : "");
}
