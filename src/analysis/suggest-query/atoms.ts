import type { Filter } from '../../language/index.ts';
import { analyze, isPlainValue, parse, quote, resolve, validate } from '../../language/index.ts';
import type { Log, TextField } from '../../records/index.ts';
import { maskMessage } from '../message-patterns/mask-message.ts';

/** A clause that a query can consist of. */
export interface Atom {
  readonly text: string;
  readonly filter: Filter;
  /** Length, and a penalty for what is true of few logs by accident, such as a number in a message. */
  readonly cost: number;
}

/** Penalties in characters: of a value that varies from log to log, and of a whole long text. */
const [variable, whole] = [100, 300];

/** Penalty of a phrase such as "is a", which says as little as a word. */
const shortPhrase = 15;

/** Words of a text that are looked at, and words of a phrase for a whole text. */
const [maxWords, maxPhrase] = [200, 100];

/** Values that stand for a kind of log, and those that stand for a place. */
const kinds: readonly TextField[] = ['logLevel', 'source', 'serviceTypes', 'className', 'methodName'];
const places: readonly TextField[] = ['username', 'machine'];

/** Atoms by their text, as many logs have the same; none for a text that is no valid clause. */
export type AtomCache = Map<string, readonly Atom[]>;

/**
 * Lists the clauses in the documented dialect that select a log. They concern its code, level and
 * other values, words and phrases of its message, words of its stack trace, and its duration.
 * Times and ids of requests, processes and threads have none: a query for them would select no log
 * like this one.
 */
export function atomsOf(log: Log, cache: AtomCache): readonly Atom[] {
  const add = (text: string, penalty = 0): readonly Atom[] => {
    const atoms = cache.get(text) ?? toAtoms(text, penalty);
    cache.set(text, atoms);
    return atoms;
  };
  return [
    ...(log.logCode === undefined ? [] : add(`logCode:${numberText(log.logCode)}`)),
    ...kinds.flatMap((field) => valueClauses(field, log[field]).flatMap(([text, part]) => add(text, part))),
    ...places.flatMap((field) =>
      valueClauses(field, log[field]).flatMap(([text, part]) => add(text, part + variable / 2)),
    ),
    ...messageClauses(log.msg ?? '').flatMap(([text, penalty]) => add(text, penalty)),
    ...wordsOf(log.stackTraces).flatMap((word) => add(wordClause('stackTraces', word), variable / 2)),
    ...(log.elapsed === undefined ? [] : add(`elapsed:[${log.elapsed} TO ${log.elapsed}]`, whole)),
  ];
}

/** The atom of a text; none if the checks of queries have something against it. */
function toAtoms(text: string, penalty: number): readonly Atom[] {
  // A clause that a terminal has to escape could not be copied.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return [];
  const { query, findings } = parse(text);
  const problems = [...findings, ...validate(query)].filter(({ severity }) => severity !== 'hint');
  if (0 < problems.length) return [];
  return [{ text, filter: resolve(query), cost: text.length + penalty }];
}

function numberText(value: number | bigint): string {
  return value < 0 ? quote(String(value)) : String(value);
}

/** The whole value as a phrase, and its single words; each with its penalty. */
function valueClauses(
  field: TextField,
  value: string | undefined,
): readonly (readonly [text: string, penalty: number])[] {
  const words = wordsOf(value);
  if (words.length < 2) return words.map((word) => [wordClause(field, word, value), 0]);
  return [
    [phraseClause(field, words), 0],
    ...[...new Set(words)].map((word) => [wordClause(field, word), wordPenalty(word)] as const),
  ];
}

/** Phrases of the literal words of a message, its words, and the whole of it; each with its penalty. */
function messageClauses(message: string): readonly (readonly [text: string, penalty: number])[] {
  const literal = literalRuns(message);
  const fixed = new Set(literal.flat());
  const words = wordsOf(message);
  return [
    ...literal.flatMap((run) =>
      phrasesOf(run).map(
        (phrase) => [phraseClause('msg', phrase), phrase.join(' ').length < 10 ? shortPhrase : 0] as const,
      ),
    ),
    ...[...new Set(words)].map(
      (word) => [wordClause('msg', word), fixed.has(word) ? wordPenalty(word) : variable] as const,
    ),
    ...(words.length < 2 ? [] : [[phraseClause('msg', words), whole] as const]),
  ];
}

/** A single word says less of a log than its code or a phrase, and words such as "of" say little. */
function wordPenalty(word: string): number {
  return word.length < 4 ? 40 : 15;
}

/** The runs of words of a message that its mask leaves as they are. */
function literalRuns(message: string): readonly (readonly string[])[] {
  return maskMessage(message)
    .split(/\S*<[a-z*]+>\S*/)
    .map((part) => analyze(part).slice(0, maxWords))
    .filter((run) => 0 < run.length);
}

/** Phrases of two, three and four words, and the whole run up to twelve. */
function phrasesOf(run: readonly string[]): readonly (readonly string[])[] {
  const some = [2, 3, 4].flatMap((length) =>
    run.slice(0, 20).flatMap((_, at) => (at + length <= run.length ? [run.slice(at, at + length)] : [])),
  );
  return 4 < run.length ? [...some, run.slice(0, 12)] : some;
}

function wordsOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : analyze(text).slice(0, maxWords);
}

/** A clause for a word; where the value is that word alone, as the value is written. */
function wordClause(field: TextField, word: string, value?: string): string {
  const written = value !== undefined && isPlainValue(value) ? value : word;
  return `${field}:${isPlainValue(written) ? written : quote(written)}`;
}

function phraseClause(field: TextField, words: readonly string[]): string {
  return `${field}:${quote(words.slice(0, maxPhrase).join(' '))}`;
}
