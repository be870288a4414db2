"use strict";
// Steps through the frames. All that is known was computed before; this repaints what changed.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const frames = data.frames;
  const end = frames.length - 1;
  const cells = [...document.querySelectorAll("#cells > .cell")];
  const OPEN = 20000; // plus a look: an open cell; below it, odds in ten-thousandths
  const UNKNOWN = 65535;
  const states = decoded();
  let now = -1;
  let timer = 0;
  let mines = false;
  let looked = null;
  let zoom = 0;
  const painted = new Array(cells.length).fill(-1);

  // What every cell is in every frame.
  function decoded() {
    const given = new Int32Array(cells.length).fill(-1);
    const open = new Uint16Array(cells.length);
    return frames.map((frame) => {
      for (const [cell, look] of frame.open) open[cell] = OPEN + look;
      const odds = frame.odds;
      if (odds) {
        for (const cell of odds.back) given[cell] = -1;
        for (const parts of Object.keys(odds.set)) {
          for (const cell of odds.set[parts]) given[cell] = Number(parts);
        }
      }
      return Uint16Array.from(given, (parts, cell) => {
        if (open[cell]) return open[cell];
        if (!odds) return UNKNOWN;
        return parts < 0 ? odds.rest : parts;
      });
    });
  }

  function lookOf(state) {
    if (state === UNKNOWN) return data.looks.length - 1;
    if (state >= OPEN) return state - OPEN;
    if (state === 0) return 0;
    if (state === 10000) return 100;
    return Math.min(99, Math.max(1, Math.floor((state + 50) / 100)));
  }

  const laid = new Set(data.laid || []);
  function paint(cell, look) {
    const [name, fill, ink, text] = data.looks[look];
    const group = cells[cell];
    const shown = mines && laid.has(cell) && name.includes("hidden");
    group.setAttribute("class", shown ? name + " mined" : name);
    const [rect, label] = [group.querySelector("rect"), group.querySelector("text")];
    rect.setAttribute("fill", fill);
    label.setAttribute("fill", ink);
    label.textContent = shown ? "\u2022" + text : text;
    painted[cell] = look;
  }

  function place(cell) {
    return "(" + Math.floor(cell / data.columns) + "," + (cell % data.columns) + ")";
  }

  function corner(cell) {
    const x = data.margin + (cell % data.columns) * data.side;
    const y = data.margin + Math.floor(cell / data.columns) * data.side;
    return "translate(" + x + " " + y + ")";
  }

  // The marks' drawings are the page's own, with no word of the log in them.
  function mark(kind, marked) {
    for (const cell of marked) {
      const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
      holder.innerHTML = data.marks[kind];
      const group = holder.firstElementChild;
      group.setAttribute("class", kind);
      group.setAttribute("transform", corner(cell));
      $("marks").append(group);
    }
  }

  function paragraphs(parent, lines) {
    parent.replaceChildren(...lines.map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }));
  }

  function show(frame) {
    const to = Math.min(end, Math.max(0, frame));
    if (to === now) return;
    now = to;
    const at = frames[now];
    states[now].forEach((state, cell) => {
      const look = lookOf(state);
      if (look !== painted[cell]) paint(cell, look);
    });
    $("marks").replaceChildren();
    mark("uses", at.uses);
    mark("instead", at.instead === null ? [] : [at.instead]);
    mark("move", at.move === null ? [] : [at.move]);
    $("caption").textContent = at.caption;
    $("picture-title").textContent = at.caption;
    $("what").textContent = at.caption;
    paragraphs($("why"), at.why);
    const rows = at.candidates.map((candidate) => {
      const row = document.createElement("tr");
      if (at.move !== null && candidate[0] === place(at.move)) row.className = "chosen";
      for (const text of candidate) row.insertCell().textContent = text;
      return row;
    });
    $("candidates").tBodies[0].replaceChildren(...rows);
    $("candidates").hidden = rows.length === 0;
    // A row has a fifth cell where a zero counts.
    $("zero").hidden = at.candidates.every((candidate) => candidate.length < 5);
    $("note").textContent = at.note === null ? "" : "The bot's note: " + at.note;
    $("facts").textContent = "Mines opened: " + at.hits + ", cells hidden: " + at.hidden +
      ", score so far: " + at.score.toFixed(2) + " (" + data.name + ")";
    $("turn").textContent = now + " / " + end;
    $("slider").value = now;
    $("slider").setAttribute("aria-valuetext", at.caption);
    $("first").disabled = $("back").disabled = now === 0;
    $("last").disabled = $("next").disabled = now === end;
    if (now === end) play(false);
    if (looked !== null) tell(looked);
    history.replaceState(null, "", "#" + now);
  }

  function jump(from, step, wanted) {
    for (let to = from + step; to >= 0 && to <= end; to += step) {
      if (wanted(frames[to])) return show(to);
    }
  }
  const isGuess = (frame) => frame.kind === "guess" || frame.kind === "endgame" || frame.kind === "rough";
  const isHit = (frame) => frame.hit;

  function play(on) {
    clearInterval(timer);
    if (on && now === end) show(0);
    timer = on ? setInterval(() => show(now + 1), 600) : 0;
    $("play").setAttribute("aria-pressed", String(on));
    $("play").textContent = on ? "Stop" : "Play";
  }

  function tell(cell) {
    looked = cell;
    const state = states[now][cell];
    const [, , , text] = data.looks[lookOf(state)];
    let told = "";
    if (state === UNKNOWN) told = "hidden, odds unknown";
    else if (state >= OPEN) told = text === "*" ? "an opened mine" : "open, shows " + (text || "0");
    else if (state === 0) told = "hidden, proven safe";
    else if (state === 10000) told = "hidden, proven a mine";
    else told = "hidden, a mine with " + (state / 100).toFixed(2) + " %";
    $("cell").textContent = place(cell) + ": " + told;
  }

  function lookAt(rows, columns) {
    const from = looked === null ? frames[now].move || 0 : looked;
    const row = Math.floor(from / data.columns) + (looked === null ? 0 : rows);
    const column = (from % data.columns) + (looked === null ? 0 : columns);
    if (row >= 0 && row < data.rows && column >= 0 && column < data.columns) {
      tell(row * data.columns + column);
    }
  }

  const board = $("board");
  const natural = board.viewBox.baseVal.width;
  function size() {
    // Fit the page's width, but stay readable on a large screen and never grow beyond twice.
    const fit = Math.min($("scroll").clientWidth, 1.6 * natural);
    board.style.width = Math.round(fit * Math.pow(1.3, zoom)) + "px";
  }

  function showMines() {
    mines = !mines;
    $("laid").setAttribute("aria-pressed", String(mines));
    painted.forEach((look, cell) => paint(cell, look));
  }

  function picture() {
    const copy = board.cloneNode(true);
    copy.removeAttribute("style");
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  }

  function save() {
    const link = document.createElement("a");
    link.href = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(picture());
    link.download = "turn-" + now + ".svg";
    link.click();
  }

  const keys = {
    ArrowLeft: () => show(now - 1),
    ArrowRight: () => show(now + 1),
    Home: () => show(0),
    End: () => show(end),
    PageUp: () => show(now - 10),
    PageDown: () => show(now + 10),
    g: () => jump(now, 1, isGuess),
    G: () => jump(now, -1, isGuess),
    m: () => jump(now, 1, isHit),
    M: () => jump(now, -1, isHit),
    "+": () => { zoom += 1; size(); },
    "-": () => { zoom -= 1; size(); },
    x: () => { if (data.laid) showMines(); },
    s: save,
    " ": () => play(timer === 0),
  };
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    if (event.shiftKey && steps[event.key]) {
      lookAt(...steps[event.key]);
      event.preventDefault();
    } else if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });

  const on = (id, act) => $(id).addEventListener("click", act);
  on("first", keys.Home);
  on("back", keys.ArrowLeft);
  on("next", keys.ArrowRight);
  on("last", keys.End);
  on("play", keys[" "]);
  on("guess", keys.g);
  on("mine", keys.m);
  on("smaller", keys["-"]);
  on("larger", keys["+"]);
  on("laid", keys.x);
  on("save", save);
  $("laid").disabled = !data.laid;
  $("guess").disabled = !frames.some(isGuess);
  $("mine").disabled = !frames.some(isHit);
  $("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  const under = (event) => {
    const cell = cells.indexOf(event.target.closest(".cell"));
    if (cell >= 0) tell(cell);
  };
  $("cells").addEventListener("pointerover", under);
  $("cells").addEventListener("pointerdown", under);
  window.addEventListener("resize", size);
  window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));

  $("slider").max = end;
  for (const [turn, frame] of frames.entries()) {
    if (!isGuess(frame) && !isHit(frame)) continue;
    const tick = document.createElement("span");
    tick.style.left = (100 * turn / Math.max(1, end)) + "%";
    if (isHit(frame)) tick.className = "hit";
    $("ticks").append(tick);
  }
  $("name").textContent = data.title;
  document.title = data.title + ": Minesweeper game";
  // The marks lie over the cells and must not take the pointer from them.
  $("marks").setAttribute("pointer-events", "none");
  size();
  show(Number(location.hash.slice(1)) || 0);
})();
