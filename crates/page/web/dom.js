"use strict";
// Small helpers for the document.

const byId = (id) => document.getElementById(id);

// An element with properties, attributes (names with a dash, and `role`) and children.
function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (property.includes("-") || property === "role") made.setAttribute(property, value);
    else made[property] = value;
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function onClick(id, action) {
  byId(id).addEventListener("click", action);
}

// Runs `action` when Enter is pressed in one of these boxes.
function onEnter(ids, action) {
  for (const id of ids) {
    byId(id).addEventListener("keydown", (event) => runKey("boxes", event, { apply: action }));
  }
}

// Fills the body of a table, and returns its rows; a row is {texts, cells, isChosen}. `point` is
// called with the cells of the row that is pointed at, and with none when it is left.
function fillTable(table, rows, point) {
  const made = rows.map(({ texts, cells, isChosen }) => {
    const row = make("tr", {}, ...texts.map((text) => make("td", { textContent: text })));
    if (isChosen) row.className = "chosen";
    pointsAt(row, () => point(cells), () => point([]));
    return row;
  });
  table.tBodies[0].replaceChildren(...made);
  table.hidden = rows.length === 0;
  return made;
}

// Calls `begin` while the pointer or the focus is on an element, and `end` when it leaves.
function pointsAt(target, begin, end) {
  target.tabIndex = 0;
  for (const name of ["pointerenter", "focus"]) target.addEventListener(name, begin);
  for (const name of ["pointerleave", "blur"]) target.addEventListener(name, end);
}

function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Copies by the clipboard where the page may, or else through a selected text area.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { value: text, className: "unseen" });
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

// The whole number that a text holds, or null where it holds none from `least` to `most`.
function wholeNumber(text, least, most) {
  const value = Number(text.trim());
  return /^\d+$/.test(text.trim()) && value >= least && value <= most ? value : null;
}

const plural = (count, one, many) => count + " " + (count === 1 ? one : many);
