"use strict";
// What the viewer tells beside the board: the move and its reasons, the tables of a guess, the
// account of the game with its mistakes, and the keys.
//
// Invariant: text from a game is written as text, never as markup.

function textElement(name, className, parent, text) {
  const made = element(name, className, parent);
  made.textContent = text;
  return made;
}

class ViewerPanel {
  // `goTo(turn)` shows a turn.
  constructor(parent, source, goTo) {
    this.source = source;
    this.goTo = goTo;
    this.root = element("section", "viewer-panel", parent);
    this.root.setAttribute("aria-label", "The move, its reasons and the account");
    this.root.tabIndex = 0;
    this.spoken = element("p", "unseen", this.root);
    this.spoken.setAttribute("role", "status");
    this.caption = element("h2", "viewer-caption", this.root);
    this.verdict = element("p", "viewer-verdict", this.root);
    this.chance = element("p", "viewer-chance", this.root);
    this.why = element("div", "viewer-why", this.root);
    this.facts = element("p", "viewer-facts", this.root);
    this.candidates = this.#addTable(
      "viewer-candidates", "Candidates, the lowest cost of a two-ply look-ahead first",
      ["cell", "mine, %", "next move, %", "second-best, %", "opening bonus, %",
        source.unit === "mines" ? "cost, mines" : "cost, %"],
    );
    this.values = this.#addTable(
      "viewer-values", "Cells of the endgame, each with best play after it",
      ["cell", "mine, %", source.value === "wins" ? "wins, %" : source.value],
    );
    this.note = element("p", "viewer-note", this.root);
    const how = "Point at a cell, or tap it, to read its odds.";
    this.cell = textElement("p", "viewer-cell", this.root, how);
    this.account = element("section", "viewer-account", this.root);
    this.account.setAttribute("aria-label", "Account");
    textElement("h3", "", this.account, "Account of the game");
    textElement("p", "", this.account, capitalized(source.title) + ".");
    this.sums = element("div", "", this.account);
    this.listHead = element("p", "viewer-facts", this.account);
    this.list = element("ol", "viewer-mistakes", this.account);
    this.#addHelp();
  }

  #addTable(className, caption, heads) {
    const table = element("table", className, this.root);
    table.createCaption().textContent = caption;
    const row = table.createTHead().insertRow();
    for (const head of heads) textElement("th", "", row, head).scope = "col";
    table.createTBody();
    return table;
  }

  #addHelp() {
    const help = element("details", "viewer-help", this.root);
    textElement("summary", "", help, "Keys and signs");
    const keys = element("table", "", help).createTBody();
    for (const action of ACTIONS) {
      const row = keys.insertRow();
      textElement("kbd", "", row.insertCell(), keyNameOf(action));
      row.insertCell().textContent = action.label;
    }
    textElement("p", "", help,
      "A raised cell is hidden; a brighter one is a mine with higher odds. ok: proven safe. " +
      "\u00d7: proven a mine. *: an opened mine. An open cell without a number has no mine " +
      "beside it. A flag is the player's mark. A solid frame marks the move, or the cells that a " +
      "chord opens, a dashed one the better cell or the one that Sapper opens instead, dotted " +
      "ones the numbers of the proof. Cells are (row,column), counted from 0.");
    textElement("p", "", help,
      "Below the slider a thin line is a guess, a bar an opened mine, a triangle a mistake: a " +
      "proven mine was opened, a cell was risked while another was safe, or a guess was worse " +
      "than the best. The curve below is the chance to win, or the mines of the whole game that " +
      "are to be expected. A thick line is what a click lost against Sapper's move.");
  }

  // Tells a frame; `frame` is null while it is analyzed.
  show(frame, turn) {
    this.caption.textContent = frame ? frame.caption : "Turn " + turn + " is being analyzed.";
    const { judgement = null, why = [], candidates = [], values = [] } = frame ?? {};
    const isMistake = judgement !== null && judgement.mistake;
    this.verdict.hidden = !isMistake;
    this.verdict.textContent = isMistake
      ? capitalized(judgement.name) + ": costs " + judgement.cost_text + "." : "";
    const chance = frame?.chance?.text ?? "";
    this.chance.textContent = chance;
    this.chance.hidden = chance === "";
    this.why.replaceChildren(...why.map((line) => textElement("p", "", null, line)));
    const said = [this.caption.textContent + ".", this.verdict.textContent, chance, ...why];
    this.#sayOnce(said.join(" "));
    this.facts.textContent = frame
      ? "Mines opened: " + frame.hits + ", cells hidden: " + frame.hidden +
        (this.source.scored ? ", score so far: " + frame.score.toFixed(2) : "") +
        (this.source.name === "" ? "" : " (" + this.source.name + ")")
      : "";
    const move = frame && frame.move ? cellText(frame.move) : "";
    // Rows have six columns if a candidate has an opening bonus.
    this.candidates.tHead.rows[0].cells[4].hidden = candidates.every((row) => row.length < 6);
    fillRows(this.candidates, candidates, move);
    fillRows(this.values, values, move);
    this.note.textContent = frame && frame.note !== null ? "The bot's note: " + frame.note : "";
    for (const button of this.list.querySelectorAll("button")) {
      const isCurrent = Number(button.dataset.turn) === turn;
      if (isCurrent) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
  }

  // Tells the account and lists the mistakes, [{turn, judgement}], which are in the order of the
  // game until all is known: what is pressed must not move away.
  tellAccount(account, mistakes, isComplete) {
    const sentences = account ? account.sentences : [];
    const what = this.source.unit === "mines" ? "mines to come" : "chances to win";
    const estimated = `Estimated, until the ${what} are known:`;
    const sums = account && !isComplete ? [estimated, ...sentences] : sentences;
    this.sums.replaceChildren(...sums.map((line) => textElement("p", "", null, line)));
    this.listHead.textContent = mistakes.length === 0
      ? isComplete ? "No mistakes." : "No mistakes so far; turns are still being analyzed."
      : isComplete ? "Mistakes, the costliest first:"
        : "Mistakes so far, in the order of the game; turns are still being analyzed:";
    const listed = !isComplete ? mistakes : [...mistakes].sort(
      (a, b) => b.judgement.cost - a.judgement.cost || a.turn - b.turn,
    );
    this.list.replaceChildren(...listed.map(({ turn, judgement }) => {
      const item = element("li", "");
      const text = "Turn " + turn + ": " + judgement.name + ", " + judgement.cost_text;
      const button = textElement("button", "", item, text);
      button.type = "button";
      button.dataset.turn = turn;
      button.addEventListener("click", () => this.goTo(turn));
      return item;
    }));
  }

  tellCell(text) {
    this.cell.textContent = text;
  }

  // A turn is spoken when it is shown, and not again when other turns have come.
  #sayOnce(text) {
    if (this.said === text) return;
    this.said = text;
    this.say(text);
  }

  // Speaks to screen readers.
  say(text) {
    this.spoken.textContent = spokenText(text);
  }
}

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function fillRows(table, rows, move) {
  table.tBodies[0].replaceChildren(...rows.map((texts) => {
    const row = element("tr", texts[0] === move ? "chosen" : "");
    for (const text of texts) row.insertCell().textContent = text.replace(/\s?(%|mines)$/, "");
    return row;
  }));
  table.hidden = rows.length === 0;
}
