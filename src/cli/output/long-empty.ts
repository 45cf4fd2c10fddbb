import type { Bucket } from '../../analysis/index.ts';

/** So many stretches without logs that follow one another have a line each; a picture of the usual length shows all. */
const longestEmpty = 40;

/** A stretch that is shown, and how many like it follow that are not. */
interface Shown {
  readonly bucket: Bucket;
  readonly more: number;
}

/** The stretches that are shown: of a long row without logs, of which the same is known, the first alone. */
export function withoutLongEmpty(buckets: readonly Bucket[]): readonly Shown[] {
  const shown: Shown[] = [];
  for (let from = 0, to = 0; from < buckets.length; from = to) {
    const first = buckets[from];
    to = from + 1;
    while (first?.count === 0 && buckets[to]?.count === 0 && buckets[to]?.known === first.known) to++;
    const row = buckets.slice(from, to);
    if (row.length <= longestEmpty) shown.push(...row.map((bucket) => ({ bucket, more: 0 })));
    else if (first) shown.push({ bucket: first, more: row.length - 1 });
  }
  return shown;
}
