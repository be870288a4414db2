"use strict";
// The files in a file that is packed by zip or gzip, unpacked by the browser.
//
// Of a zip file the list at its end counts. Formats: RFC 1952 (gzip), and PKWARE's APPNOTE (zip).
//
// Invariant: no more is unpacked than a file may have that is not packed.

const LARGEST_FILE = 32 * 2 ** 20;

const SIGNATURES = [
  [[0x1f, 0x8b], "gzip"],
  [[0x50, 0x4b, 0x03, 0x04], "zip"],
  // Without a file in it.
  [[0x50, 0x4b, 0x05, 0x06], "zip"],
];

// A fault whose message says what it is.
class UnpackError extends Error {}

// [{name, bytes}], at least one file; a file that is not packed is itself, and one of several that
// is damaged has a `fault` in place of its bytes. Throws an Error with one line where nothing can
// be unpacked.
async function unpackedFiles(name, bytes) {
  const begins = ([signature]) => signature.every((byte, at) => bytes[at] === byte);
  const [, format] = SIGNATURES.find(begins) ?? [];
  try {
    if (format === "gzip") return [{ name, bytes: await inflated(bytes, "gzip", LARGEST_FILE) }];
    if (format === "zip") return await zippedFiles(bytes);
  } catch (fault) {
    if (fault instanceof UnpackError) throw fault;
    throw new Error("it is packed, and cannot be unpacked");
  }
  return [{ name, bytes }];
}

// The unpacked bytes, if there is room for so many.
async function inflated(bytes, format, room) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > room) {
      reader.cancel().catch(() => {});
      throw new UnpackError("it is larger than 32 MB when it is unpacked");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function zippedFiles(bytes) {
  const files = [];
  let room = LARGEST_FILE;
  for (const { name, method, packed } of zipEntries(bytes)) {
    try {
      if (method !== 0 && method !== 8) throw new Error("another method");
      const file = method === 0 ? packed : await inflated(packed, "deflate-raw", room);
      room -= file.length;
      files.push({ name, bytes: file });
    } catch (fault) {
      if (fault instanceof UnpackError) throw fault;
      files.push({ name, fault: "it cannot be unpacked" });
    }
  }
  if (files.length === 0) throw new UnpackError("it is empty");
  if (files.every(({ fault }) => fault)) throw new Error("nothing can be unpacked");
  return files;
}

// The files of a zip file, {name, method, packed}, without those that the system packed beside
// them, as macOS does.
function zipEntries(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at) => view.getUint16(at, true);
  const u32 = (at) => view.getUint32(at, true);
  let end = bytes.length - 22;
  while (u32(end) !== 0x06054b50) end -= 1;
  const entries = [];
  let at = u32(end + 16);
  for (let left = u16(end + 10); left > 0; left -= 1) {
    if (u32(at) !== 0x02014b50) throw new Error("no entry");
    const [method, size, nameSize] = [u16(at + 10), u32(at + 20), u16(at + 28)];
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize));
    const local = u32(at + 42);
    const start = local + 30 + u16(local + 26) + u16(local + 28);
    const isOfSystem = name.split("/").some((part) => part[0] === "." || part === "__MACOSX");
    if (!name.endsWith("/") && !isOfSystem) {
      entries.push({ name, method, packed: bytes.subarray(start, start + size) });
    }
    at += 46 + nameSize + u16(at + 30) + u16(at + 32);
  }
  return entries;
}
