import { createHash } from 'node:crypto';
import { type Case, streamGroupBlocks, timeSpan } from '../case/index.ts';
import { analyze, type Filter, quote } from '../language/index.ts';
import {
  compareTexts,
  fieldEnd,
  fieldStart,
  forEachRow,
  type InternedBytes,
  integerIn,
} from './group-blocks.ts';
import {
  addCounts,
  type Buckets,
  type CountedMasks,
  collectMaskGroups,
  countMasks,
  type MaskCounts,
  type MaskGroups,
  maskTokens,
  maskWildcard,
  mergeMasks,
  templateForm,
} from './mask-groups.ts';
import { createMasker } from './mask-message.ts';

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
  /** Receives how far the reading is, now and then. */
  readonly onProgress?: ((progress: PatternProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far patterns are found. */
export interface PatternProgress {
  /** Logs that were read, of all that are selected. */
  readonly logs: number;
  readonly of: number;
  /** Returns the patterns of the logs that were read; to be called at once, or not at all. */
  readonly found: () => FoundPatterns;
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
  { filter, intervals = usualIntervals, onProgress, signal }: FindPatternsOptions,
): Promise<FoundPatterns> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filter, { signal })));
  const buckets = equalIntervals(spans, intervals);
  const of = spans.reduce((sum, { count, timeless }) => sum + count + timeless, 0);
  const onRead = (groups: MaskGroups, logs: number) =>
    onProgress?.({ logs, of, found: () => patternsOf(groups, buckets) });
  const options = { filter, partitions: [buckets], fields: patternFields, onRead, signal };
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

/** More phrases than these make a query unreadable and select hardly fewer logs. */
const mostPhrases = 6;

/** Words of a phrase; longer ones are cut, and select the same logs or more. */
const mostWords = 12;

/** A token of a mask that holds a variable value. */
const variable = /<(?:\*|uuid|url|email|date|time|ip|hex|host|path|id|number|text)>/;

/**
 * A query that selects every log of a pattern, and others whose messages have
 * the same words. Its clauses are the longest literal parts, as phrases of
 * `msg`. Undefined where a pattern has no literal word.
 */
export function patternQuery(template: string): string | undefined {
  const all = literalParts(template)
    .map((words) => words.slice(0, mostWords).join(' '))
    .filter((text) => 0 < analyze(text).length);
  // "of" alone selects nearly everything.
  const telling = all.filter((text) => 4 < text.length);
  const phrases = 0 < telling.length ? telling : all;
  const longest = new Set(phrases.toSorted((a, b) => b.length - a.length).slice(0, mostPhrases));
  const chosen = phrases.filter((phrase) => longest.has(phrase));
  return chosen.length === 0
    ? undefined
    : [...new Set(chosen)].map((text) => `msg:${quote(text)}`).join(' AND ');
}

/** The runs of literal words between variable ones. */
function literalParts(template: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of template.split(' ')) {
    if (variable.test(word)) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.filter((words) => 0 < words.length);
}

/** The id of a template: ten hexadecimal digits of its SHA-256, whatever kinds of values a case happens to have. */
export function patternId(template: string): string {
  return createHash('sha256').update(templateForm(template)).digest('hex').slice(0, 10);
}

/** Different values of one place that are counted; logs with further ones are counted together. */
const mostValues = 10_000;

/** The values at one variable place of a pattern. */
export interface PatternPlace {
  /** The mask at the place, such as `<number>`. */
  readonly mask: string;
  /** The most frequent values first. */
  readonly values: readonly CountedValue[];
  /** Logs with values beyond the first 10,000 different ones. */
  readonly others: number;
}

/** A pattern and the values at its variable places, in the order of the message. */
export interface DescribedPattern extends MessagePattern {
  readonly places: readonly PatternPlace[];
}

/** A mask in a template. */
const masks = /<(?:\*|uuid|url|email|date|time|ip|hex|host|path|id|number|text)>/g;

/**
 * Describes the pattern of an id (or a unique prefix of one) among the
 * selected logs; undefined if there is none.
 *
 * ```ts
 * const pattern = await describePattern([incident], { filter, id: '3f9a' });
 * for (const { mask, values } of pattern?.places ?? []) console.log(mask, values[0]?.value);
 * ```
 */
export async function describePattern(
  cases: readonly Case[],
  {
    filter,
    id,
    signal,
  }: { readonly filter: Filter; readonly id: string; readonly signal?: AbortSignal | undefined },
): Promise<DescribedPattern | undefined> {
  const { patterns } = await findPatterns(cases, { filter, signal });
  const [pattern, ...others] = patterns.filter((pattern) => pattern.id.startsWith(id));
  if (!pattern || 0 < others.length) return undefined;
  const counters = await countValues(cases, { filter, template: pattern.template, signal });
  const names = pattern.template.match(masks) ?? [];
  return {
    ...pattern,
    places: counters.map((counter, index) => toPlace(counter, names[index] ?? maskWildcard)),
  };
}

/** Logs by value, and those beyond the most values. */
interface ValueCounter {
  readonly logs: Map<string, number>;
  others: number;
}

/** Counts the values of each message whose mask fits a template. */
async function countValues(
  cases: readonly Case[],
  {
    filter,
    template,
    signal,
  }: {
    readonly filter: Filter;
    readonly template: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly ValueCounter[]> {
  const tokens = maskTokens(template);
  const decoder = new TextDecoder();
  const masker = createMasker();
  const counters = (template.match(masks) ?? []).map((): ValueCounter => ({ logs: new Map(), others: 0 }));
  for (const from of cases)
    for await (const block of streamGroupBlocks(from, filter, { fields: ['msg'], signal }))
      forEachRow(block, (row) => {
        const found: string[] = [];
        const mask = decoder.decode(
          masker.mask(block, fieldStart(row, 0), fieldEnd(row, 0), (first, last) =>
            found.push(decoder.decode(block.subarray(first, last))),
          ),
        );
        const values = valuesAt(tokens, maskTokens(mask), found) ?? [];
        const logs = integerIn(block, row, 1) ?? 0;
        for (const [position, value] of values.entries()) count(counters[position], value, logs);
      });
  return counters;
}

/**
 * The values of a message at the places of a template, given its mask and the
 * values that were masked; undefined where the mask does not fit.
 */
function valuesAt(
  template: readonly string[],
  mask: readonly string[],
  found: readonly string[],
): readonly string[] | undefined {
  if (template.length !== mask.length) return undefined;
  const values: string[] = [];
  let next = 0;
  for (const [index, word] of template.entries()) {
    const masked = mask[index]?.match(masks)?.length ?? 0;
    if (word === maskWildcard) values.push(mask[index] ?? '');
    else if (templateForm(word) !== templateForm(mask[index] ?? '')) return undefined;
    else values.push(...found.slice(next, next + masked));
    next += masked;
  }
  return values;
}

function count(counter: ValueCounter | undefined, value: string, by: number): void {
  if (!counter) return;
  const logs = counter.logs.get(value);
  if (logs === undefined && mostValues <= counter.logs.size) counter.others += by;
  else counter.logs.set(value, (logs ?? 0) + by);
}

function toPlace({ logs, others }: ValueCounter, mask: string): PatternPlace {
  const values = [...logs].map(([value, count]) => ({ value, count }));
  return { mask, values: values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)), others };
}
