import type { Dialect } from '../meaning/dialect.ts';
import { documentedSchema, type Field, type Schema } from '../meaning/fields.ts';
import type { Span } from '../parse/tree.ts';
import { type Candidate, type CountedValue, candidatesFor, type Suggestion } from './candidates.ts';
import { noWorseThan } from './no-worse-than.ts';
import { type CursorPlace, placeAt } from './place.ts';

/** The sources and limits of a completion. */
export interface CompleteOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `documented` unless given. */
  readonly dialect?: Dialect;
  /**
   * Values by the names of their fields, the most frequent first, beside those of
   * the schema. Only those of the field that `wantedValues` names are read.
   */
  readonly values?: ReadonlyMap<string, readonly CountedValue[]>;
  /** The maximum number of suggestions; 50 unless given. */
  readonly limit?: number;
}

/** The suggestions at a cursor. Each replaces the span, which contains the cursor. */
export interface Completion extends Span {
  /** The likeliest first. */
  readonly suggestions: readonly Suggestion[];
}

/**
 * Suggests fields, values and operators at a cursor, an offset in UTF-16 units. Any
 * text is accepted, finished or not. Suggestions that begin with the written text
 * come first, then those that contain it; case does not matter. No suggestion adds
 * a syntax error, and a suggested value selects the logs that have it.
 *
 * ```ts
 * complete('logLevel:se', 11).suggestions[0]?.insert; // 'SEVERE'
 * ```
 */
export function complete(text: string, cursor: number, options: CompleteOptions = {}): Completion {
  const { schema = documentedSchema, dialect = 'documented', values = new Map(), limit = 50 } = options;
  const place = placeAt(text, clampCursor(text, cursor), schema);
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

/** The field whose values would help at a cursor. */
export interface WantedValues {
  readonly field: Field;
  /** The text of the value in front of the cursor, without quotes and escapes. */
  readonly written: string;
}

/**
 * The field whose values could stand at a cursor, or undefined. Fetch its values
 * from a case before calling `complete`.
 *
 * ```ts
 * const wanted = wantedValues('source:Sh', 9); // the field whose values belong there
 * ```
 */
export function wantedValues(
  text: string,
  cursor: number,
  schema = documentedSchema,
): WantedValues | undefined {
  const { field, written, wants } = placeAt(text, clampCursor(text, cursor), schema);
  return field && (wants.includes('value') || wants.includes('bound')) ? { field, written } : undefined;
}

function clampCursor(text: string, cursor: number): number {
  return Math.min(Math.max(0, Math.floor(cursor) || 0), text.length);
}

/** Candidates that begin with the written text, then those that contain it; if there are none, fields described by it. */
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

/** Returns whether a word in the description of a field begins with a text of at least two letters. */
function isAbout({ detail }: Candidate, begun: string): boolean {
  return 1 < begun.length && ` ${detail.toLowerCase()}`.includes(` ${begun}`);
}

/** Puts blanks around a text that would join its neighbours. Only these characters are blanks to the engine. */
function separated(insert: string, text: string, { from, to, wants }: CursorPlace): string {
  if (wants.includes('name')) return insert;
  const [before, after] = [text.charAt(from - 1), text.charAt(to)];
  const isGlued = /[^ \t\r\n\u3000([{:+\-!]/.test(before);
  const isMoreToCome = /[:[("<>=]$/.test(insert);
  const touches = /[^ \t\r\n\u3000)\]}~^]/.test(after) && !isMoreToCome;
  // A word operator needs a blank behind it.
  const isWord = /^(AND|OR|NOT|TO)$/.test(insert) && !/[ \t\r\n\u3000]/.test(after);
  return `${isGlued ? ' ' : ''}${insert}${touches || isWord ? ' ' : ''}`;
}

/** A test whether a candidate adds no syntax error. Candidates of one shape share the answer. */
function fitting(text: string, { from, to }: CursorPlace): (insert: string, candidate: Candidate) => boolean {
  const isNoWorse = noWorseThan(text);
  const known = new Map<string, boolean>();
  return (insert, { ending }) => {
    const shape = insert.replace(/[\p{L}\p{N}_]+/gu, 'x') + ending;
    const fits = known.get(shape) ?? isNoWorse(text.slice(0, from) + insert + ending + text.slice(to));
    known.set(shape, fits);
    return fits;
  };
}
