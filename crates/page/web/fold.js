"use strict";
// The settings of a view, which fold away behind a button where the window is narrow.
//
// Wide windows show them always: the style hides the button there.

class Fold {
  // The button is `name`-fold, and what it folds follows it.
  constructor(name, { isOpen = false } = {}) {
    this.button = byId(name + "-fold");
    this.isRunning = null;
    this.open(isOpen);
    this.button.addEventListener("click", () => this.open(!this.isOpen));
  }

  get isOpen() {
    return this.button.getAttribute("aria-expanded") === "true";
  }

  open(isOpen) {
    this.button.setAttribute("aria-expanded", String(isOpen));
  }

  // Says what is set. Once a game runs, its settings fold away, and come back before the next one.
  show(text, isRunning = null) {
    this.button.textContent = text;
    if (isRunning !== null && isRunning !== this.isRunning) this.open(!isRunning);
    this.isRunning = isRunning;
  }
}
