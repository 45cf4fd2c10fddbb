import type { FieldValue, FieldValues } from '../meaning/document.ts';

/**
 * Returns a log with the property from which nothing can be removed, neither a field nor a word of
 * a text. `holds` may return undefined to stop: the result is then the smallest log so far.
 */
export function shrinkLog(
  values: FieldValues,
  holds: (values: FieldValues) => boolean | undefined,
): FieldValues {
  let smallest = values;
  let before: FieldValues | undefined;
  // A removal in one field may allow more in another.
  while (before !== smallest) {
    before = smallest;
    for (const name of Object.keys(smallest)) {
      const { [name]: value, ...others } = smallest;
      const held = holds(others);
      if (held === undefined) return smallest;
      if (held) smallest = others;
      else smallest = withShorterText(smallest, name, value, holds);
    }
  }
  return smallest;
}

/**
 * Removes pieces of a text, first half of it and then ever smaller ones: most texts lose most of
 * their words.
 */
function withShorterText(
  values: FieldValues,
  name: string,
  value: FieldValue | undefined,
  holds: (values: FieldValues) => boolean | undefined,
): FieldValues {
  let words = typeof value === 'string' ? value.split(' ') : [];
  let smallest = values;
  for (let size = words.length >> 1; 0 < size; size >>= 1) {
    for (let from = 0; from < words.length && 1 < words.length; ) {
      const shorter = words.toSpliced(from, size);
      const shortened = { ...values, [name]: shorter.join(' ') };
      const held = 0 < shorter.length && holds(shortened);
      if (held === undefined) return smallest;
      if (held) [words, smallest] = [shorter, shortened];
      else from += size;
    }
  }
  return smallest;
}
