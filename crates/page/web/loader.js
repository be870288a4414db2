"use strict";
// The first script: unpacks the page's style and scripts, and starts them.
//
// They and the engine are packed (LZMA, in base 85), so that the whole page stays small. The policy
// of the page allows what is unpacked by its checksum, as it does this script.

/** The page as it was opened, before its scripts change it. */
const PAGE_SOURCE = "<!DOCTYPE html>\n" + document.documentElement.outerHTML;

/** The bytes that are packed in the element `id`. */
function unpack(id) {
  const digits = document.getElementById(id).textContent;
  const bytes = new DataView(new ArrayBuffer((digits.length / 5) * 4));
  // The digits are the characters from "#" to "x" without "<".
  const value = (code) => code - (code > 60 ? 36 : 35);
  for (let word = 0; word < digits.length / 5; word++) {
    let sum = 0;
    for (let at = 5 * word; at < 5 * word + 5; at++) sum = sum * 85 + value(digits.charCodeAt(at));
    bytes.setUint32(4 * word, sum);
  }
  return new LzmaDecoder(new Uint8Array(bytes.buffer)).unpack();
}

for (const kind of ["style", "script"]) {
  const element = document.createElement(kind);
  element.textContent = new TextDecoder().decode(unpack(kind + "-packed"));
  document.body.append(element);
}
