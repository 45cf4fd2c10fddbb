import type { Phrase } from '../../meaning/filter.ts';
import type { Entry } from './entry.ts';
import { type FoundTerms, termId } from './find-terms.ts';

/** Which logs have a phrase. */
export interface PhraseLogs {
  readonly ids: readonly number[];
  /** The slices in which there may be more: the index has no positions of a word that is frequent there. */
  readonly unsure: readonly Unsure[];
}

/** A slice whose texts have to be looked into. */
export interface Unsure {
  readonly span: readonly [firstId: number, lastId: number];
  /** Logs that have a word: no others can have the phrase. Undefined when all words are frequent. */
  readonly ids?: Uint32Array | undefined;
}

/** The logs in which the words of a phrase stand one behind the other. */
export function logsOfPhrase({ field, terms }: Phrase, found: FoundTerms): PhraseLogs {
  const words = terms.map((term) => bySlice(found.get(termId({ kind: 'term', field, term })) ?? []));
  const ids: number[] = [];
  const unsure: Unsure[] = [];
  for (const first of words[0]?.keys() ?? []) {
    const entries = placed(words, first);
    if (entries.length < words.length) continue;
    const [rarest, frequent] = [entries[0]?.logs, entries.at(-1)?.logs];
    if (!frequent || 'ids' in frequent) for (const id of together(first, entries)) ids.push(id);
    else unsure.push({ span: frequent.span, ...(rarest && 'ids' in rarest && { ids: rarest.ids }) });
  }
  return { ids, unsure };
}

function bySlice(entries: readonly Entry[]): ReadonlyMap<number, Entry> {
  return new Map(entries.map((entry) => [entry.first, entry]));
}

/** What is known of a word, and how many words of the phrase there are from it on. */
interface Placed extends Entry {
  readonly rest: number;
}

/** The words of a phrase in a slice, the rarest first. */
function placed(words: readonly ReadonlyMap<number, Entry>[], first: number): readonly Placed[] {
  const entries = words.flatMap((each, offset) => {
    const entry = each.get(first);
    return entry ? [{ ...entry, rest: words.length - offset }] : [];
  });
  return entries.sort((one, other) => one.count - other.count);
}

/** The ids of a slice at which each word stands one behind the word before. */
function together(first: number, [rarest, ...others]: readonly Placed[]): Float64Array {
  let ends = rarest ? inOrder(endsIn(first, rarest)) : new Float64Array();
  for (const word of others) ends = common(ends, inOrder(endsIn(first, word)));
  return ends.map((end) => first + Math.floor(end / idStep));
}

/** Where the phrase ends if a word is part of it, for each time that a log of a slice has the word. */
function endsIn(first: number, { logs, rest }: Placed): Float64Array {
  if ('bits' in logs) return new Float64Array();
  const { ids, positions } = logs;
  const ends = new Float64Array(ids.length);
  for (let at = 0; at < ends.length; at++)
    ends[at] = ((ids[at] ?? 0) - first) * idStep + (positions[at] ?? 0) + rest;
  return ends;
}

/** Numbers in order: the database mostly lists the logs of a word as they follow on. */
function inOrder(numbers: Float64Array): Float64Array {
  return numbers.every((number, at) => at === 0 || (numbers[at - 1] ?? number) < number)
    ? numbers
    : numbers.sort();
}

/** The numbers that two lists in order have in common; each list has a number once. */
function common(some: Float64Array, others: Float64Array): Float64Array {
  const kept = new Float64Array(some.length);
  let [at, count] = [0, 0];
  for (const number of others) {
    while ((some[at] ?? number) < number) at++;
    if (some[at] === number) kept[count++] = number;
  }
  return kept.subarray(0, count);
}

/** Positions are smaller: the place of a word is one number, exact since a slice has few ids. */
const idStep = 2 ** 32;
