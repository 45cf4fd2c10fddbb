/** The bytes from one place up to another, and their hash. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly hash: number;
}

/** Numbers under stretches of bytes, so that no text is made of what is only looked up. */
export interface ByteMap {
  /** The number under what stands in a stretch of these bytes; -1 when there is none. */
  readonly get: (bytes: Uint8Array, stretch: Stretch) => number;
  /** Remembers a number from 0 under a stretch of the keys that has none yet. */
  readonly add: (value: number, key: Stretch) => void;
  /** Forgets all. The stretches that are added from now on are of these bytes, which must stay as they are. */
  readonly begin: (keys: Uint8Array) => void;
}

/** As many places as it may take to find a stretch, or one for it: then it is not remembered. */
const mostLooks = 8;

/** What a place holds: the hash of a key, where it begins and ends, and its number plus 1. */
const placeLength = 4;

/**
 * A map with so many places, a power of two. Where many stretches want the
 * same places, some are forgotten: that bounds its memory, and the time that a
 * hostile file can make it take.
 */
export function byteMap(places: number): ByteMap {
  const entries = new Int32Array(places * placeLength);
  let keys: Uint8Array = new Uint8Array(0);
  return { get, add, begin };

  function get(bytes: Uint8Array, stretch: Stretch): number {
    for (let look = 0; look < mostLooks; look++) {
      const entry = entryOf(stretch.hash, look);
      const value = entries[entry + 3] ?? 0;
      if (value === 0) return -1;
      if (entries[entry] === stretch.hash && isSame(entry, bytes, stretch)) return value - 1;
    }
    return -1;
  }

  function add(value: number, { from, to, hash }: Stretch): void {
    for (let look = 0; look < mostLooks; look++) {
      const entry = entryOf(hash, look);
      if (entries[entry + 3] !== 0) continue;
      entries[entry] = hash;
      entries[entry + 1] = from;
      entries[entry + 2] = to;
      entries[entry + 3] = value + 1;
      return;
    }
  }

  function entryOf(hash: number, look: number): number {
    return (((hash ^ (hash >>> 16)) + look) & (places - 1)) * placeLength;
  }

  function isSame(entry: number, bytes: Uint8Array, { from, to }: Stretch): boolean {
    let other = entries[entry + 1] ?? 0;
    if ((entries[entry + 2] ?? 0) - other !== to - from) return false;
    for (let at = from; at < to; at++, other++) if (bytes[at] !== keys[other]) return false;
    return true;
  }

  function begin(next: Uint8Array): void {
    keys = next;
    entries.fill(0);
  }
}
