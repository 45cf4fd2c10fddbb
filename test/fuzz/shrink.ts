/** A shorter text for which something still holds, found by leaving out ever smaller pieces. */
export function shrink(text: string, holds: (text: string) => boolean, tries = 2000): string {
  let shortest = text;
  let left = tries;
  for (let size = Math.ceil(text.length / 2); 0 < size; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.length && 0 < left; left -= 1) {
      const shorter = shortest.slice(0, from) + shortest.slice(from + size);
      if (holds(shorter)) shortest = shorter;
      else from += size;
    }
  }
  return shortest;
}
