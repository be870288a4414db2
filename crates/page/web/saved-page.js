"use strict";
// The page with a game inside: a file that opens from disk on that game.
//
// The game is JSON, {text, turn}, in an element that the page itself has empty. Beside
// it is the game's log, as replay pages of Botzone hold theirs, so that the judge and other
// readers of such pages find it. A game that has no log, as a person's recording, has none there.
//
// Invariant: neither text ends its element, whatever the game says.

const GAME_TAG = '<script type="application/json" id="saved-game">';
const LOG_TAG = '<script type="text/plain" id="saved-log">';
const SCRIPT_END = "</script>";

// The game in this page, or null.
function savedGame() {
  try {
    return JSON.parse(byId("saved-game").textContent);
  } catch {
    return null;
  }
}

// The page as a text, with a game and its log, or null, inside. `<` stands only in strings of JSON.
function pageWithGame(game, log) {
  const asContent = (json) => json.replaceAll("<", "\\u003c");
  const withGame = filled(PAGE_SOURCE, GAME_TAG, asContent(JSON.stringify(game)));
  return filled(withGame, LOG_TAG, log === null ? "" : "_rawLogJSON = " + asContent(log));
}

function filled(page, tag, content) {
  const start = page.indexOf(tag) + tag.length;
  return page.slice(0, start) + content + page.slice(page.indexOf(SCRIPT_END, start));
}

// Whether the page was loaded anew, and not opened.
const isReload = () => performance.getEntriesByType("navigation")[0]?.type === "reload";
