import type { FieldValue, FieldValues } from '../document.ts';

/**
 * A log of which the property still holds and of which nothing can be left
 * out: no field, and no word of a text.
 */
export function shrink(values: FieldValues, holds: (values: FieldValues) => boolean): FieldValues {
  let smallest = values;
  for (let shorter = shorten(smallest, holds); shorter; shorter = shorten(smallest, holds))
    smallest = shorter;
  return smallest;
}

function shorten(values: FieldValues, holds: (values: FieldValues) => boolean): FieldValues | undefined {
  for (const [name, value] of Object.entries(values)) {
    const { [name]: _, ...others } = values;
    if (holds(others)) return others;
    for (const shorter of shorterTexts(value)) {
      const shortened = { ...values, [name]: shorter };
      if (holds(shortened)) return shortened;
    }
  }
  return undefined;
}

/** A text without one of its words. */
function shorterTexts(value: FieldValue | undefined): string[] {
  const words = typeof value === 'string' ? value.split(' ') : [];
  if (words.length < 2) return [];
  return words.map((_, place) => words.toSpliced(place, 1).join(' '));
}
