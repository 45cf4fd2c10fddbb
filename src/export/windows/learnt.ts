import * as v from 'valibot';
import type { StoredExport } from '../../store/index.ts';
import type { ReplySizes } from './reply-size.ts';

const learnt = v.object({
  /**
   * Whether a reply that holds as many logs as were asked for holds the newest:
   * `trusted` once another call has brought the same logs again.
   */
  order: v.optional(v.picklist(['trusted', 'untrusted'])),
  /** `query` once a reply has shown that the times of a search are not heeded as parameters. */
  windowBy: v.optional(v.literal('query')),
  /** `asked` once the oldest log was asked for. */
  begins: v.optional(v.literal('asked')),
  /** The logs that one call returns at most, once a reply of this size has been shown to lack some. */
  cap: v.optional(v.string()),
  /** `filters` once a reply has shown that a millisecond can be sliced by the filter form only. */
  slices: v.optional(v.literal('filters')),
  /** `yes` once a reply has held a log of the very time that was the bound. */
  oldestIncluded: v.optional(v.literal('yes')),
  newestIncluded: v.optional(v.literal('yes')),
  /** `seconds` while all times of all logs are whole seconds. */
  times: v.optional(v.picklist(['seconds', 'milliseconds'])),
});

/** What the replies of one export have shown of its deployment. */
export type Learnt = v.InferOutput<typeof learnt>;

/** What an export has learnt. */
export function readLearnt(from: StoredExport): Learnt {
  return v.parse(learnt, from.learnt);
}

/** An export that has learnt something more. */
export function withLearnt(kept: StoredExport, more: Learnt): StoredExport {
  // JSON leaves out what is undefined.
  const news: Record<string, string> = JSON.parse(JSON.stringify(more));
  return { ...kept, learnt: { ...kept.learnt, ...news } };
}

/** The logs that one call returns at most: fewer than `num` where replies have shown a lower cap and none was larger. */
export function capOf({ cap = '' }: Learnt, { num, largest }: ReplySizes): number {
  const own = Number(cap);
  return 0 < own && largest <= own ? Math.min(num, own) : num;
}
