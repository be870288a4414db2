"use strict";
// The chance to win, told in steps while a position stands still.
//
// A step asks for as many more playouts as take STEP_TIME, by the time of the step before. So a
// newer request waits for one step at most, and what is asked about a position that is gone ends
// with the step. The figures depend on the number of playouts, and not on the steps.
//
// Invariant: what is told is about the position that was asked about last, with ever more playouts.
// Nothing is computed while the view or the whole page is not shown.

const STEP_TIME = 30;
// The figures on the page change no more often than that.
const TELL_TIME = 250;
const FEWEST_PLAYOUTS = 200;
const MOST_PLAYOUTS = 2000;
// Half the width of an interval at which no more playouts are made: 0.5 points, 0.005 mines.
const CLOSE_ENOUGH = 0.005;

class ChanceTeller {
  // `isShown()` says whether the view is shown. `tell(chance)` shows what the engine knows, and is
  // called with null where it cannot know the chance.
  constructor(engine, isShown, tell) {
    this.engine = engine;
    this.isShown = isShown;
    this.tell = tell;
    // The position that is asked about, and the run of steps that is going on.
    this.asked = null;
    this.run = null;
  }

  // Asks about a position: {field, objective, effort}, and the `most` cells if not the usual ones.
  ask(request) {
    this.asked = { request, told: 0, isDone: false };
    this.resume();
  }

  stop() {
    this.asked = null;
    this.pause();
  }

  pause() {
    this.run = null;
  }

  // Goes on once the view is shown again: from the beginning, because another view may have asked
  // the engine meanwhile. Nothing is told until there are more playouts than before.
  resume() {
    if (this.asked === null || this.asked.isDone || !this.isShown()) return;
    const run = { asked: this.asked };
    this.run = run;
    this.#go(run);
  }

  async #go(run) {
    try {
      await this.#steps(run);
    } catch (fault) {
      // The steps of a position that is still there were ended by another request.
      if (this.run === run && fault.isCancelled) this.resume();
    }
  }

  async #steps(run) {
    const { asked } = run;
    let [playouts, step, toldAt] = [0, 1, -Infinity];
    while (this.run === run) {
      if (document.hidden) {
        await nextChangeOfVisibility();
        continue;
      }
      const start = performance.now();
      const request = { do: "chance", ...asked.request, playouts };
      const answer = await this.engine.call(request, { slow: true, isShort: true });
      if (this.run !== run) return;
      const end = performance.now();
      const { chance, goes_on: goesOn } = answer;
      asked.isDone = !goesOn || playouts >= MOST_PLAYOUTS || isCloseEnough(chance);
      const isNews = chance && (chance.exact || chance.playouts > asked.told);
      if (isNews && (asked.isDone || end - toldAt >= TELL_TIME)) {
        asked.told = chance.playouts;
        toldAt = end;
        this.tell(chance);
      }
      if (asked.isDone && !chance) this.tell(null);
      if (asked.isDone) break;
      // The first request made no playout, and may have analysed the position.
      if (playouts > 0) {
        const fitting = Math.floor(step * STEP_TIME / Math.max(1, end - start));
        step = Math.min(Math.max(1, fitting), 2 * step);
      }
      playouts = Math.min(playouts + step, MOST_PLAYOUTS);
    }
    if (this.run === run) this.run = null;
  }
}

function isCloseEnough(chance) {
  if (!chance || chance.playouts < FEWEST_PLAYOUTS) return false;
  return chance.cells[0].within < CLOSE_ENOUGH;
}

const nextChangeOfVisibility = () => new Promise((resolve) => {
  document.addEventListener("visibilitychange", resolve, { once: true });
});

// ---- Words --------------------------------------------------------------------------------------

const chanceName = (objective) =>
  (objective === "clean-win" ? "Chance to win" : "Mines to come");

// A chance with its uncertainty, without the sign of percent. What is not exact is never told to be
// without uncertainty.
function chanceFigures({ chance, within }, { unit, exact }, decimals) {
  const factor = unit === "mines" ? 1 : 100;
  const value = (factor * chance).toFixed(decimals);
  if (exact) return value;
  const half = Math.max(factor * within, 10 ** -decimals);
  return value + "\u00a0±\u00a0" + half.toFixed(decimals);
}

// For the table and the headline: a tenth of a point, or a hundredth of a mine.
const fineFigures = (one, told) => chanceFigures(one, told, told.unit === "mines" ? 2 : 1);

const chanceSign = ({ unit }) => (unit === "mines" ? "" : "\u00a0%");

// What says how a chance is known.
function chanceSource({ exact, playouts }) {
  return exact ? "Over all layouts, with best play" :
    `By ${plural(playouts, "game", "games")} that Sapper plays on from here; the interval holds ` +
    "95 % of such figures";
}
