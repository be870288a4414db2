"use strict";
// The coach: tells the verdict on every click, and the account of a game.
//
// The verdicts come from the engine; here they are told and summed.
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
    const last = judged.at(-1)?.verdict ?? null;
    const box = byId("verdict");
    box.className = last === null ? "" : verdictClass(last);
    box.replaceChildren(...(last === null ? [] : verdictLines(last)));
    const list = judged.slice().reverse().map((one) => this.#line(one));
    byId("verdicts").replaceChildren(...list);
    byId("verdicts-title").hidden = list.length === 0;
    byId("account").hidden = !game.isOver || judged.length === 0;
    if (game.isOver) this.#showAccount(game, judged);
  }

  #line({ verdict, index }) {
    const look = make("button", { type: "button", textContent: "Look" });
    look.setAttribute("aria-label", "Look at the position before click " + (index + 1));
    look.addEventListener("click", () => this.openAt(index));
    const line = make("li", { value: index + 1 }, shortVerdict(verdict), look);
    line.className = verdictClass(verdict);
    return line;
  }

  #showAccount(game, judged) {
    const verdicts = judged.map(({ verdict }) => verdict);
    const { risk, avoidable, luck } = accountOf(verdicts);
    byId("risk-taken").textContent = risk.toFixed(2);
    byId("risk-avoidable").textContent = avoidable.toFixed(2);
    byId("luck").textContent = (luck >= 0 ? "+" : "−") + Math.abs(luck).toFixed(2);
    byId("account-words").textContent = accountWords(game, verdicts);
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

function accountWords(game, verdicts) {
  const { risk, hits, luck } = accountOf(verdicts);
  const unit = game.objective === "mines" ? "mines" : "of the chance to win";
  return `${plural(verdicts.length, "click", "clicks")} risked ${risk.toFixed(2)} mines in all, ` +
    `and hit ${hits}: ${Math.abs(luck).toFixed(2)} ${luck >= 0 ? "better" : "worse"} than ` +
    `expected. Better cells would have saved the avoidable part, in ${unit}.`;
}

function verdictClass({ kind, cost }) {
  if (kind === "safe") return "good";
  return cost > 0 ? "bad" : "";
}

function shortVerdict(verdict) {
  const cost = verdict.cost > 0 ? ", cost " + verdict.cost.toFixed(3) : "";
  return `${cellText(verdict.cell)} ${VERDICT_NAMES[verdict.kind] ?? verdict.kind}` +
    (verdict.odds > 0 ? ` with ${percentText(verdict.odds)}` : "") + cost +
    (verdict.isHit ? ": a mine" : "");
}

const VERDICT_NAMES = {
  "safe": "proven safe",
  "proven-mine": "a proven mine",
  "needless-risk": "a needless risk",
  "guess": "a guess",
};

function verdictLines({ sentences }) {
  return sentences.map((text) => make("p", { textContent: text }));
}
