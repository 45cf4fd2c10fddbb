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
    const made = this.buffer.slice(0, this.length);
    this.length = 0;
    return made;
  }

  private grow(by: number): void {
    const larger = new Uint8Array(Math.max(2 * this.buffer.length, this.length + by));
    larger.set(this.view());
    this.buffer = larger;
  }
}
