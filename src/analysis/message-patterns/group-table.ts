/** Numbers of logs by keys of several whole numbers. */
export interface GroupTable {
  /** Adds logs to the group of a key, which is copied. */
  readonly add: (key: Int32Array, logs: number) => void;
  /** The number of groups. */
  readonly size: () => number;
  /** A number of the key of a group. */
  readonly keyAt: (group: number, column: number) => number;
  readonly logsAt: (group: number) => number;
}

/** Creates an empty table whose keys have `width` numbers. They are in one array: as many objects would be slow. */
export function groupTable(width: number): GroupTable {
  let [keys, logs] = [new Int32Array(1024 * width), new Float64Array(1024)];
  let size = 0;
  // Open addressing over groups + 1; 0 is free.
  let slots = new Int32Array(4096);

  function isKey(group: number, key: Int32Array): boolean {
    for (let column = 0; column < width; column++)
      if (keys[group * width + column] !== key[column]) return false;
    return true;
  }

  function grow(): void {
    [keys, logs] = [
      enlarged(keys, new Int32Array(2 * keys.length)),
      enlarged(logs, new Float64Array(2 * size)),
    ];
    slots = new Int32Array(2 * slots.length);
    for (let group = 0; group < size; group++) {
      let slot = hashOf(keys.subarray(group * width, (group + 1) * width)) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = group + 1;
    }
  }

  function add(key: Int32Array, more: number): void {
    for (let slot = hashOf(key) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const group = (slots[slot] ?? 0) - 1;
      if (group === -1) {
        slots[slot] = size + 1;
        keys.set(key, size * width);
        logs[size++] = more;
        if (size === logs.length) grow();
        return;
      }
      if (isKey(group, key)) {
        logs[group] = (logs[group] ?? 0) + more;
        return;
      }
    }
  }

  return {
    add,
    size: () => size,
    keyAt: (group, column) => keys[group * width + column] ?? 0,
    logsAt: (group) => logs[group] ?? 0,
  };
}

/** A hash of 32 bits; the last steps spread small numbers over all bits. */
function hashOf(key: Int32Array): number {
  let hash = 0x811c9dc5;
  for (let column = 0; column < key.length; column++) {
    hash = Math.imul(hash ^ (key[column] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** Copies the items into a longer array. */
function enlarged<A extends Int32Array | Float64Array>(items: A, longer: A): A {
  longer.set(items);
  return longer;
}
