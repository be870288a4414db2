"use strict";
// Shows an analysis in words: the move, its proof or its candidates, and one cell.
//
// Pointing at a sentence marks the cells it speaks of: those it uses, and those it tells about.
// The answers of the engine have the shape of `judge explain --json`.

// The most candidates listed: as many as have a chance, MOST_CELLS of the engine.
const LISTED = 8;

class AnalysisPanel {
  constructor(board) {
    this.board = board;
    // The rows of the candidates by their cells as text, in their order without chances.
    this.rows = new Map();
  }

  // Marks what a sentence uses and what it tells; both are lists of cells.
  point(uses, tells) {
    this.board.mark("uses", uses);
    this.board.mark("tells", tells);
  }

  #sentence(text, uses, tells) {
    const line = make("li", { textContent: text });
    if (uses.length + tells.length > 0) {
      line.className = "pointed";
      pointsAt(line, () => this.point(uses, tells), () => this.point([], []));
    }
    return line;
  }

  // A step of a proof: its premises on the board, and what it proves.
  #step({ text, numbers, known, safe, mines }) {
    const uses = [...numbers, ...known.safe, ...known.mines];
    return this.#sentence(text, uses, [...safe, ...mines]);
  }

  // A sentence without a list of its cells names them in its text.
  #plain(text) {
    return this.#sentence(text, [], cellsIn(text));
  }

  showAnalysis(answer, effort) {
    this.point([], []);
    const proof = answer.move_proof ?? answer.easiest;
    const { move } = answer;
    byId("move-line").textContent = moveWords(move);
    const isProof = proof !== null && (move === null || isProven(move.odds));
    const why = isProof ? proof.steps.map((step) => this.#step(step)) :
      (move?.why ?? []).map((text) => this.#plain(text));
    this.#list("why", why);
    byId("why-title").hidden = why.length === 0;
    const shown = new Set((isProof ? proof.steps : []).map((step) => step.text));
    const easiest = isProof && answer.easiest ? answer.easiest.steps : [];
    const others = [...easiest, ...answer.also].filter((step) => !shown.has(step.text));
    this.#list("also-list", others.map((step) => this.#step(step)));
    byId("also").hidden = others.length === 0;
    this.#showCandidates(answer);
    this.#awaitChance(answer);
    byId("totals").textContent = totalsWords(answer, effort);
  }

  // The line of the chance to win keeps its place until the chance is known.
  #awaitChance({ move, minecount, objective }) {
    byId("chance-line").hidden = !isMoveLeft(move);
    byId("chance-name").textContent = chanceName(objective);
    byId("chance-name").title = "Change the goal: tell " +
      (objective === "clean-win" ? "the mines to come" : "the chance to win");
    byId("chance-value").textContent =
      minecount === null ? "not known without the number of mines" : "…";
    byId("chance-line").title = "";
    byId("better").hidden = true;
    delete byId("chance-line").dataset.playouts;
  }

  // Puts the chance in its places, and the rows in its order; null where it cannot be known.
  showChance(told) {
    const line = byId("chance-line");
    if (told === null) {
      byId("chance-value").textContent = "not known: too many numbers depend on each other";
      for (const row of this.rows.values()) row.cells[1].textContent = "–";
      return;
    }
    const [ofMove] = told.cells;
    line.dataset.playouts = told.playouts;
    line.title = chanceSource(told);
    byId("chance-value").textContent = fineFigures(ofMove, told) + chanceSign(told) +
      (told.exact ? ", exact" : "");
    for (const row of this.rows.values()) row.cells[1].textContent = "–";
    const known = told.cells.map((one) => [this.rows.get(cellText(one.cell)), one])
      .filter(([row]) => row !== undefined);
    for (const [row, one] of known) row.cells[1].textContent = fineFigures(one, told);
    this.#order(known.map(([row]) => row));
    this.#showBetter(told);
  }

  // Rows with a chance come first, in this order. Where the order is the same, nothing moves.
  #order(first) {
    const ordered = [...new Set([...first, ...this.rows.values()])];
    const body = byId("candidates").tBodies[0];
    ordered.forEach((row, index) => {
      if (body.rows[index] !== row) body.insertBefore(row, body.rows[index]);
    });
  }

  #showBetter(told) {
    const better = told.exact ? undefined : told.cells.find((one) => one.better);
    byId("better").hidden = better === undefined;
    if (better === undefined) return;
    const { cell, above_move: above, above_move_within: within } = better;
    const ahead = fineFigures({ chance: Math.abs(above), within }, told);
    byId("better").textContent = cellText(cell) + " is ahead of the move by " + ahead +
      (told.unit === "mines" ? " mines" : " points") + ": more than chance explains.";
  }

  #list(id, lines) {
    byId(id).replaceChildren(...lines);
  }

  #showCandidates({ move, candidates, objective }) {
    const isMove = (cell) => move !== null && sameCell(cell, move.cell);
    const isClassic = objective === "clean-win";
    const costText = (cost) => (isClassic ? (100 * cost).toFixed(2) : cost.toFixed(3));
    const chanceHead = isClassic ? "chance to win, %" : "mines to come";
    byId("cost-name").textContent = isClassic ? "cost, %" : "cost, mines";
    byId("chance-head").textContent = byId("value-name").textContent = chanceHead;
    const point = (cells) => this.point([], cells);
    // The move stands first.
    const listed = candidates.slice().sort((a, b) => isMove(b.cell) - isMove(a.cell))
      .slice(0, LISTED);
    const rows = listed.map((candidate) => ({
      texts: [
        cellText(candidate.cell), "…", percents(candidate.odds), percents(candidate.next),
        percents(candidate.second), costText(candidate.cost),
      ],
      cells: [candidate.cell],
      isChosen: isMove(candidate.cell),
    }));
    const made = fillTable(byId("candidates"), rows, point);
    this.rows = new Map(listed.map(({ cell }, index) => [cellText(cell), made[index]]));
    const endgame = move?.endgame ?? null;
    const valueText = (cost) => (cost === null ? "–" :
      isClassic ? percents(1 - cost / endgame.layouts) : (cost / endgame.layouts).toFixed(4));
    const values = endgame === null ? [] : endgame.cells.map(({ cell, mined, cost }) => ({
      texts: [cellText(cell), valueText(cost), percents(mined / endgame.layouts)],
      cells: [cell],
      isChosen: isMove(cell),
    }));
    fillTable(byId("values"), values, point);
  }

  // `suspects` are the framed cells: {numbers, flags}.
  showConflicts(conflicts, { numbers, flags }) {
    this.point([], []);
    byId("move-line").textContent = "This position cannot be";
    const lines = conflicts.map((one) =>
      this.#sentence(capitalized(one.text) + ".", one.numbers, []));
    this.#list("why", lines);
    byId("why-title").hidden = true;
    this.#hideTables();
    const framed = numbers.length + flags.length;
    const isOfMines = conflicts.some(({ total }) => total);
    byId("totals").textContent = framed === 0 ? "Change the number of mines." :
      (framed === 1 ? "Change the framed cell" : "Change one of the framed cells") +
      (isOfMines ? ", or the number of mines." : ".") +
      (flags.length > 0 ? " Flags are mines here." : "");
  }

  showFault(text) {
    this.#showNothing("No analysis", [make("li", { textContent: text })]);
  }

  showThinking() {
    this.point([], []);
    this.#showNothing("Thinking", []);
  }

  #hideTables() {
    const ids = ["also", "candidates", "values", "better", "chance-line"];
    for (const id of ids) byId(id).hidden = true;
  }

  #showNothing(headline, why) {
    byId("move-line").textContent = headline;
    this.#list("why", why);
    byId("why-title").hidden = true;
    this.#hideTables();
    byId("totals").textContent = "";
  }

  // A cell: {about, proof, outcomes}. The first sentence is its headline.
  showCell(answer) {
    const [head, ...lines] = answer.about;
    byId("cell-line").textContent = head;
    const steps = answer.proof?.steps.map((step) => this.#step(step));
    this.#list("cell-about", steps ?? lines.map((text) => this.#plain(text)));
    const rows = (answer.outcomes ?? []).map((outcome) => ({
      texts: [
        outcome.shows === "mine" ? "a mine" : String(outcome.shows), percents(outcome.chance),
        outcome.next === null ? "over" : percents(outcome.next), String(outcome.safe),
      ],
      cells: outcome.then_safe,
    }));
    fillTable(byId("outcomes"), rows, (cells) => this.point([], cells));
  }

  clearCell() {
    byId("cell-line").textContent = "Point at a cell to read about it";
    this.#list("cell-about", []);
    byId("outcomes").hidden = true;
  }
}

