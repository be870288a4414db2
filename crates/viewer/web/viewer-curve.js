"use strict";
// The curve of a game: the chance to win, or the mines to be expected, over the turns.
//
// A thick line falls where a click was worse than the engine's move; a thin line leads from there
// to the next chance that was told: what the numbers and the luck made of it.
//
// Invariant: a turn has the place that it has on the slider above.

const CURVE_HEIGHT = 100;
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

class ViewerCurve {
  // `goTo(turn)` shows a turn.
  constructor(parent, goTo) {
    this.root = element("div", "viewer-curve", parent);
    this.root.hidden = true;
    this.root.setAttribute("aria-hidden", "true");
    this.top = element("span", "viewer-curve-top", this.root);
    this.svg = document.createElementNS(SVG_NAMESPACE, "svg");
    this.svg.setAttribute("preserveAspectRatio", "none");
    this.root.append(this.svg);
    this.svg.addEventListener("click", (event) => {
      const { left, width } = this.svg.getBoundingClientRect();
      goTo(Math.round(((event.clientX - left) / width) * this.lastTurn));
    });
  }

  // Draws the chances of the turns, null where none is told, and undefined where it is still to
  // come: the curve keeps its place until then, and has a gap there. `areMines` says that they are
  // mines.
  draw(chances, areMines) {
    this.lastTurn = Math.max(1, chances.length - 1);
    const isTold = (chance) => chance !== null && chance !== undefined;
    const told = chances.flatMap((chance, turn) => (isTold(chance) ? [{ turn, ...chance }] : []));
    // Once it has its place it keeps it.
    this.root.hidden &&= told.length < 2 && !chances.includes(undefined);
    this.root.style.visibility = told.length < 2 ? "hidden" : "";
    if (this.root.hidden) return;
    const isAfterGap = (index) => index === 0 ||
      chances.slice(told[index - 1].turn, told[index].turn).includes(undefined);
    const values = told.flatMap(({ move, click = move }) => [move, click]);
    const most = areMines ? Math.max(1, Math.ceil(Math.max(...values))) : 1;
    this.top.textContent = areMines ? most + (most === 1 ? " mine" : " mines") : "100 %";
    const at = (turn, value) => turn + " " + CURVE_HEIGHT * (1 - value / most);
    const course = told.map(({ turn, move, click = move }, index) =>
      (isAfterGap(index) ? "M" : "L") + at(turn, move) + "L" + at(turn, click));
    const drops = told.filter(({ click }) => click !== undefined)
      .map(({ turn, move, click }) => "M" + at(turn, move) + "L" + at(turn, click));
    this.svg.setAttribute("viewBox", "0 0 " + this.lastTurn + " " + CURVE_HEIGHT);
    this.now = this.#path("now", "");
    this.svg.replaceChildren(
      this.#path("floor", "M" + at(0, 0) + "L" + at(this.lastTurn, 0)),
      this.#path("course", course.join("")), this.#path("drop", drops.join("")), this.now,
    );
  }

  // Marks a turn.
  mark(turn) {
    if (this.root.hidden) return;
    this.now.setAttribute("d", "M" + turn + " 0V" + CURVE_HEIGHT);
  }

  #path(className, steps) {
    const path = document.createElementNS(SVG_NAMESPACE, "path");
    path.setAttribute("class", className);
    path.setAttribute("d", steps);
    return path;
  }
}
