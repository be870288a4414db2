"use strict";
// A game as a part of a link: its shortest text, packed by zlib, in the letters of base 64 that an
// address may have as they are.
//
// The engine writes the text: the board and the clicks, or a person's recording. zlib has a
// checksum, so that a link that was cut off or changed is never read as another game.
//
// Invariant: what is unpacked is the text that was packed.

// The longest link, with the address of the page. A message on Discord has at most 2,000 letters,
// and many programs that pass links on still cut them near the 2,083 of Internet Explorer. So much
// holds about 600 clicks; a game on an expert's board has 140.
const LONGEST_LINK = 2000;

async function packedText(text) {
  const packing = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(packing).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Fails with a line where the text was not packed so, or was changed since.
async function unpackedText(packed) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await inflated(bytes, "deflate", LARGEST_FILE));
  } catch {
    throw new Error("it was cut off or changed");
  }
}
