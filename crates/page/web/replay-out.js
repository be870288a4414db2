"use strict";
// The ways out of Replay: a link to the turn, the page with the game inside, files of other
// programs.
//
// Invariant: the link is that of the game shown; a game that has none says why.

class ReplayOut {
  constructor(view) {
    this.view = view;
    this.app = view.app;
    this.forget();
    onClick("replay-link", () => this.copyLink());
    onClick("replay-page", () => this.savePage());
    for (const form of ["log", "rawvf", "mbf", "pttacg"]) {
      onClick("replay-" + form, () => this.#saveAs(form));
    }
  }

  forget() {
    // The packed text of the game; null while it is not known, and where the game has none.
    this.packed = null;
    this.fault = "its link is not known yet";
    this.leftOut = [];
  }

  // Packs the game that the view shows.
  async pack() {
    this.forget();
    const { request } = this.view;
    const isOutdated = () => request !== this.view.request;
    try {
      const { text, notes = [] } = await this.#write("link");
      const packed = await packedText(text);
      if (!isOutdated()) Object.assign(this, { packed, fault: null, leftOut: notes });
    } catch (fault) {
      if (!isOutdated()) this.fault = fault.message;
    }
    if (!isOutdated()) this.view.setAddress();
  }

  #write(form) {
    return this.app.ask({ do: "write", game: this.view.request.game, as: form });
  }

  // What follows # in the address: the game and its turn; empty where the link would be too long.
  get address() {
    if (this.packed === null || this.#link.length > LONGEST_LINK) return "";
    return this.#fragment;
  }

  get #fragment() {
    return addressOf({ replay: this.packed, turn: this.view.turn });
  }

  get #link() {
    return location.href.split("#")[0] + "#" + this.#fragment;
  }

  async copyLink() {
    const { packed, leftOut } = this;
    if (this.address !== "") {
      const isShort = leftOut.length === 0;
      return this.app.copy(this.#link, "The link to this turn" +
        (isShort ? "" : " (" + leftOut.join("; ") + ")"));
    }
    const why = packed === null ? this.fault
      : `it would have ${this.#link.length} letters, and programs that pass links on take ` +
        LONGEST_LINK;
    return this.app.offer(`The game has no link: ${why}. Save it as a page instead, and send that.`,
      "Save as a page", () => this.savePage());
  }

  // The page itself with the game inside, and with its log where it has one.
  async savePage() {
    const { turn, request: { game: text } } = this.view;
    const log = await this.#write("log").catch(() => null);
    const page = pageWithGame({ text, turn }, log && log.text);
    download("minesweeper-game.html", "text/html", page);
  }

  // Saves or copies the game, or its layout, for another program.
  async #saveAs(form) {
    try {
      const { text, notes = [] } = await this.#write(form);
      if (form === "pttacg") return await this.app.copy(text, "The layout");
      if (form === "mbf") {
        const bytes = text.match(/../g).map((digits) => parseInt(digits, 16));
        download("layout.mbf", "application/octet-stream", new Uint8Array(bytes));
      } else if (form === "log") download("game.json", "application/json", text);
      else download("game.rawvf", "text/plain", text);
      return notes.length > 0 ? this.app.tell(notes.join("; ")) : undefined;
    } catch (fault) {
      return this.app.fail("The game cannot be saved so: " + fault.message);
    }
  }
}
