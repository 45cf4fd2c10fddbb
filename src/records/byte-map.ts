/** A map whose keys are stretches of bytes, so that no text is made of what is only looked up. */
export interface ByteMap<Value> {
  readonly get: (bytes: Uint8Array, from: number, to: number) => Value | undefined;
  /** Remembers a value under a stretch that has none yet. The bytes must stay as they are, up to `clear`. */
  readonly add: (value: Value, key: Stretch) => void;
  readonly clear: () => void;
}

/** The bytes from one place up to another. */
export interface Stretch {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** As many stretches as it may take to find one, or a place for it: then it is not remembered. */
const mostLooks = 8;

/**
 * A map with so many places, a power of two. Where many stretches want the
 * same places, some are forgotten: that bounds its memory, and the time that a
 * hostile file can make it take.
 */
export function byteMap<Value>(places: number): ByteMap<Value> {
  const entries = new Array<(Stretch & { readonly value: Value }) | undefined>(places).fill(undefined);
  return { get, add, clear: () => void entries.fill(undefined) };

  function get(bytes: Uint8Array, from: number, to: number): Value | undefined {
    const first = hash(bytes, from, to);
    for (let look = 0; look < mostLooks; look++) {
      const entry = entries[(first + look) & (places - 1)];
      if (!entry) return undefined;
      if (isSame(entry, bytes, from, to)) return entry.value;
    }
    return undefined;
  }

  function add(value: Value, { bytes, from, to }: Stretch): void {
    const first = hash(bytes, from, to);
    for (let look = 0; look < mostLooks; look++) {
      const place = (first + look) & (places - 1);
      if (entries[place]) continue;
      entries[place] = { bytes, from, to, value };
      return;
    }
  }
}

function isSame(
  { bytes: key, from: first, to: end }: Stretch,
  bytes: Uint8Array,
  from: number,
  to: number,
): boolean {
  if (end - first !== to - from) return false;
  for (let at = from, other = first; at < to; at++, other++) if (bytes[at] !== key[other]) return false;
  return true;
}

/** In place of all bytes of a long stretch, some decide where it is sought: what is found is compared whole. */
const mostHashed = 16;

function hash(bytes: Uint8Array, from: number, to: number): number {
  const step = 1 + Math.trunc((to - from) / mostHashed);
  let hash = to - from;
  for (let at = to - 1; from <= at; at -= step) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 16);
}
