"use strict";
// A board as an SVG picture, drawn as the page draws it.

const PICTURE_SIDE = 24;
const PICTURE_MARGIN = 26;
const MARK_STROKES = {
  uses: 'stroke="#0b57d0" stroke-width="2.5" stroke-dasharray="1 4" stroke-linecap="round"',
  tells: 'stroke="#0b57d0" stroke-width="2.5"',
  wrong: 'stroke="#b3261e" stroke-width="4"',
  instead: 'stroke="#c2185b" stroke-width="3" stroke-dasharray="5 3"',
  move: 'stroke="#c2185b" stroke-width="3"',
};

function boardSvg(field, marks, title) {
  const { rows, columns } = field;
  const [side, margin] = [PICTURE_SIDE, PICTURE_MARGIN];
  const at = (index) => margin + index * side;
  const parts = [];
  const text = (x, y, size, ink, content, weight = "normal") =>
    parts.push(`<text x="${x}" y="${y}" font-size="${size}" fill="${ink}" ` +
      `font-weight="${weight}">${escapeMarkup(content)}</text>`);
  for (let row = 0; row < rows; row++) text(margin / 2, at(row) + side / 2, 11, "#575757", row);
  for (let column = 0; column < columns; column++) {
    text(at(column) + side / 2, margin / 2, 11, "#575757", column);
  }
  for (let index = 0; index < rows * columns; index++) {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const shows = field.shows[index];
    const odds = shows === HIDDEN && field.odds !== null ? field.odds[index] ?? null : null;
    const { fill, ink } = pictureColors(shows, odds);
    parts.push(`<rect x="${at(column)}" y="${at(row)}" width="${side}" height="${side}" ` +
      `fill="${fill}" stroke="#8a8a8a"/>`);
    const content = odds === null ? (shows === HIDDEN ? "" : openText(shows)) : oddsText(odds);
    const isBold = shows !== HIDDEN || (odds !== null && isProven(odds));
    if (content !== "") {
      const weight = isBold ? "bold" : "normal";
      text(at(column) + side / 2, at(row) + side / 2, 12, ink, content, weight);
    }
    if (field.flags && field.flags[index] && shows === HIDDEN) {
      parts.push(`<path d="M${at(column) + 15} ${at(row) + 2}v8h-1v-3l-6-2.5z" fill="#b3261e" ` +
        'stroke="#ffffff" stroke-width="0.6"/>');
    }
  }
  for (const [kind, stroke] of Object.entries(MARK_STROKES)) {
    for (const [row, column] of marks.get(kind)) {
      parts.push(`<rect x="${at(column) + 2}" y="${at(row) + 2}" width="${side - 4}" ` +
        `height="${side - 4}" fill="none" ${stroke}/>`);
    }
  }
  const [width, height] = [margin + columns * side + 4, margin + rows * side + 4];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="sans-serif" text-anchor="middle" ` +
    `dominant-baseline="central">\n<title>${escapeMarkup(title)}</title>\n` +
    `<rect width="100%" height="100%" fill="#ffffff"/>\n${parts.join("\n")}\n</svg>\n`;
}

function pictureColors(shows, odds) {
  if (odds !== null) return oddsColors(odds);
  if (shows === HIDDEN) return { fill: "#c3c8d0", ink: "#1c1c1c" };
  if (shows === MINE) return { fill: "#b3261e", ink: "#ffffff" };
  return { fill: "#f4f2ee", ink: "#1c1c1c" };
}

function escapeMarkup(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return String(text).replace(/[&<>"]/g, (sign) => names[sign]);
}
