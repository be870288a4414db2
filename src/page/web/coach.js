"use strict";
// The coach: tells the verdict on every click, and the account of a game.
//
// A verdict is the engine's: {cell, name, mistake, odds, cost, cost_text, better, sentence, proof},
// and whether the click hit a mine. Here verdicts are told and summed.
//
// Invariant: luck = risk taken - mines hit by judged clicks.

const DEAREST = 3;

class Coach {
  // `openAt(index)` shows the position before a click.
  constructor(openAt) {
    this.openAt = openAt;
  }

  show(game) {
    const judged = game.verdicts.map((verdict, index) => ({ verdict, index }))
      .filter(({ verdict }) => verdict);
    this.#showLast(judged.at(-1) ?? null);
    byId("verdicts").replaceChildren(...judged.slice().reverse().map((one) => this.#line(one)));
    byId("verdicts-title").hidden = judged.length === 0;
    byId("account").hidden = !game.isOver || judged.length === 0;
    if (game.isOver) this.#showAccount(game, judged);
  }

  #showLast(last) {
    const lines = last === null ? [] : [last.verdict.sentence, ...last.verdict.proof];
    byId("verdict").className = last === null ? "" : verdictClass(last.verdict);
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
    const { risk, hits, avoidable, luck } = accountOf(judged.map(({ verdict }) => verdict));
    const isClassic = game.objective === "win";
    byId("risk-taken").textContent = risk.toFixed(2) + " mines";
    byId("risk-avoidable").textContent = isClassic ?
      (100 * avoidable).toFixed(1) + "\u00a0%" : avoidable.toFixed(2) + " mines";
    byId("luck").textContent = (luck >= 0 ? "+" : "\u2212") + Math.abs(luck).toFixed(2) + " mines";
    byId("account-words").textContent =
      `Risk taken is the sum of the odds of ${plural(judged.length, "click", "clicks")}; ` +
      `${plural(hits, "mine was", "mines were")} hit, and luck is the difference. Avoidable is ` +
      `what better cells would have saved${isClassic ? ", in chances to win" : ""}.`;
    const dearest = judged.filter(({ verdict }) => verdict.cost > 0)
      .sort((a, b) => b.verdict.cost - a.verdict.cost).slice(0, DEAREST);
    byId("dearest").replaceChildren(...dearest.map((one) => this.#line(one)));
    byId("dearest-title").hidden = dearest.length === 0;
  }
}

function accountOf(verdicts) {
  const sum = (value) => verdicts.reduce((total, verdict) => total + value(verdict), 0);
  const risk = sum(({ odds }) => odds);
  const hits = sum(({ isHit }) => Number(isHit));
  return { risk, hits, avoidable: sum(({ cost }) => cost), luck: risk - hits };
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
