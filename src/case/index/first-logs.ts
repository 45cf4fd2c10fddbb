import type { Filter } from '../../language/index.ts';
import type { FirstLogs } from '../file/log-order.ts';
import { type Bitmap, bitsFor, emptyBitmap } from './bitmap.ts';
import { lookUpFilter, type SearchContext, wholeKey } from './evaluate.ts';
import { type LogSet, setOfFew } from './log-set.ts';
import type { IndexPlan } from './plan.ts';
import { blockWords, firstIds, type Times, timeOf } from './times.ts';

/** Shares of all chunks of ids that are searched before all of them: nearly always the first is enough. */
const shares = [1 / 64, 1 / 8];
const fewestBlocks = 4;

/**
 * Returns the first logs that a filter with phrases selects, in any order, by the chunks of ids at one end of the
 * times: comparing the positions of words in all chunks takes longer. Undefined if that does not pay, or if these chunks
 * may lack some.
 */
export async function lookUpFirst(
  context: SearchContext,
  filter: Filter,
  { plan, first }: { readonly plan: IndexPlan; readonly first: FirstLogs },
): Promise<LogSet | undefined> {
  const { snapshot } = context;
  const times = await snapshot.times.made;
  if (
    !times ||
    (first.after?.time === undefined && first.after) ||
    snapshot.covered < snapshot.lastId ||
    snapshot.sets.get(wholeKey(filter))
  )
    return undefined;
  if (!plan.known.has(plan.filter) || !plan.leaves.some(({ kind }) => kind === 'phrase')) return undefined;
  const blocks = orderedBlocks(times, first);
  for (const share of shares) {
    const count = Math.max(fewestBlocks, Math.ceil(share * blocks.length));
    const [near, far] = [blocks.slice(0, count), blocks[count]];
    if (!far) return undefined;
    const chunks = new Set(near.map(({ number }) => number));
    const found = await lookUpFilter(context, filter, plan, chunks);
    const ids = firstIds(times, within(chunks, found.bitmap(), bitsFor(snapshot.lastId)), first);
    const last = timeOf(times, ids[first.count - 1] ?? 0);
    if (first.order === 'newest' ? far.last < last : last < far.first)
      return setOfFew(Uint32Array.from(ids), bitsFor(snapshot.lastId));
  }
  return undefined;
}

/** Returns the blocks of ids that may have logs after the cursor, in the order of the first log that they may have. */
function orderedBlocks({ blocks }: Times, { order, after }: FirstLogs) {
  const end = after?.time;
  return blocks
    .map(({ first, last }, number) => ({ number, first, last }))
    .filter(({ first, last }) => end === undefined || (order === 'newest' ? first <= end : end <= last))
    .sort((one, other) => (order === 'newest' ? other.last - one.last : one.first - other.first));
}

/** Returns the ids of a set that are in some chunks. */
function within(chunks: ReadonlySet<number>, { words }: Bitmap, bits: number): Bitmap {
  const made = emptyBitmap(bits);
  for (const chunk of chunks) {
    const [from, to] = [chunk * blockWords, (chunk + 1) * blockWords];
    made.words.set(words.subarray(from, to), from);
  }
  return made;
}
