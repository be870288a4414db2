"use strict";
// The files in a file that is packed by zip or gzip, unpacked by the browser.
//
// Of a zip file the list at its end counts. Formats: RFC 1952 (gzip), and PKWARE's APPNOTE (zip).

const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b, 0x03, 0x04];

// [{name, bytes}], at least one file; a file that is not packed is itself. Throws an Error with one
// line where a packed file is damaged.
async function unpackedFiles(name, bytes) {
  const begins = (signature) => signature.every((byte, at) => bytes[at] === byte);
  try {
    if (begins(GZIP)) return [{ name, bytes: await inflated(bytes, "gzip") }];
    if (begins(ZIP)) return await zippedFiles(bytes);
  } catch {
    throw new Error("it is packed, and cannot be unpacked");
  }
  return [{ name, bytes }];
}

async function inflated(bytes, format) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function zippedFiles(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at) => view.getUint16(at, true);
  const u32 = (at) => view.getUint32(at, true);
  let end = bytes.length - 22;
  while (u32(end) !== 0x06054b50) end -= 1;
  const files = [];
  let at = u32(end + 16);
  for (let left = u16(end + 10); left > 0; left -= 1) {
    if (u32(at) !== 0x02014b50) throw new Error("no entry");
    const [method, size, nameSize] = [u16(at + 10), u32(at + 20), u16(at + 28)];
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize));
    const local = u32(at + 42);
    const start = local + 30 + u16(local + 26) + u16(local + 28);
    const packed = bytes.subarray(start, start + size);
    if (!name.endsWith("/")) {
      if (method !== 0 && method !== 8) throw new Error("another method");
      files.push({ name, bytes: method === 0 ? packed : await inflated(packed, "deflate-raw") });
    }
    at += 46 + nameSize + u16(at + 30) + u16(at + 32);
  }
  if (files.length === 0) throw new Error("no file");
  return files;
}
