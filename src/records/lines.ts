import { maxRawLength } from './record.ts';
import { concat } from './utf8.ts';

/** One line of a text in UTF-8, without its line feed. */
export interface Line {
  readonly text: string;
  /** Bytes before it, from the beginning of the text. */
  readonly offset: number;
  /** Its bytes. */
  readonly length: number;
  /** The line is longer than the limit, and `text` is only its beginning. */
  readonly isCut: boolean;
}

/** Cuts bytes into lines as they arrive. */
export interface LineCutter {
  /** The lines that these bytes complete. */
  readonly push: (chunk: Uint8Array) => Line[];
  /** The last line, when no line feed ends it. */
  readonly end: () => Line[];
}

const lineFeed = 10;

/**
 * A cutter of lines. It holds no more than the line under way, and of a line
 * longer than `maxLength` bytes no more than that.
 */
export function lineCutter(maxLength: number): LineCutter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The line under way; when it is too long, its beginning, and `dropped` counts what came after. */
  let carry: Uint8Array = new Uint8Array(0);
  let dropped = 0;
  let offset = 0;

  return { push, end };

  function push(chunk: Uint8Array): Line[] {
    const last = chunk.lastIndexOf(lineFeed);
    if (last < 0) {
      hold(chunk);
      return [];
    }
    const lines: Line[] = [];
    let from = 0;
    if (0 < dropped) {
      from = chunk.indexOf(lineFeed) + 1;
      lines.push(cutLine(from - 1));
    }
    if (from <= last) cutInto(lines, concat(carry, chunk.subarray(from, last)));
    carry = new Uint8Array(0);
    hold(chunk.subarray(last + 1));
    return lines;
  }

  function end(): Line[] {
    if (0 < dropped) return [cutLine(0)];
    const lines: Line[] = [];
    if (0 < carry.length) cutInto(lines, carry);
    carry = new Uint8Array(0);
    return lines;
  }

  function hold(bytes: Uint8Array): void {
    if (dropped === 0 && carry.length + bytes.length <= maxLength) {
      carry = concat(carry, bytes);
      return;
    }
    if (dropped === 0) {
      dropped = carry.length;
      // A unit comes of three bytes at most, so this much surely holds what is kept.
      carry = concat(carry, bytes).slice(0, Math.min(maxLength, maxRawLength * 3));
      dropped -= carry.length;
    }
    dropped += bytes.length;
  }

  /** The line that was too long to hold, once its last bytes are known. */
  function cutLine(more: number): Line {
    const length = carry.length + dropped + more;
    const text = decoder.decode(carry).slice(0, maxRawLength);
    carry = new Uint8Array(0);
    dropped = 0;
    offset += length + 1;
    return { text, offset: offset - length - 1, length, isCut: true };
  }

  /** The lines of a region that ends where a line ends. */
  function cutInto(lines: Line[], region: Uint8Array): void {
    const text = decoder.decode(region);
    // A byte gives at most one UTF-16 unit: where the lengths are equal, offsets are equal too.
    if (text.length === region.length) cutText(lines, text);
    else cutBytes(lines, region);
    offset += region.length + 1;
  }

  function cutText(lines: Line[], text: string): void {
    for (let from = 0, to = 0; from <= text.length; from = to + 1) {
      const next = text.indexOf('\n', from);
      to = next < 0 ? text.length : next;
      lines.push(toLine(text.slice(from, to), from, to - from));
    }
  }

  function cutBytes(lines: Line[], region: Uint8Array): void {
    for (let from = 0, to = 0; from <= region.length; from = to + 1) {
      const next = region.indexOf(lineFeed, from);
      to = next < 0 ? region.length : next;
      lines.push(toLine(decoder.decode(region.subarray(from, to)), from, to - from));
    }
  }

  function toLine(text: string, from: number, length: number): Line {
    return { text, offset: offset + from, length, isCut: maxLength < length };
  }
}
