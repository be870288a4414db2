"use strict";
// Hands the frames in the page's data to the viewer. The fragment of the address is the turn.
//
// Invariant: memory grows with the root of the number of frames, and a frame is found in as many
// steps.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);

  const PROVEN_MINE = 10000;
  const HIDDEN_LETTER = ".".charCodeAt(0);
  const COMMON = -1;
  // The state of the cells is kept before every so many frames.
  const step = Math.ceil(Math.sqrt(data.frames.length));
  const kept = [];
  const size = data.rows * data.columns;
  let state = { next: 0, shows: new Uint8Array(size).fill(HIDDEN_LETTER),
    own: new Int16Array(size).fill(COMMON) };
  let last = { turn: -1, frame: null };

  // Applies the next frame. In the data a frame has only what changes: the cells that open, and the
  // odds, in hundredths of a percent. A hidden cell has the common odds of its frame, unless it was
  // set to its own and not unset since.
  function advance() {
    const { next, shows, own } = state;
    if (next % step === 0) {
      kept[next / step] ??= { next, shows: shows.slice(), own: own.slice() };
    }
    const { opened, odds } = data.frames[next];
    for (const [cell, letter] of opened) shows[cell] = letter.charCodeAt(0);
    for (const cell of odds ? odds.unset : []) own[cell] = COMMON;
    for (const [value, cells] of Object.entries(odds ? odds.set : {})) {
      for (const cell of cells) own[cell] = Number(value);
    }
    state.next = next + 1;
  }

  // A frame as the viewer has it.
  function frameOf(turn) {
    if (turn === last.turn) return last.frame;
    const near = kept[Math.floor(turn / step)];
    if (near && (state.next > turn || state.next < near.next)) {
      state = { next: near.next, shows: near.shows.slice(), own: near.own.slice() };
    }
    while (state.next <= turn) advance();
    const frame = data.frames[turn];
    const { shows, own } = state;
    const odds = frame.odds && [];
    if (odds) {
      shows.forEach((letter, cell) => {
        if (letter !== HIDDEN_LETTER) return;
        odds.push((own[cell] === COMMON ? frame.odds.common : own[cell]) / PROVEN_MINE);
      });
    }
    last = { turn, frame: { ...frame, shows: new TextDecoder().decode(shows), odds } };
    return last.frame;
  }

  const source = { ...data, frame: frameOf, told: (turn) => data.frames[turn] };
  const onTurn = (turn) => history.replaceState(null, "", "#" + turn);
  const viewer = new Viewer(byId("game"), source, { on: { turn: onTurn } });
  const turnOfAddress = () => Number(location.hash.slice(1)) || 0;
  document.addEventListener("keydown", (event) => viewer.key(event), true);
  window.addEventListener("hashchange", () => viewer.goTo(turnOfAddress()));
  byId("title").textContent = data.title;
  document.title = data.title + ": Minesweeper game";
  viewer.goTo(turnOfAddress());
})();
