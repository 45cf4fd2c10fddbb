import type { Span } from '../../language/tree.ts';
import type { Dialect } from '../../meaning/dialect.ts';
import { documentedSchema, type Field, type Schema } from '../../meaning/fields.ts';
import { type Candidate, type CountedValue, candidatesFor, type Suggestion } from './candidates.ts';
import { type Place, placeAt } from './place.ts';
import { noWorseThan } from './sound.ts';

/** What completions are made of. */
export interface CompleteOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `documented` unless given. */
  readonly dialect?: Dialect;
  /**
   * Values by the names of their fields, the most frequent first, beside those
   * that the schema knows. Only those of the field that `wantedValues` names are looked at.
   */
  readonly values?: ReadonlyMap<string, readonly CountedValue[]>;
  /** So many suggestions at most; 50 unless given. */
  readonly limit?: number;
}

/** What could stand at a cursor. The span is what each of the suggestions takes the place of; the cursor is in it. */
export interface Completion extends Span {
  /** The likeliest first. */
  readonly suggestions: readonly Suggestion[];
}

/**
 * What could stand at a cursor, an offset in UTF-16 units: names of fields,
 * their values, operators. Any text will do, and most are unfinished. What
 * begins with what is written comes first, then what has it inside, in upper or
 * lower case. No suggestion breaks a text that was in order, and one of a value
 * makes a clause that selects the logs that have it.
 *
 * ```ts
 * complete('logLevel:se', 11).suggestions[0]?.insert; // 'SEVERE'
 * ```
 */
export function complete(text: string, cursor: number, options: CompleteOptions = {}): Completion {
  const { schema = documentedSchema, dialect = 'documented', values = new Map(), limit = 50 } = options;
  const place = placeAt(text, within(text, cursor), schema);
  const candidates = ranked(candidatesFor(place, { schema, dialect, values }), place.written);
  const fits = fitting(text, place);
  const suggestions: Suggestion[] = [];
  for (const candidate of candidates) {
    if (limit <= suggestions.length) break;
    const insert = separated(candidate.insert, text, place);
    if (insert === text.slice(place.from, place.to) || !fits(insert, candidate) || !candidate.holds())
      continue;
    const { kind, label, detail } = candidate;
    suggestions.push({ kind, insert, label, detail });
  }
  return { from: place.from, to: place.to, suggestions };
}

/** The values that would help at a cursor. */
export interface WantedValues {
  readonly field: Field;
  /** What has been written of the value in front of the cursor, without quotes and escapes. */
  readonly written: string;
}

/**
 * The field whose values could stand at a cursor, or undefined where none
 * could: what to ask a case for before `complete` is asked.
 */
export function wantedValues(
  text: string,
  cursor: number,
  schema = documentedSchema,
): WantedValues | undefined {
  const { field, written, wants } = placeAt(text, within(text, cursor), schema);
  return field && (wants.includes('value') || wants.includes('bound')) ? { field, written } : undefined;
}

function within(text: string, cursor: number): number {
  return Math.min(Math.max(0, Math.floor(cursor) || 0), text.length);
}

/** Candidates that what is written may mean: those that begin with it, then those that have it inside; fields about it where there are none. */
function ranked(lists: readonly (readonly Candidate[])[], written: string): readonly Candidate[] {
  const lower = written.toLowerCase();
  const [beginning, inside, about]: [Candidate[], Candidate[], Candidate[]] = [[], [], []];
  for (const candidate of lists.flat()) {
    const says = candidate.says.toLowerCase();
    if (says.startsWith(lower)) beginning.push(candidate);
    else if (says.includes(lower)) inside.push(candidate);
    else if (candidate.kind === 'field' && isAbout(candidate, lower)) about.push(candidate);
  }
  const found = [...beginning, ...inside];
  return 0 < found.length ? found : about;
}

/** Whether a word of what is said about a field begins like this; one letter would say nothing. */
function isAbout({ detail }: Candidate, begun: string): boolean {
  return 1 < begun.length && ` ${detail.toLowerCase()}`.includes(` ${begun}`);
}

/** Puts blanks around a text where it would grow together with its neighbours. Only these four characters are blanks to the engine. */
function separated(insert: string, text: string, { from, to, wants }: Place): string {
  if (wants.includes('name')) return insert;
  const [before, after] = [text.charAt(from - 1), text.charAt(to)];
  const isGlued = /[^ \t\r\n\u3000([{:+\-!]/.test(before);
  const isMoreToCome = /[:[("<>=]$/.test(insert);
  const touches = /[^ \t\r\n\u3000)\]}~^]/.test(after) && !isMoreToCome;
  // Behind a word operator something has to follow.
  const isWord = /^(AND|OR|NOT|TO)$/.test(insert) && !/[ \t\r\n\u3000]/.test(after);
  return `${isGlued ? ' ' : ''}${insert}${touches || isWord ? ' ' : ''}`;
}

/** Tells whether a text gets no worse by a candidate, once it is finished. Those of one shape are alike. */
function fitting(text: string, { from, to }: Place): (insert: string, candidate: Candidate) => boolean {
  const isNoWorse = noWorseThan(text);
  const known = new Map<string, boolean>();
  return (insert, { ending }) => {
    const shape = insert.replace(/[\p{L}\p{N}_]+/gu, 'x') + ending;
    const fits = known.get(shape) ?? isNoWorse(text.slice(0, from) + insert + ending + text.slice(to));
    known.set(shape, fits);
    return fits;
  };
}
