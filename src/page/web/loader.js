// The only script that the file holds in the clear: unpacks the page's scripts and starts them.
//
// Scripts and engine are packed (deflated, in base64), so that the whole page stays small. The
// policy of the page allows the unpacked script by its checksum, as it does this one.
"use strict";

/** The text of an element that holds packed bytes, unpacked. */
async function unpack(id) {
  const packed = atob(document.getElementById(id).textContent.trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream);
}

unpack("scripts-packed").then(async (scripts) => {
  const element = document.createElement("script");
  element.textContent = await scripts.text();
  document.body.append(element);
});
