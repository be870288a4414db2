// Prints the signature of play, as computed by a WebAssembly module, and compares it with the
// committed one.
//
//   node crates/wasm-signature/run.mjs MODULE EXPECTED
//
// Prints the table that `judge check signature` prints. Exit code: 0, 1 when it differs from
// EXPECTED, 2 for bad usage.
import { readFileSync } from "node:fs";

if (process.argv.length !== 4) {
  console.error("usage: node crates/wasm-signature/run.mjs MODULE EXPECTED");
  process.exit(2);
}
const [modulePath, expectedPath] = process.argv.slice(2);
const expected = readFileSync(expectedPath, "utf8");
// The module imports nothing: no clock, no random numbers.
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const signature = instance.exports;

const name = (part) => {
  const bytes = new Uint8Array(
    signature.memory.buffer,
    signature.name(part),
    signature.name_len(part),
  );
  return new TextDecoder().decode(bytes);
};
// An i32 is signed in JavaScript; `>>> 0` reads it as unsigned.
const row = (name, decisions, hash) => [
  name,
  String(decisions),
  (hash >>> 0).toString(16).padStart(8, "0"),
];

const rows = [["part", "decisions", "hash"]];
for (let part = 0; part < signature.parts(); part++) {
  rows.push(row(name(part), signature.decisions(part), signature.hash(part)));
}
rows.push(row("all", signature.decisions_of_all(), signature.hash_of_all()));

const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
const line = ([part, decisions, hash]) => {
  const cells = [part.padEnd(widths[0]), decisions.padStart(widths[1]), hash.padEnd(widths[2])];
  return `| ${cells.join(" | ")} |\n`;
};
// The heading of the numbers is aligned to the right too.
const [heading, ...body] = rows.map(line);
const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|\n`;
const table = heading + rule + body.join("");
process.stdout.write(table);
if (table !== expected) {
  const known = expected.split("\n");
  const differing = table.split("\n").filter((line) => !known.includes(line));
  console.error(`differs from ${expectedPath}:\n${differing.join("\n")}`);
  process.exit(1);
}
