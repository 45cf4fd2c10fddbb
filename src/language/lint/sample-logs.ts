import type { Clause } from '../parse/tree.ts';
import { type Need, type NeedReader, needOf } from './need.ts';
import type { SearchTargets } from './target-lookup.ts';

/**
 * The answers to a condition for a batch of 16 logs. The upper half has a bit
 * for each log that surely matches, the lower half one for each that surely does
 * not. For a log with neither bit the answer is unknown.
 */
export type Truths = number;

const upper = 0xffff_0000;
const lower = 0x0000_ffff;

/** Matches every log of a batch. */
export const allLogs: Truths = upper | 0;
/** Matches no log of a batch. */
export const noLogs: Truths = lower;
/** The answer is unknown for every log of a batch. */
export const unknownLogs: Truths = 0;

/** Both conditions match. */
export function andTruths(a: Truths, b: Truths): Truths {
  return (a & b & upper) | ((a | b) & lower);
}

/** Either condition matches. */
export function orTruths(a: Truths, b: Truths): Truths {
  return ((a | b) & upper) | (a & b & lower);
}

/** The condition does not match. */
export function notTruths(truths: Truths): Truths {
  return (truths >>> 16) | (truths << 16);
}

/** Evaluates clauses that are no groups for one batch of logs. */
export type SampleLogs = (clause: Clause, searchTargets: SearchTargets) => Truths;

/**
 * A batch of 16 logs, made up as clauses are evaluated. Each has any selection of
 * the words, in every requested field and order, and values of some fields. Any
 * selection is possible: the words of a text exclude no others.
 */
export function sampleLogBatch(batch: number, reader: NeedReader): SampleLogs {
  const samples: Samples = { batch, having: new Map(), valued: new Map(), values: new Map() };
  return (clause, searchTargets) => truthsOf(needOf(clause, searchTargets, reader), samples);
}

/** The choices made so far for one batch. */
interface Samples {
  readonly batch: number;
  /** The logs that have a word, or any value of a field. The key of a field begins with a colon, as no word does. */
  readonly having: Map<string, number>;
  /** The logs that have one of the values asked for, by field. */
  readonly valued: Map<string, number>;
  /** The answers for each value, by field and text: what is written alike has the same value. */
  readonly values: Map<string, Truths>;
}

function truthsOf(need: Need, samples: Samples): Truths {
  switch (need.kind) {
    case 'nothing':
      return noLogs;
    case 'unclear':
      return unknownLogs;
    case 'value':
      return truthsOfValue(need, samples);
    case 'any':
    case 'all': {
      const logs = need.terms.map((term) => logsWith(term, samples));
      const matched =
        need.kind === 'any' ? logs.reduce((a, b) => a | b, 0) : logs.reduce((a, b) => a & b, lower);
      // A value may be the same text, where there is one.
      const doubtful = need.values.reduce((all, field) => all | logsWith(`:${field}`, samples), 0);
      return (matched << 16) | (lower & ~matched & ~doubtful);
    }
  }
}

/** A log has one value of a field: the one asked for, or another one, whose other matches are unknown. */
function truthsOfValue(
  { field, text }: { readonly field: string; readonly text: string },
  samples: Samples,
): Truths {
  const { batch, valued, values } = samples;
  const key = `${field}:${text}`;
  const known = values.get(key);
  if (known !== undefined) return known;
  const logs = logsWith(`:${field}`, samples);
  const others = valued.get(field) ?? 0;
  const matched = logs & ~others & choice(valued.size + 1, batch + 1);
  valued.set(field, others | matched);
  const truths = (matched << 16) | (lower & ~logs);
  values.set(key, truths);
  return truths;
}

/** The logs that have a word, or a value of a field. */
function logsWith(key: string, { batch, having }: Samples): number {
  const known = having.get(key);
  if (known !== undefined) return known;
  const logs = choice(having.size, batch);
  having.set(key, logs);
  return logs;
}

/** The logs that have each of the first four things, so that every combination of them occurs. */
const combinations: readonly number[] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/** Pseudo-random logs, the same ones for the same numbers: half of them, in some batches more or fewer. */
function choice(index: number, batch: number): number {
  const known = batch === 0 ? combinations[index] : undefined;
  if (known !== undefined) return known;
  let mixed = Math.imul(index + 1, 0x9e37_79b1) ^ Math.imul(batch + 1, 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
  mixed ^= mixed >>> 12;
  const [one, other] = [mixed & lower, (mixed >>> 16) & lower];
  return [one, one | other, one & other][batch % 3] ?? one;
}
