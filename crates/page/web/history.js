"use strict";
// A field that is edited, with undo and redo without limit.
//
// A step is what an edit changed: the cells as [index, shows before and after, flag before and
// after] and the number of mines before and after; or, where the size changed, both fields. Steps
// are plain JSON, so that they survive a reload, as far as there is room: `forgotten` counts the
// steps of `past` and of `future` that are saved no more.
//
// Invariant: undoing all of `past` gives the first field; redoing all of `future` the last one.

// The part of the saved steps that is forgotten at once: saving is slow where there is much.
const FORGOTTEN_SHARE = 1 / 16;

class EditedField {
  constructor(field) {
    this.field = field;
    this.past = [];
    this.future = [];
    this.forgotten = { past: 0, future: 0 };
    this.stroke = null;
  }

  // Replaces the field by what `change` makes of a copy of it; an edit that changes nothing is no
  // step. Returns whether something changed.
  edit(change) {
    const after = this.field.copy();
    return this.replace(change(after) ?? after);
  }

  replace(after) {
    const before = this.field;
    const step = stepBetween(before, after);
    if (!step) return false;
    this.field = after;
    if (this.stroke === null) this.#record(step);
    return true;
  }

  // The edits between `beginStroke` and `endStroke` are one step.
  beginStroke() {
    this.endStroke();
    this.stroke = this.field;
  }

  endStroke() {
    if (this.stroke === null) return;
    const step = stepBetween(this.stroke, this.field);
    this.stroke = null;
    if (step) this.#record(step);
  }

  #record(step) {
    this.past.push(step);
    this.future = [];
    this.forgotten.future = 0;
  }

  get canUndo() {
    return this.past.length > 0 || this.stroke !== null;
  }

  get canRedo() {
    return this.future.length > 0 && this.stroke === null;
  }

  undo() {
    this.endStroke();
    return this.#walk(this.past, this.future, 0);
  }

  redo() {
    this.endStroke();
    return this.#walk(this.future, this.past, 1);
  }

  // `side` is 0 for what was before the step and 1 for what was after it.
  #walk(from, to, side) {
    const step = from.pop();
    if (!step) return false;
    to.push(step);
    this.forgotten.past = Math.min(this.forgotten.past, this.past.length);
    this.forgotten.future = Math.min(this.forgotten.future, this.future.length);
    if (step.fields) {
      this.field = Field.load(step.fields[side]);
      return true;
    }
    const field = this.field.copy();
    field.mines = step.mines[side];
    for (const [index, ...values] of step.cells) {
      field.shows[index] = values[side];
      field.flags[index] = values[2 + side];
    }
    this.field = field;
    return true;
  }

  save() {
    const { past, future, forgotten } = this;
    return {
      field: this.field.save(),
      past: past.slice(forgotten.past),
      future: future.slice(forgotten.future),
    };
  }

  // Leaves the oldest steps out of what is saved, then the last ones of redo; returns whether there
  // were any.
  forgetOldest() {
    for (const kind of ["past", "future"]) {
      const saved = this[kind].length - this.forgotten[kind];
      if (saved === 0) continue;
      this.forgotten[kind] += Math.ceil(saved * FORGOTTEN_SHARE);
      return true;
    }
    return false;
  }

  // Throws where the value is none that `save` made.
  static load({ field, past, future }) {
    const edited = new EditedField(Field.load(field));
    edited.past = [...past];
    edited.future = [...future];
    return edited;
  }
}

function stepBetween(before, after) {
  if (before.rows !== after.rows || before.columns !== after.columns) {
    return { fields: [before.save(), after.save()] };
  }
  const cells = [];
  for (let i = 0; i < before.shows.length; i++) {
    if (before.shows[i] !== after.shows[i] || before.flags[i] !== after.flags[i]) {
      cells.push([i, before.shows[i], after.shows[i], before.flags[i], after.flags[i]]);
    }
  }
  if (cells.length === 0 && before.mines === after.mines) return null;
  return { cells, mines: [before.mines, after.mines] };
}
