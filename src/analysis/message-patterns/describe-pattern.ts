import { type Case, streamGroupBlocks } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { fieldEnd, fieldStart, forEachRow, integerIn } from '../field-rows.ts';
import { type CountedValue, findPatterns, type MessagePattern } from './find-patterns.ts';
import { createMasker } from './mask-message.ts';
import { maskTokens, maskWildcard } from './merge-masks.ts';

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
const masks = /<(?:\*|uuid|url|email|date|time|ip|hex|path|id|number|text)>/g;

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
  const [pattern, ...others] = patterns.filter((each) => each.id.startsWith(id));
  if (!pattern || 0 < others.length) return undefined;
  const counters = await countValues(cases, { filter, template: pattern.template, signal });
  const names = pattern.template.match(masks) ?? [];
  return {
    ...pattern,
    places: counters.map((counter, place) => toPlace(counter, names[place] ?? maskWildcard)),
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
  const words = maskTokens(template);
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
        const values = valuesAt(words, maskTokens(mask), found) ?? [];
        const logs = integerIn(block, row, 1) ?? 0;
        for (const [place, value] of values.entries()) count(counters[place], value, logs);
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
    else if (word !== mask[index]) return undefined;
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
