"use strict";
// The settings of a view, which fold away behind a button where the window is narrow.
//
// Wide windows show them always: the style hides the button there. Nothing folds at a click on the
// board, which would move the board under the finger.

class Fold {
  // The button is `name`-fold, and what it folds follows it.
  constructor(name) {
    this.button = byId(name + "-fold");
    this.open(false);
    this.button.addEventListener("click", () => this.open(!this.isOpen));
  }

  get isOpen() {
    return this.button.getAttribute("aria-expanded") === "true";
  }

  open(isOpen) {
    this.button.setAttribute("aria-expanded", String(isOpen));
  }

  // Says what is set.
  show(text) {
    this.button.textContent = text;
  }
}
