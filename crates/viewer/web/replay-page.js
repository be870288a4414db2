"use strict";
// Hands the frames in the page's data to the viewer. The fragment of the address is the turn.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);

  // The frames as the viewer has them. In the data a frame has only what changes: the cells that
  // open, and the odds, in hundredths of a percent. A hidden cell has the common odds of its frame,
  // unless it was set to its own and not unset since.
  function decodeFrames() {
    const PROVEN_MINE = 10000;
    const shows = new Array(data.rows * data.columns).fill(".");
    const own = new Array(shows.length).fill(null);
    return data.frames.map((frame) => {
      const { opened, odds } = frame;
      for (const [cell, letter] of opened) shows[cell] = letter;
      for (const cell of odds ? odds.unset : []) own[cell] = null;
      for (const [value, cells] of Object.entries(odds ? odds.set : {})) {
        for (const cell of cells) own[cell] = Number(value);
      }
      const ofCell = (letter, cell) =>
        letter === "." ? [(own[cell] ?? odds.common) / PROVEN_MINE] : [];
      return { ...frame, shows: shows.join(""), odds: odds && shows.flatMap(ofCell) };
    });
  }

  const frames = decodeFrames();
  const source = { ...data, frame: (turn) => frames[turn] };
  const onTurn = (turn) => history.replaceState(null, "", "#" + turn);
  const viewer = new Viewer(byId("game"), source, { on: { turn: onTurn } });
  const turnOfAddress = () => Number(location.hash.slice(1)) || 0;
  document.addEventListener("keydown", (event) => viewer.key(event), true);
  window.addEventListener("hashchange", () => viewer.goTo(turnOfAddress()));
  byId("title").textContent = data.title;
  document.title = data.title + ": Minesweeper game";
  viewer.goTo(turnOfAddress());
})();
