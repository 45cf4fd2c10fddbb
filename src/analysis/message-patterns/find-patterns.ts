import { type Case, timeSpan } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { compareTexts } from '../compare-texts.ts';
import { type Buckets, collectMaskGroups, type MaskGroups } from './collect-mask-groups.ts';
import { addCounts, type CountedMasks, countMasks, type MaskCounts } from './count-masks.ts';
import type { InternedBytes } from './interned-bytes.ts';
import { mergeMasks } from './merge-masks.ts';
import { patternId, patternQuery } from './pattern-query.ts';

/** A value and its number of logs. */
export interface CountedValue {
  /** Empty for the logs without a value. */
  readonly value: string;
  readonly count: number;
}

/** Messages that differ only in their variable values. */
export interface MessagePattern {
  /** A hash of the template: the same in every case where the template is. */
  readonly id: string;
  /** The message with `<number>`, `<text>` and others in place of its values. */
  readonly template: string;
  readonly count: number;
  /** Times of the first and the last log, milliseconds since the epoch. Absent where none has a time. */
  readonly first?: number;
  readonly last?: number;
  /** The most frequent values first. */
  readonly levels: readonly CountedValue[];
  readonly sources: readonly CountedValue[];
  readonly users: readonly CountedValue[];
  /** Logs in each of equal intervals of the time of all patterns. */
  readonly buckets: readonly number[];
  /** Selects every log of the pattern, and others with the same words. Absent for a message without literal words. */
  readonly query?: string;
  /** Selects all other logs than `query`; to be joined to other clauses by AND. */
  readonly excludeQuery?: string;
  /** The number of masks that were merged into it. */
  readonly masks: number;
}

/** The patterns of some logs. */
export interface FoundPatterns {
  /** All logs that were selected: the counts of the patterns add up to it. */
  readonly total: number;
  /** The intervals of `buckets`. Times are milliseconds since the epoch. */
  readonly buckets: Buckets;
  /** All patterns, the most frequent first. */
  readonly patterns: readonly MessagePattern[];
}

/** Fields whose values are counted for each pattern. */
export const patternFields = ['logLevel', 'source', 'username'] as const;

/** Number of intervals in which the logs of a pattern are counted, by default. */
export const usualIntervals = 24;

/** The logs to find patterns in. */
export interface FindPatternsOptions {
  readonly filter: Filter;
  /** The number of intervals of time in which logs are counted. Default 24. */
  readonly intervals?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Groups the messages of the selected logs into patterns: all logs, none
 * sampled. Rejects with a `StoreError`, or the reason of the signal.
 *
 * ```ts
 * const { patterns } = await findPatterns([incident], { filter });
 * for (const { template, count, query } of patterns) console.log(count, template, query);
 * ```
 */
export async function findPatterns(
  cases: readonly Case[],
  { filter, intervals = usualIntervals, signal }: FindPatternsOptions,
): Promise<FoundPatterns> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filter)));
  const buckets = equalIntervals(spans, intervals);
  const options = { filter, partitions: [buckets], fields: patternFields, signal };
  return patternsOf(await collectMaskGroups(cases, options), buckets);
}

/** Merges the masks of some logs to patterns, with their counts in the buckets of one of the partitions. */
export function patternsOf(groups: MaskGroups, buckets: Buckets): FoundPatterns {
  const collected = countMasks(groups, { fields: patternFields, buckets });
  const { templates, merged } = mergeCollected(collected);
  const patterns = merged.map(({ counts, masks: number }, template) =>
    toPattern(templates[template] ?? '', number, counts, collected),
  );
  return {
    total: patterns.reduce((sum, { count }) => sum + count, 0),
    buckets,
    patterns: patterns.toSorted((a, b) => b.count - a.count || compareTexts(a.template, b.template)),
  };
}

/** The counts of the masks of one template. */
interface MergedCounts {
  readonly counts: MaskCounts;
  masks: number;
}

/** Merges masks, and adds up the counts of those that belong together, by the index of their template. */
function mergeCollected(collected: CountedMasks): {
  readonly templates: readonly string[];
  readonly merged: readonly MergedCounts[];
} {
  const masks = Array.from({ length: collected.masks.size() }, (_, mask) => collected.masks.text(mask));
  const { templates, templateOf } = mergeMasks(masks);
  const merged: MergedCounts[] = [];
  for (const [mask, counts] of collected.counts.entries()) {
    if (!counts) continue;
    const template = templateOf[mask] ?? 0;
    const known = merged[template];
    if (known) {
      addCounts(known.counts, counts);
      known.masks++;
    } else merged[template] = { counts, masks: 1 };
  }
  return { templates, merged };
}

/** Divides the time of some logs into equal intervals. */
export function equalIntervals(
  spans: readonly { readonly first?: number; readonly last?: number }[],
  count: number,
): Buckets {
  const start = Math.min(...spans.map(({ first = Number.POSITIVE_INFINITY }) => first));
  const end = Math.max(...spans.map(({ last = Number.NEGATIVE_INFINITY }) => last));
  if (end < start) return { start: 0, length: 1, count };
  return { start, length: Math.max(1, (end + 1 - start) / count), count };
}

function toPattern(
  template: string,
  masks: number,
  counts: MaskCounts,
  { values }: CountedMasks,
): MessagePattern {
  const query = patternQuery(template);
  const [levels = [], sources = [], users = []] = counts.values.map((counted, field) =>
    valuesOf(counted, values[field]),
  );
  return {
    id: patternId(template),
    template,
    count: counts.logs,
    ...(counts.first <= counts.last && { first: counts.first, last: counts.last }),
    levels,
    sources,
    users,
    buckets: [...counts.buckets],
    ...(query !== undefined && { query, excludeQuery: `NOT (${query})` }),
    masks,
  };
}

function valuesOf(
  counts: ReadonlyMap<number, number>,
  values: InternedBytes | undefined,
): readonly CountedValue[] {
  return [...counts]
    .map(([number, count]) => ({ value: values?.text(number) ?? '', count }))
    .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value));
}
