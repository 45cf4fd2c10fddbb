import type { Phrase } from '../../meaning/filter.ts';
import { type Entry, spanOfBits } from './entry.ts';
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
    if (!frequent || !('bits' in frequent)) for (const id of together(first, entries)) ids.push(id);
    else
      unsure.push({
        span: spanOfBits(first, frequent.bits),
        ...(rarest && 'ids' in rarest && { ids: rarest.ids }),
      });
  }
  return { ids, unsure };
}

function bySlice(entries: readonly Entry[]): ReadonlyMap<number, Entry> {
  return new Map(entries.map((entry) => [entry.first, entry]));
}

/** What is known of a word, and at which place in the phrase it stands. */
interface Placed extends Entry {
  readonly offset: number;
}

/** The words of a phrase in a slice, the rarest first. */
function placed(words: readonly ReadonlyMap<number, Entry>[], first: number): readonly Placed[] {
  const entries = words.flatMap((each, offset) => {
    const entry = each.get(first);
    return entry ? [{ ...entry, offset }] : [];
  });
  return entries.sort((one, other) => one.count - other.count);
}

/** The ids of a slice at which each word stands one behind the word before. */
function together(first: number, words: readonly Placed[]): readonly number[] {
  let starts: Set<number> | undefined;
  for (const { logs, offset } of words) {
    const kept = new Set<number>();
    if ('ids' in logs)
      for (const [at, id] of logs.ids.entries()) {
        const start = (id - first) * idStep + (logs.positions[at] ?? 0) + words.length - offset;
        if (starts?.has(start) ?? true) kept.add(start);
      }
    starts = kept;
  }
  return [...(starts ?? [])].map((start) => first + Math.floor(start / idStep));
}

/** Positions are smaller: the place of a word is one number, exact since a slice has few ids. */
const idStep = 2 ** 32;
