"use strict";
// What survives a reload: values by name in the browser's storage, and the address of the page.
//
// Storage may be absent, full or forbidden (also on file://); the page then works without it.
// Writes are collected, and flushed when the page is left.

const STORE_PREFIX = "sapper.";
const WRITE_DELAY = 250;
// The characters that a value which can shrink leaves to the others.
const ROOM = 300000;
// Longer addresses are cut off by programs that pass links on.
const LONGEST_ADDRESS = 60000;

class Store {
  constructor() {
    this.waiting = new Map();
    this.address = null;
    this.shownAddress = location.hash.slice(1);
    this.timer = 0;
    addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
  }

  get(name, fallback) {
    try {
      const text = localStorage.getItem(STORE_PREFIX + name);
      return text === null ? fallback : JSON.parse(text) ?? fallback;
    } catch {
      return fallback;
    }
  }

  // What `read` makes of a value; null where there is none, or one that it cannot read: another
  // version of the page may have written it.
  load(name, read) {
    try {
      const value = this.get(name, null);
      return value && read(value);
    } catch {
      return null;
    }
  }

  // `value` is a function that is called when it is written. `shrink` makes the value smaller, and
  // returns whether it could.
  set(name, value, shrink = null) {
    this.waiting.set(name, { value, shrink });
    this.#schedule();
  }

  // Writes a value that may be large at once, or removes it where it leaves too little room to the
  // others; returns whether it is kept.
  keep(name, value) {
    const isKept = this.isAvailable && this.#writeAndLeaveRoom(name, value);
    if (!isKept) this.#write(name, null);
    return isKept;
  }

  // Replaces the part of the address after the `#`.
  setAddress(hash) {
    this.address = hash;
    this.#schedule();
  }

  // Makes an entry in the history of the tab for a view, so that Back leads to the one before.
  enter(view) {
    this.flush();
    try {
      history.pushState({ view }, "");
    } catch {
      // A browser that limits how many entries are made has none for this view.
    }
  }

  // Notes in the entry of the history that is shown which view it has.
  stay(view) {
    try {
      history.replaceState({ view }, "");
    } catch {
      // Likewise: Back then leads here by the address alone.
    }
  }

  // The view of the entry that is shown; null where a link has led to it.
  get entered() {
    return history.state?.view ?? null;
  }

  #schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), WRITE_DELAY);
  }

  flush() {
    clearTimeout(this.timer);
    this.#writeAddress();
    for (const [name, { value, shrink }] of this.waiting) {
      if (shrink === null || !this.isAvailable) this.#write(name, value());
      else while (!this.#writeAndLeaveRoom(name, value()) && shrink());
    }
    this.waiting.clear();
  }

  // Whether the browser gives the page any storage.
  get isAvailable() {
    return this.#write("room", "");
  }

  // Without room left, the value is written nevertheless if it can.
  #writeAndLeaveRoom(name, value) {
    const isWritten = this.#write(name, value) && this.#write("room", "x".repeat(ROOM));
    this.#write("room", "");
    return isWritten;
  }

  // Whether there is storage with room for a value.
  #write(name, value) {
    try {
      localStorage.setItem(STORE_PREFIX + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  #writeAddress() {
    if (this.address === null) return;
    const hash = this.address.length > LONGEST_ADDRESS ? "" : this.address;
    const addresses = { last: hash, before: this.shownAddress, tab: tabName() };
    this.waiting.set("addresses", { value: () => addresses, shrink: null });
    this.shownAddress = hash;
    this.address = null;
    try {
      history.replaceState(history.state, "", hash === "" ? location.pathname : "#" + hash);
    } catch {
      // A browser that limits how often the address may change keeps the old one.
    }
  }

  // Whether the address is that of what is in the storage: the last one or, where this tab was left
  // before the address was written and is loaded again, the one before. A link is never the latter.
  get isOwnAddress() {
    const { last, before, tab } = this.get("addresses", {});
    const hash = location.hash.slice(1);
    return hash === last || (hash === before && tab === tabName() && isLoadedAgain());
  }
}

// A name that this tab keeps while it is open; null where the browser keeps none.
function tabName() {
  try {
    const name = sessionStorage.getItem(STORE_PREFIX + "tab") ?? String(randomSeed());
    sessionStorage.setItem(STORE_PREFIX + "tab", name);
    return name;
  } catch {
    return null;
  }
}

function isLoadedAgain() {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation !== undefined && navigation.type !== "navigate";
}

// The parts of the address, such as {field, objective, effort}, or of another one.
const addressParts = (hash = location.hash) =>
  Object.fromEntries(new URLSearchParams(hash.slice(1)));

function addressOf(parts) {
  const given = Object.entries(parts).filter(([, value]) => value !== null && value !== "");
  return given.map(([name, value]) => name + "=" + encodeURIComponent(value)).join("&");
}
