import type { Clause } from '../../language/tree.ts';
import { type Need, type NeedReader, needOf } from './need.ts';
import { perText } from './per-text.ts';
import { plainTermOf } from './plain-term.ts';
import type { Sought } from './target-lookup.ts';

/**
 * What something is to 16 logs: in the upper half a bit for each that it surely
 * matches, in the lower half one for each that it surely does not. Of a log with
 * neither it is not known.
 */
export type Truths = number;

const upper = 0xffff_0000;
const lower = 0x0000_ffff;

export const always: Truths = upper | 0;
export const never: Truths = lower;
export const unclear: Truths = 0;

export function and(a: Truths, b: Truths): Truths {
  return (a & b & upper) | ((a | b) & lower);
}

export function or(a: Truths, b: Truths): Truths {
  return ((a | b) & upper) | (a & b & lower);
}

export function not(truths: Truths): Truths {
  return (truths >>> 16) | (truths << 16);
}

/** Tells what clauses that are no groups are to 16 logs. */
export type SomeLogs = (clause: Clause, sought: Sought) => Truths;

/**
 * A lot of 16 logs, made up as they are asked about: each has any choice of the
 * words, in every field and order that somebody asks for, and of some fields a
 * value. There is a log for any such choice: words of a text exclude no others.
 */
export function someLogs(lot: number, reader: NeedReader): SomeLogs {
  const made: Lot = { lot, having: new Map(), valued: undefined };
  const truthsOfClause: SomeLogs = (clause, sought) => {
    const term = plainTermOf(clause.item, sought);
    return term === undefined
      ? truthsOf(needOf(clause, sought, reader), made)
      : hasOrNot(logsWith(term, made));
  };
  // What is written alike must have the same value, and reading a number takes longer than finding it again.
  const truthsOfValues = perText(truthsOfClause);
  return (clause, sought) => (sought.hasText ? truthsOfClause : truthsOfValues)(clause, sought);
}

/** What has been made up of a lot. */
interface Lot {
  /** The number of the lot. */
  readonly lot: number;
  /** The logs that have a word, or a value of a field. No word begins with a colon. */
  readonly having: Map<string, number>;
  /** The logs that have a value which was asked for, by field. */
  valued: Map<string, number> | undefined;
}

function truthsOf(need: Need, made: Lot): Truths {
  switch (need.kind) {
    case 'nothing':
      return never;
    case 'unclear':
      return unclear;
    case 'value':
      return truthsOfValue(need.field, made);
    case 'any':
    case 'all': {
      let matched = need.kind === 'any' ? 0 : lower;
      for (const term of need.terms) {
        matched = need.kind === 'any' ? matched | logsWith(term, made) : matched & logsWith(term, made);
      }
      // A value may be the same text, where there is one.
      let doubtful = 0;
      for (const field of need.values) doubtful |= logsWith(`:${field}`, made);
      return (matched << 16) | (lower & ~matched & ~doubtful);
    }
  }
}

/** A log has one value of a field: the one asked for, or another one, of which it is not known what else it matches. */
function truthsOfValue(field: string, made: Lot): Truths {
  const logs = logsWith(`:${field}`, made);
  made.valued ??= new Map();
  const { lot, valued } = made;
  const others = valued.get(field) ?? 0;
  const matched = logs & ~others & choice(valued.size + 1, lot + 1);
  valued.set(field, others | matched);
  return (matched << 16) | (lower & ~logs);
}

/** The logs that have a word, or a value of a field, named with a colon before it. */
function logsWith(something: string, { lot, having }: Lot): number {
  const known = having.get(something);
  if (known !== undefined) return known;
  const logs = choice(having.size, lot);
  having.set(something, logs);
  return logs;
}

/** What matches some logs surely and all others surely not. */
export function hasOrNot(logs: number): Truths {
  return (logs << 16) | (lower & ~logs);
}

/** Logs for the first things, so that every combination of them occurs. */
export const combinations: readonly number[] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/** Logs at random, the same ones for the same numbers: a half of them, in some lots more or fewer. */
function choice(index: number, lot: number): number {
  const known = lot === 0 ? combinations[index] : undefined;
  if (known !== undefined) return known;
  let mixed = Math.imul(index + 1, 0x9e37_79b1) ^ Math.imul(lot + 1, 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
  mixed ^= mixed >>> 12;
  const [one, other] = [mixed & lower, (mixed >>> 16) & lower];
  return [one, one | other, one & other][lot % 3] ?? one;
}
