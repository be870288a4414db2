"use strict";
// Steps through the frames of a game. Nothing is computed here: the script decodes the data and
// repaints the cells that change.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const frames = data.frames;
  const lastTurn = frames.length - 1;
  const cells = [...document.querySelectorAll("#cells > .cell")];

  // The state of a cell is a number: the odds of a hidden cell in hundredths of a percent, UNKNOWN
  // for a hidden cell without odds, or OPEN plus the style of an open cell.
  const OPEN = 20000;
  const UNKNOWN = 65535;
  const PROVEN_MINE = 10000;
  const states = decodeStates();

  let turn = -1;
  let playTimer = 0;
  let minesShown = false;
  let selectedCell = null;
  let zoom = 0;

  // ---- The data -------------------------------------------------------------------------------

  // The states of all cells in every frame. A hidden cell has the common odds of its frame, unless
  // it was set to its own and not unset since.
  function decodeStates() {
    const NO_ODDS = -1;
    const ownOdds = new Int32Array(cells.length).fill(NO_ODDS);
    const open = new Uint16Array(cells.length);
    return frames.map((frame) => {
      for (const [cell, style] of frame.open) open[cell] = OPEN + style;
      const odds = frame.odds;
      if (odds) {
        for (const cell of odds.unset) ownOdds[cell] = NO_ODDS;
        for (const value of Object.keys(odds.set)) {
          for (const cell of odds.set[value]) ownOdds[cell] = Number(value);
        }
      }
      return Uint16Array.from(ownOdds, (own, cell) => {
        if (open[cell]) return open[cell];
        if (!odds) return UNKNOWN;
        return own === NO_ODDS ? odds.common : own;
      });
    });
  }

  // The index of the style of a state. Odds that are not proven never look proven.
  function styleOf(state) {
    if (state === UNKNOWN) return data.styles.length - 1;
    if (state >= OPEN) return state - OPEN;
    if (state === 0) return 0;
    if (state === PROVEN_MINE) return 100;
    return Math.min(99, Math.max(1, Math.floor((state + 50) / 100)));
  }

  const rowOf = (cell) => Math.floor(cell / data.columns);
  const columnOf = (cell) => cell % data.columns;
  const cellText = (cell) => "(" + rowOf(cell) + "," + columnOf(cell) + ")";

  function stateText(state) {
    if (state === UNKNOWN) return "hidden, odds unknown";
    if (state >= OPEN) {
      const [, , , text] = data.styles[styleOf(state)];
      return text === "*" ? "an opened mine" : "open, shows " + (text || "0");
    }
    if (state === 0) return "hidden, proven safe";
    if (state === PROVEN_MINE) return "hidden, proven a mine";
    return "hidden, a mine with " + (state / 100).toFixed(2) + " %";
  }

  // ---- The board ------------------------------------------------------------------------------

  const mines = new Set(data.laid || []);
  const paintedStyles = new Array(cells.length).fill(-1);

  function paint(cell, style) {
    const [name, fill, ink, text] = data.styles[style];
    const group = cells[cell];
    const isMineShown = minesShown && mines.has(cell) && name.includes("hidden");
    group.setAttribute("class", isMineShown ? name + " mined" : name);
    const [rect, label] = [group.querySelector("rect"), group.querySelector("text")];
    rect.setAttribute("fill", fill);
    label.setAttribute("fill", ink);
    label.textContent = isMineShown ? "\u2022" + text : text;
    paintedStyles[cell] = style;
  }

  // The markup of a mark is part of the page and contains no text from the log.
  function addMarks(kind, marked) {
    for (const cell of marked) {
      const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
      holder.innerHTML = data.marks[kind];
      const group = holder.firstElementChild;
      const x = data.margin + columnOf(cell) * data.side;
      const y = data.margin + rowOf(cell) * data.side;
      group.setAttribute("class", kind);
      group.setAttribute("transform", "translate(" + x + " " + y + ")");
      $("marks").append(group);
    }
  }

  const board = $("board");
  const naturalWidth = board.viewBox.baseVal.width;

  function resizeBoard() {
    // The board fits the width of the page, but is at most 1.6 times its natural size. Zoom comes
    // on top.
    const fit = Math.min($("scroll").clientWidth, 1.6 * naturalWidth);
    board.style.width = Math.round(fit * Math.pow(1.3, zoom)) + "px";
  }

  function zoomBy(steps) {
    zoom += steps;
    resizeBoard();
  }

  function toggleMines() {
    if (!data.laid) return;
    minesShown = !minesShown;
    $("laid").setAttribute("aria-pressed", String(minesShown));
    paintedStyles.forEach((style, cell) => paint(cell, style));
  }

  function savePicture() {
    const copy = board.cloneNode(true);
    copy.removeAttribute("style");
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    const text = new XMLSerializer().serializeToString(copy);
    const link = document.createElement("a");
    link.href = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    link.download = "turn-" + turn + ".svg";
    link.click();
  }

  // ---- A turn ---------------------------------------------------------------------------------

  const isGuess = (frame) => ["guess", "endgame", "rough"].includes(frame.kind);
  const isHit = (frame) => frame.hit;
  const asList = (cell) => (cell === null ? [] : [cell]);

  function showTurn(wanted) {
    const shown = Math.min(lastTurn, Math.max(0, wanted));
    if (shown === turn) return;
    turn = shown;
    const frame = frames[turn];
    states[turn].forEach((state, cell) => {
      const style = styleOf(state);
      if (style !== paintedStyles[cell]) paint(cell, style);
    });
    $("marks").replaceChildren();
    addMarks("uses", frame.uses);
    addMarks("instead", asList(frame.instead));
    addMarks("move", asList(frame.move));
    showReasons(frame);
    showCandidates(frame);
    $("facts").textContent = "Mines opened: " + frame.hits + ", cells hidden: " + frame.hidden +
      ", score so far: " + frame.score.toFixed(2) + " (" + data.name + ")";
    $("turn").textContent = turn + " / " + lastTurn;
    $("slider").value = turn;
    $("slider").setAttribute("aria-valuetext", frame.caption);
    $("first").disabled = $("back").disabled = turn === 0;
    $("last").disabled = $("next").disabled = turn === lastTurn;
    if (turn === lastTurn) play(false);
    if (selectedCell !== null) select(selectedCell);
    history.replaceState(null, "", "#" + turn);
  }

  function showReasons(frame) {
    $("caption").textContent = frame.caption;
    $("picture-title").textContent = frame.caption;
    $("what").textContent = frame.caption;
    $("why").replaceChildren(...frame.why.map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }));
    $("note").textContent = frame.note === null ? "" : "The bot's note: " + frame.note;
  }

  function showCandidates(frame) {
    showTable($("candidates"), frame.candidates, frame);
    // Rows have five columns if a candidate has an opening bonus.
    $("zero").hidden = frame.candidates.every((candidate) => candidate.length < 5);
    showTable($("values"), frame.values, frame);
    $("value").textContent = data.value;
  }

  function showTable(table, cells, frame) {
    const rows = cells.map((texts) => {
      const row = document.createElement("tr");
      if (frame.move !== null && texts[0] === cellText(frame.move)) row.className = "chosen";
      for (const text of texts) row.insertCell().textContent = text;
      return row;
    });
    table.tBodies[0].replaceChildren(...rows);
    table.hidden = rows.length === 0;
  }

  function jump(step, isWanted) {
    for (let to = turn + step; to >= 0 && to <= lastTurn; to += step) {
      if (isWanted(frames[to])) return showTurn(to);
    }
  }

  function play(isOn) {
    clearInterval(playTimer);
    if (isOn && turn === lastTurn) showTurn(0);
    playTimer = isOn ? setInterval(() => showTurn(turn + 1), 600) : 0;
    $("play").setAttribute("aria-pressed", String(isOn));
    $("play").textContent = isOn ? "Stop" : "Play";
  }

  // ---- The selected cell ----------------------------------------------------------------------

  function select(cell) {
    selectedCell = cell;
    $("cell").textContent = cellText(cell) + ": " + stateText(states[turn][cell]);
  }

  // Selects the neighbour in a direction; the first time, the cell of the move.
  function moveSelection([rows, columns]) {
    if (selectedCell === null) return select(frames[turn].move || 0);
    const row = rowOf(selectedCell) + rows;
    const column = columnOf(selectedCell) + columns;
    if (row >= 0 && row < data.rows && column >= 0 && column < data.columns) {
      select(row * data.columns + column);
    }
  }

  // ---- Keys, buttons and the pointer ----------------------------------------------------------

  const keys = {
    ArrowLeft: () => showTurn(turn - 1),
    ArrowRight: () => showTurn(turn + 1),
    Home: () => showTurn(0),
    End: () => showTurn(lastTurn),
    PageUp: () => showTurn(turn - 10),
    PageDown: () => showTurn(turn + 10),
    g: () => jump(1, isGuess),
    G: () => jump(-1, isGuess),
    m: () => jump(1, isHit),
    M: () => jump(-1, isHit),
    "+": () => zoomBy(1),
    "-": () => zoomBy(-1),
    x: toggleMines,
    s: savePicture,
    " ": () => play(playTimer === 0),
  };
  const directions = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    if (event.shiftKey && directions[event.key]) {
      moveSelection(directions[event.key]);
      event.preventDefault();
    } else if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });

  const onClick = (id, action) => $(id).addEventListener("click", action);
  onClick("first", keys.Home);
  onClick("back", keys.ArrowLeft);
  onClick("next", keys.ArrowRight);
  onClick("last", keys.End);
  onClick("play", keys[" "]);
  onClick("guess", keys.g);
  onClick("mine", keys.m);
  onClick("smaller", keys["-"]);
  onClick("larger", keys["+"]);
  onClick("laid", keys.x);
  onClick("save", keys.s);
  $("laid").disabled = !data.laid;
  $("guess").disabled = !frames.some(isGuess);
  $("mine").disabled = !frames.some(isHit);
  $("slider").addEventListener("input", (event) => showTurn(Number(event.target.value)));
  const selectPointed = (event) => {
    const cell = cells.indexOf(event.target.closest(".cell"));
    if (cell >= 0) select(cell);
  };
  $("cells").addEventListener("pointerover", selectPointed);
  $("cells").addEventListener("pointerdown", selectPointed);
  // The marks lie over the cells and must not catch the pointer.
  $("marks").setAttribute("pointer-events", "none");
  window.addEventListener("resize", resizeBoard);
  const turnOfAddress = () => Number(location.hash.slice(1)) || 0;
  window.addEventListener("hashchange", () => showTurn(turnOfAddress()));

  // ---- The first view -------------------------------------------------------------------------

  $("slider").max = lastTurn;
  for (const [index, frame] of frames.entries()) {
    if (!isGuess(frame) && !isHit(frame)) continue;
    const tick = document.createElement("span");
    tick.style.left = (100 * index / Math.max(1, lastTurn)) + "%";
    if (isHit(frame)) tick.className = "hit";
    $("ticks").append(tick);
  }
  $("name").textContent = data.title;
  document.title = data.title + ": Minesweeper game";
  resizeBoard();
  showTurn(turnOfAddress());
})();
