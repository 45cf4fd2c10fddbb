/** Reads varints (7 bits in each byte, the lowest first) and raw bytes. Reading past the end throws a `RangeError`. */
export class ByteReader {
  at = 0;
  readonly source: Uint8Array;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.source.length <= this.at;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.source[this.at++];
      if (byte === undefined) throw new RangeError('The bytes end within a number');
      if (byte < 0x80) return value + byte * factor;
      value += (byte - 0x80) * factor;
    }
  }

  /** Reads four bytes, the lowest first. */
  uint32(): number {
    const [first = 0, second = 0, third = 0, fourth] = this.bytes(4);
    return (first | (second << 8) | (third << 16)) + (fourth ?? 0) * 2 ** 24;
  }

  /** Returns a view of some varints. */
  varints(count: number): Uint8Array {
    const from = this.at;
    for (let left = count; 0 < left; left--) this.varint();
    return this.source.subarray(from, this.at);
  }

  /** Returns a varint that counts what follows, at least a byte each. */
  count(): number {
    const found = this.varint();
    if (this.source.length - this.at < found) throw new RangeError('The bytes end within a list');
    return found;
  }

  /** Returns a view of the next bytes. */
  bytes(length: number): Uint8Array {
    const end = this.at + length;
    if (this.source.length < end) throw new RangeError('The bytes end within a text');
    const found = this.source.subarray(this.at, end);
    this.at = end;
    return found;
  }
}

/** Grows a buffer of bytes: varints (7 bits in each byte, the lowest first) and raw bytes. */
export class ByteWriter {
  length = 0;
  private buffer = new Uint8Array(256);

  /** Appends an integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    if (this.buffer.length < this.length + 8) this.grow(8);
    let rest = value;
    while (rest > 0x7f) {
      this.buffer[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.buffer[this.length++] = rest;
  }

  bytes(added: Uint8Array): void {
    if (this.buffer.length < this.length + added.length) this.grow(added.length);
    this.buffer.set(added, this.length);
    this.length += added.length;
  }

  /** Returns the bytes so far: a view that the next change invalidates. */
  view(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  /** Returns a copy of the bytes so far, and starts anew. */
  take(): Uint8Array {
    const bytes = this.buffer.slice(0, this.length);
    this.length = 0;
    return bytes;
  }

  private grow(by: number): void {
    const larger = new Uint8Array(Math.max(2 * this.buffer.length, this.length + by));
    larger.set(this.view());
    this.buffer = larger;
  }
}
