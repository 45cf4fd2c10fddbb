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