// The percents of a column whose head has the sign.
const percents = (odds) => percentText(odds).replace("\u00a0%", "");

// The cells that a text names, as in "(3,4)".
function cellsIn(text) {
  return [...text.matchAll(/\((\d+),(\d+)\)/g)].map(([, row, column]) => [+row, +column]);
}

// Whether there is a cell to open: the move is a mine only where all hidden cells are mines.
const isMoveLeft = (move) => move !== null && move.odds !== 1;

function moveWords(move) {
  if (!isMoveLeft(move)) return "Nothing is left to open";
  if (move.odds === 0) return "Open " + cellText(move.cell) + ": proven safe";
  return "Guess " + cellText(move.cell) + ": a mine with " + percentText(move.odds);
}

function totalsWords(answer, effort) {
  const parts = [];
  if (answer.approximate > 0) {
    parts.push("The odds of " + plural(answer.approximate, "cell is an estimate",
      "cells are estimates") + ": too many numbers depend on each other");
  }
  if (answer.layouts_ln !== null) parts.push(layoutsWords(answer.layouts_ln) + " possible");
  if (answer.move !== null && !isProven(answer.move.odds)) parts.push("effort: " + effort);
  return parts.length > 0 ? parts.join("; ") + "." : "";
}

function layoutsWords(logarithm) {
  if (logarithm < 34) {
    const count = Math.round(Math.exp(logarithm));
    return count.toLocaleString("en") + (count === 1 ? " layout is" : " layouts are");
  }
  const exponent = Math.floor(logarithm / Math.LN10);
  const leading = Math.exp(logarithm - exponent * Math.LN10).toFixed(1);
  return leading + " × 10^" + exponent + " layouts are";
}
