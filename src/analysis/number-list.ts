/** A list of numbers that grows, in eight bytes each. */
export interface NumberList {
  readonly add: (value: number) => void;
  /** A copy of the numbers in their order. */
  readonly values: () => Float64Array;
}

/** Creates an empty list. */
export function numberList(): NumberList {
  let items = new Float64Array(64);
  let length = 0;
  return {
    add(value) {
      if (length === items.length) {
        const more = new Float64Array(2 * length);
        more.set(items);
        items = more;
      }
      items[length++] = value;
    },
    values: () => items.slice(0, length),
  };
}
