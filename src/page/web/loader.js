"use strict";
// The first script: unpacks the page's style and scripts, and starts them.
//
// They and the engine are packed (LZMA, in base64), so that the whole page stays small. The policy
// of the page allows what is unpacked by its checksum, as it does this script.

/** The bytes that are packed in the element `id`. */
function unpack(id) {
  const packed = atob(document.getElementById(id).textContent.trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  return new LzmaDecoder(bytes).unpack();
}

for (const kind of ["style", "script"]) {
  const element = document.createElement(kind);
  element.textContent = new TextDecoder().decode(unpack(kind + "-packed"));
  document.body.append(element);
}
