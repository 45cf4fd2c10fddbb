import * as v from 'valibot';
import type { StoredExport } from '../../store/index.ts';

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
  /** `yes` once a reply has held a log of the very time that was the bound. */
  oldestIncluded: v.optional(v.literal('yes')),
  newestIncluded: v.optional(v.literal('yes')),
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
