"use strict";
// Unpacks LZMA: bytes in the format ".lzma", whose header states how many there are.
//
// A browser unpacks deflate by itself, but the page would be a quarter larger. LZMA codes one bit
// after another, each with the probability of its context, into a number between 0 and 1 of which
// `code` holds the next digits. A packet is a literal byte, or a repetition of `length` bytes that
// stand `distance` back; `state` says what the last packets were.
//
// Source: the LZMA specification by Igor Pavlov (LZMA SDK), which is in the public domain.

/** Probabilities are in 2048ths. */
const PROBABILITY_BITS = 11;
/** A probability moves by a 32nd of its distance from the bit that came. */
const ADAPTATION = 5;
const STATES = 12;
/** Below this state the last packet was a literal. */
const LITERAL_STATES = 7;
const MIN_LENGTH = 2;

class LzmaDecoder {
  constructor(packed) {
    this.packed = packed;
    const properties = packed[0];
    this.literalContext = properties % 9;
    this.literalPosition = Math.floor(properties / 9) % 5;
    this.positionMask = (1 << Math.floor(properties / 45)) - 1;
    // After one byte of properties and four of the dictionary's size stands the size of the output,
    // which is far below 4 GB here.
    const size = new DataView(packed.buffer, packed.byteOffset).getUint32(5, true);
    this.output = new Uint8Array(size);
    this.at = 14;
    this.range = 0xffffffff;
    this.code = 0;
    for (let byte = 0; byte < 4; byte++) this.code = ((this.code << 8) | packed[this.at++]) >>> 0;
    const contexts = (count) => new Uint16Array(count).fill(1 << (PROBABILITY_BITS - 1));
    const lengths = () => ({
      choice: contexts(2),
      low: contexts(16 << 3),
      middle: contexts(16 << 3),
      high: contexts(1 << 8),
    });
    this.literal = contexts(0x300 << (this.literalContext + this.literalPosition));
    this.isMatch = contexts(STATES << 4);
    this.isRepeat = contexts(STATES);
    this.isOlder = contexts(STATES);
    this.isLong = contexts(STATES << 4);
    this.isOlder1 = contexts(STATES);
    this.isOlder2 = contexts(STATES);
    this.distanceSlot = contexts(4 << 6);
    this.distanceBits = contexts(128);
    this.distanceAlign = contexts(1 << 4);
    this.matchLength = lengths();
    this.repeatLength = lengths();
  }

  bit(contexts, index) {
    const probability = contexts[index];
    const bound = (this.range >>> PROBABILITY_BITS) * probability;
    const bit = this.code < bound ? 0 : 1;
    if (bit === 0) {
      this.range = bound;
      contexts[index] += ((1 << PROBABILITY_BITS) - probability) >> ADAPTATION;
    } else {
      this.range -= bound;
      this.code -= bound;
      contexts[index] -= probability >> ADAPTATION;
    }
    this.normalize();
    return bit;
  }

  /** Bits of even odds, the highest first. */
  evenBits(count) {
    let value = 0;
    for (; count > 0; count--) {
      this.range >>>= 1;
      const bit = this.code >= this.range ? 1 : 0;
      if (bit === 1) this.code -= this.range;
      value = value * 2 + bit;
      this.normalize();
    }
    return value;
  }

  normalize() {
    if (this.range >= 2 ** 24) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.packed[this.at++]) >>> 0;
  }

  /** `count` bits, the highest first; each has a context of its own for the bits before it. */
  tree(contexts, offset, count) {
    let node = 1;
    for (let step = 0; step < count; step++) {
      node = (node << 1) | this.bit(contexts, offset + node);
    }
    return node - (1 << count);
  }

  /** As `tree`, the lowest bit first. */
  reverseTree(contexts, offset, count) {
    let node = 1;
    let value = 0;
    for (let step = 0; step < count; step++) {
      const bit = this.bit(contexts, offset + node);
      node = (node << 1) | bit;
      value |= bit << step;
    }
    return value;
  }

  length(contexts, position) {
    if (this.bit(contexts.choice, 0) === 0) {
      return MIN_LENGTH + this.tree(contexts.low, position << 3, 3);
    }
    if (this.bit(contexts.choice, 1) === 0) {
      return MIN_LENGTH + 8 + this.tree(contexts.middle, position << 3, 3);
    }
    return MIN_LENGTH + 16 + this.tree(contexts.high, 0, 8);
  }

  distance(length) {
    const slot = this.tree(this.distanceSlot, Math.min(length - MIN_LENGTH, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + this.reverseTree(this.distanceBits, base - slot, bits);
    const high = this.evenBits(bits - 4) * 16;
    return base + high + this.reverseTree(this.distanceAlign, 0, 4);
  }

  /** The next byte; after a repetition its context is the byte that would have come next in it. */
  literalByte(at, state, distance) {
    const before = at > 0 ? this.output[at - 1] : 0;
    const position = at & ((1 << this.literalPosition) - 1);
    const context = (position << this.literalContext) | (before >> (8 - this.literalContext));
    const offset = 0x300 * context;
    let node = 1;
    if (state >= LITERAL_STATES) {
      let expected = this.output[at - distance - 1];
      while (node < 0x100) {
        const guess = (expected >> 7) & 1;
        expected <<= 1;
        const bit = this.bit(this.literal, offset + ((1 + guess) << 8) + node);
        node = (node << 1) | bit;
        if (bit !== guess) break;
      }
    }
    while (node < 0x100) node = (node << 1) | this.bit(this.literal, offset + node);
    return node & 0xff;
  }

  /** Brings the distance of a repetition to the front; returns whether it is of one byte. */
  repetition(distances, state, context) {
    if (this.bit(this.isOlder, state) === 0) return this.bit(this.isLong, context) === 0;
    const isSecond = this.bit(this.isOlder1, state) === 0;
    const age = isSecond ? 1 : 2 + this.bit(this.isOlder2, state);
    distances.unshift(...distances.splice(age, 1));
    return false;
  }

  unpack() {
    const { output } = this;
    const distances = [0, 0, 0, 0];
    let state = 0;
    for (let at = 0; at < output.length; ) {
      const position = at & this.positionMask;
      const context = (state << 4) | position;
      if (this.bit(this.isMatch, context) === 0) {
        output[at] = this.literalByte(at, state, distances[0]);
        at += 1;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
        continue;
      }
      const isAfterLiteral = state < LITERAL_STATES;
      let length;
      if (this.bit(this.isRepeat, state) === 0) {
        length = this.length(this.matchLength, position);
        distances.unshift(this.distance(length));
        distances.pop();
        state = isAfterLiteral ? 7 : 10;
      } else {
        const isShort = this.repetition(distances, state, context);
        length = isShort ? 1 : this.length(this.repeatLength, position);
        state = !isAfterLiteral ? 11 : isShort ? 9 : 8;
      }
      for (; length > 0 && at < output.length; length--, at++) {
        output[at] = output[at - distances[0] - 1];
      }
    }
    return output;
  }
}
