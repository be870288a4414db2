"use strict";
// How a cell looks and what it is called: one table for the board, for pictures and for speech.
//
// A cell shows HIDDEN, a number from 0 to 8, MINE (a mine that was opened) or ILLEGIBLE (open, but
// its number cannot be read). Odds are exactly 0 or 1 only where proven; only those look proven:
// "ok" and a cross. Colour is never the only sign.

const HIDDEN = -1;
const MINE = 9;
const ILLEGIBLE = 10;

// Cividis (J. Nuñez, C. Anderton and R. Renslow, PLOS ONE 2018) at equal steps. It looks nearly the
// same with and without a colour vision deficiency; a lighter cell is a greater risk.
const CIVIDIS = [
  [0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115],
  [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56],
];

// The colours of a hidden cell with these odds. The square root stretches the lower end of the
// scale, which has the odds that a player compares.
function oddsColors(odds) {
  const at = Math.sqrt(Math.min(1, Math.max(0, odds))) * (CIVIDIS.length - 1);
  const step = Math.min(CIVIDIS.length - 2, Math.floor(at));
  const [from, to] = [CIVIDIS[step], CIVIDIS[step + 1]];
  const fill = from.map((part, i) => Math.round(part + (to[i] - part) * (at - step)));
  return { fill: hexColor(fill), ink: luminance(fill) > 0.179 ? "#000000" : "#ffffff" };
}

const hexColor = (parts) => "#" + parts.map((part) => part.toString(16).padStart(2, "0")).join("");

// The relative luminance of WCAG 2. At 0.179, black and white have the same contrast.
function luminance(color) {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Signs of the page's texts, and the words for them.
const SPOKEN = [
  [/\((\d+),(\d+)\)/g, "row $1, column $2"],
  [/\s?%/g, " percent"],
  [/<\s?/g, "less than "],
  [/>\s?/g, "more than "],
  [/×/g, " by "],
  [/ - A MINE/g, ", a mine"],
  [/ - /g, ", "],
];

const isProven = (odds) => odds === 0 || odds === 1;

// Percents for a cell, with a decimal where it has room: never 0 or 100 where nothing is proven.
function oddsText(odds, isFine = false) {
  if (odds === 0) return "ok";
  if (odds === 1) return "\u00d7";
  return chanceText(odds, isFine);
}

// The percents of any chance, likewise. Whole ones have no decimal.
function chanceText(chance, isFine = false) {
  if (isProven(chance)) return String(100 * chance);
  const percents = 100 * chance;
  const isWhole = Math.abs(percents - Math.round(percents)) < 1e-9;
  const [least, decimals] = isFine && !isWhole ? [0.1, 1] : [1, 0];
  return Math.min(100 - least, Math.max(least, percents)).toFixed(decimals);
}

// Percents for a sentence: "0 %" and "100 %" only where proven.
function percentText(odds) {
  if (isProven(odds)) return 100 * odds + "\u00a0%";
  const text = twoDecimals(100 * odds);
  if (text === "0.00") return "<\u00a00.01\u00a0%";
  return text === "100.00" ? ">\u00a099.99\u00a0%" : text + "\u00a0%";
}

// Rounds as the engine's sentences do: halves to the even digit. Only odd eighths are exact halves
// of a hundredth; `toFixed` rounds those up.
function twoDecimals(value) {
  if ((8 * value) % 2 !== 1) return value.toFixed(2);
  const hundredths = Math.floor(100 * value);
  return ((hundredths + (hundredths % 2)) / 100).toFixed(2);
}

// The name of what a cell shows, as in `data-shows`.
function showsName(shows) {
  if (shows === HIDDEN) return "hidden";
  if (shows === MINE) return "mine";
  return shows === ILLEGIBLE ? "illegible" : String(shows);
}

// The text in an open cell. A zero is blank.
function openText(shows) {
  if (shows === MINE) return "*";
  if (shows === ILLEGIBLE) return "x";
  return shows === 0 ? "" : String(shows);
}


// What is known of a cell, in words. `cell` is {shows, odds, isFlagged, isMined}.
function cellWords(cell, oddsWords = percentText) {
  const words = [];
  if (cell.shows === MINE) words.push("an opened mine");
  else if (cell.shows === ILLEGIBLE) words.push("open, illegible");
  else if (cell.shows !== HIDDEN) words.push("shows " + cell.shows);
  else {
    words.push("hidden");
    if (cell.odds === 0) words.push("ok: proven safe");
    else if (cell.odds === 1) words.push("proven a mine");
    else if (cell.odds !== null) words.push("a mine with " + oddsWords(cell.odds));
    if (cell.isFlagged) words.push("flagged");
    if (cell.isMined) words.push("a mine lies here");
  }
  return words.join(", ");
}

const cellText = ([row, column]) => "(" + row + "," + column + ")";

// A text for screen readers, which leave out most signs or spell them.
function spokenText(text) {
  return SPOKEN.reduce((spoken, [sign, words]) => spoken.replace(sign, words), text);
}
