import { type LogSource, type StoredLog, sourceOf } from '../case/index.ts';
import {
  analyze,
  type Document,
  type Filter,
  isPlainValue,
  matchAllFilter,
  matchDocument,
  parse,
  quote,
  resolve,
  toDocument,
  validate,
} from '../language/index.ts';
import type { Log, TextField } from '../records/index.ts';
import type { AnyLogSource } from './log-source.ts';
import { maskMessage } from './mask-message.ts';

/** Logs of one case to learn a query from. */
export interface LogExamples {
  readonly liked: readonly StoredLog[];
  readonly unliked: readonly StoredLog[];
}

/** A log that no query tells from another one: by level, code, source, words and others both are alike. */
export interface InseparableLogs {
  readonly liked: number;
  /** The id of an unliked log; absent if the liked one has no value that a query can ask for. */
  readonly unliked?: number;
}

/** A query that selects logs like some and not like others. */
export interface SuggestedQuery {
  /**
   * In the documented dialect, without a finding of the checks. Absent if no liked log can be
   * told from all unliked ones.
   */
  readonly query?: string;
  /** Logs of the case that it selects. */
  readonly selected: number;
  /** All logs of the case. */
  readonly total: number;
  /** The numbers of the examples, and of those that the query selects. */
  readonly liked: ExampleCount;
  readonly unliked: ExampleCount;
  /** Empty if the query selects all liked logs and no unliked one. */
  readonly inseparable: readonly InseparableLogs[];
}

/** Examples, and those that a query selects. */
export interface ExampleCount {
  readonly selected: number;
  readonly total: number;
}

/** An example, and the log that it is. */
interface LogExample extends ExampleLog {
  readonly stored: StoredLog;
}

/**
 * Suggests the shortest query that selects all liked logs and no unliked one. Without unliked
 * logs, clauses are added as long as each makes the selection of the case much smaller. Logs that
 * cannot be told apart are named.
 *
 * ```ts
 * const [liked = [], unliked = []] = await Promise.all(
 *   ['requestID:a', 'requestID:b'].map((query) => findLogs(incident, filterOf(query), { limit: 20 })),
 * );
 * const { query } = await suggestQuery(incident, { liked, unliked });
 * ```
 */
export async function suggestQuery(
  of: AnyLogSource,
  { liked, unliked }: LogExamples,
): Promise<SuggestedQuery> {
  const from = sourceOf(of);
  const cache: AtomCache = new Map();
  const toExample = (stored: StoredLog): LogExample => ({
    stored,
    document: toDocument({ ...stored.log }),
    atoms: atomsOf(stored.log, cache),
  });
  const examples = { liked: liked.map(toExample), unliked: unliked.map(toExample) };
  const matches = createMatcher();
  const inseparable = findInseparable(examples, matches);
  const separable = examples.liked.filter((example) => !inseparable.has(example));
  const total = await from.countLogs(matchAllFilter);
  const sample = { from, oneIn: Math.max(1, Math.floor(total / sampleSize)) };
  const query = textOf(await chooseConjunctions(sample, { ...examples, liked: separable }, matches));
  const filter = resolve(parse(query).query);
  const countOf = (list: readonly LogExample[]): ExampleCount => ({
    selected: query === '' ? 0 : list.filter(({ document }) => matchDocument(filter, document)).length,
    total: list.length,
  });
  return {
    ...(query !== '' && { query }),
    selected: query === '' ? 0 : await from.countLogs(filter),
    total,
    liked: countOf(examples.liked),
    unliked: countOf(examples.unliked),
    inseparable: [...inseparable].map(([like, other]) => ({
      liked: like.stored.id,
      ...(other && { unliked: other.stored.id }),
    })),
  };
}

interface Examples {
  readonly liked: readonly LogExample[];
  readonly unliked: readonly LogExample[];
}

/** The liked logs that no conjunction tells from an unliked one, with that one. */
function findInseparable(
  { liked, unliked }: Examples,
  matches: Matcher,
): ReadonlyMap<LogExample, LogExample | undefined> {
  const found = new Map<LogExample, LogExample | undefined>();
  for (const like of liked) {
    if (like.atoms.length === 0) found.set(like, undefined);
    const other = unliked.find(
      (example) =>
        like.atoms.every((atom) => matches(atom, example)) &&
        example.atoms.every((atom) => matches(atom, like)),
    );
    if (other) found.set(like, other);
  }
  return found;
}

/**
 * One conjunction for all liked logs, or one for each of their codes: what is shorter and selects
 * fewer logs. If there is neither, several conjunctions, each for as many liked logs as possible.
 */
async function chooseConjunctions(
  sample: Sample,
  { liked, unliked }: Examples,
  matches: Matcher,
): Promise<readonly Conjunction[]> {
  if (liked.length === 0) return [];
  const byCode = Object.values(groupByCode(liked));
  const groups = byCode.length <= mostCodes ? [[liked], byCode] : [[liked]];
  let best: { readonly conjunctions: readonly Conjunction[]; readonly score: number } | undefined;
  for (const parts of groups) {
    const found = parts.map((part) => separatingConjunctions(part, unliked, matches));
    if (found.some(({ length }) => length === 0)) continue;
    const conjunctions: Conjunction[] = [];
    for (const [index, part] of parts.entries())
      conjunctions.push(await chooseByCount(sample, found[index] ?? [], commonAtomsOf(part, matches)));
    const score = await scoreOf(sample, conjunctions);
    if (best === undefined || score < best.score) best = { conjunctions, score };
  }
  return needed(best?.conjunctions ?? coverLiked(liked, unliked, matches), liked, matches);
}

/** The conjunctions without those whose logs the others select too. */
function needed(
  conjunctions: readonly Conjunction[],
  liked: readonly ExampleLog[],
  matches: Matcher,
): readonly Conjunction[] {
  return conjunctions.reduceRight<readonly Conjunction[]>((kept, conjunction) => {
    const others = kept.filter((other) => other !== conjunction);
    const selected = new Set(others.flatMap((other) => selectedBy(other, liked, matches)));
    return selected.size === liked.length ? others : kept;
  }, conjunctions);
}

/** Most codes that are asked for one by one. */
const mostCodes = 6;

function groupByCode(liked: readonly LogExample[]): Readonly<Record<string, readonly LogExample[]>> {
  const groups: Record<string, LogExample[]> = {};
  for (const example of liked) {
    const key = String(example.stored.log.logCode);
    groups[key] = [...(groups[key] ?? []), example];
  }
  return groups;
}

async function scoreOf(sample: Sample, conjunctions: readonly Conjunction[]): Promise<number> {
  const [count = 0] = await countInSample(sample, [conjunctions]);
  const costs = conjunctions.reduce((sum, conjunction) => sum + costOf(conjunction), 0);
  return costs + charactersPerHalving * Math.log2(1 + count);
}

/** A case, of whose blocks of logs one in some is counted to compare queries. The result is counted whole. */
interface Sample {
  readonly from: LogSource;
  readonly oneIn: number;
}

/** Logs that are counted to compare queries. */
const sampleSize = 30_000;

async function countInSample(
  { from, oneIn }: Sample,
  queries: readonly (readonly Conjunction[])[],
): Promise<readonly number[]> {
  const filters = queries.map((query) => resolve(parse(textOf(query)).query));
  const counts = await from.countEach(filters, oneIn);
  return counts.map((count) => count * oneIn);
}

function coverLiked(
  liked: readonly ExampleLog[],
  unliked: readonly ExampleLog[],
  matches: Matcher,
): readonly Conjunction[] {
  const chosen: Conjunction[] = [];
  let rest = liked;
  while (0 < rest.length) {
    const next = conjunctionForMost(rest, unliked, matches);
    if (!next) throw new Error('A liked log that can be told apart has no conjunction');
    chosen.push(next);
    const selected = new Set(selectedBy(next, rest, matches));
    rest = rest.filter((log) => !selected.has(log));
  }
  return chosen;
}

function commonAtomsOf(liked: readonly ExampleLog[], matches: Matcher): readonly AtomClause[] {
  return commonAtoms(liked, matches).map((atom) => ({ atom, isNegated: false }));
}

/** A conjunction for the first example that is for as many of the others as possible. */
function conjunctionForMost(
  liked: readonly ExampleLog[],
  unliked: readonly ExampleLog[],
  matches: Matcher,
): Conjunction | undefined {
  const [first] = liked;
  if (!first) return undefined;
  let group: readonly ExampleLog[] = [first];
  for (const example of liked.slice(1))
    if (isSeparable([...group, example], unliked, matches)) group = [...group, example];
  return separatingConjunctions(group, unliked, matches)[0];
}

/** Characters that a clause may take for each halving of the number of selected logs. */
const charactersPerHalving = 14;

/** Common atoms that may be added to a conjunction. */
const mostAdded = 15;

/** Most clauses, and the clauses that are added for the sake of the count: atoms without a penalty alone. */
const [mostClauses, mostCost] = [3, 60];

/** Of conjunctions that do the same, one that is short and selects few logs of the case. */
async function chooseByCount(
  sample: Sample,
  found: readonly Conjunction[],
  common: readonly AtomClause[],
): Promise<Conjunction> {
  let best = await cheapestOf(sample, found);
  const addable = common.filter(({ atom }) => atom.cost <= mostCost).slice(0, mostAdded);
  while (best.conjunction.length < mostClauses) {
    const { conjunction } = best;
    const texts = new Set(conjunction.map(({ atom }) => atom.text));
    const longer = addable
      .filter(({ atom }) => !texts.has(atom.text))
      .map((clause) => [...conjunction, clause]);
    if (longer.length === 0) break;
    const next = await cheapestOf(sample, longer);
    if (best.score <= next.score) break;
    best = next;
  }
  return best.conjunction;
}

interface Scored {
  readonly conjunction: Conjunction;
  readonly score: number;
}

async function cheapestOf(sample: Sample, conjunctions: readonly Conjunction[]): Promise<Scored> {
  const counts = await countInSample(
    sample,
    conjunctions.map((conjunction) => [conjunction]),
  );
  const scored = conjunctions.map((conjunction, index): Scored => {
    const count = counts[index] ?? 0;
    return { conjunction, score: costOf(conjunction) + charactersPerHalving * Math.log2(1 + count) };
  });
  const [first, ...others] = scored;
  if (!first) throw new Error('There is no conjunction to choose from');
  return others.reduce((best, other) => (other.score < best.score ? other : best), first);
}

/** Conjunctions as a query; groups where AND and OR would meet. */
function textOf(conjunctions: readonly Conjunction[]): string {
  const texts = conjunctions.map((clauses) => {
    const ordered = clauses.toSorted((a, b) => Number(a.isNegated) - Number(b.isNegated));
    const text = ordered.map(({ atom, isNegated }) => `${isNegated ? 'NOT ' : ''}${atom.text}`).join(' AND ');
    return 1 < clauses.length && 1 < conjunctions.length ? `(${text})` : text;
  });
  return texts.join(' OR ');
}

/** A log of an example: its values for matching, and the atoms that select it. */
interface ExampleLog {
  readonly document: Document;
  readonly atoms: readonly Atom[];
}

/** An atom that must match, or must not. */
interface AtomClause {
  readonly atom: Atom;
  readonly isNegated: boolean;
}

/** Clauses that must all hold; at least one of them is not negated. */
type Conjunction = readonly AtomClause[];

/** Returns whether an atom selects an example. */
type Matcher = (atom: Atom, example: ExampleLog) => boolean;

/** A matcher that caches its results. */
function createMatcher(): Matcher {
  const cache = new Map<Atom, Map<ExampleLog, boolean>>();
  return (atom, example) => {
    const known = cache.get(atom) ?? new Map<ExampleLog, boolean>();
    cache.set(atom, known);
    const found = known.get(example) ?? matchDocument(atom.filter, example.document);
    known.set(example, found);
    return found;
  };
}

/** A clause, and the unliked examples that it excludes. */
interface Candidate {
  readonly clause: AtomClause;
  readonly excludes: ReadonlySet<ExampleLog>;
}

/** Clauses whose cheapest combination is searched; three of them are 36,000 combinations. */
const mostCandidates = 60;

/**
 * Lists conjunctions that select all liked examples and no unliked one, the cheapest first and at
 * most 16; empty if there is none. Conjunctions of up to three clauses are searched exhaustively,
 * longer ones are built clause by clause.
 */
function separatingConjunctions(
  liked: readonly ExampleLog[],
  unliked: readonly ExampleLog[],
  matches: Matcher,
): readonly Conjunction[] {
  const common = commonAtoms(liked, matches);
  const [cheapest] = common;
  if (!cheapest) return [];
  const positive = { atom: cheapest, isNegated: false };
  if (unliked.length === 0) return common.slice(0, 16).map((atom) => [{ atom, isNegated: false }]);
  const candidates = candidatesFor(common, { liked, unliked, matches });
  const small = smallCombinations(candidates, unliked.length);
  const found = 0 < small.length ? small : greedyCombination(candidates, unliked.length);
  return found
    .map((clauses) => (clauses.every(({ isNegated }) => isNegated) ? [positive, ...clauses] : clauses))
    .toSorted((a, b) => costOf(a) - costOf(b))
    .slice(0, 16);
}

/** Returns whether one conjunction can select all liked examples and no unliked one. */
function isSeparable(
  liked: readonly ExampleLog[],
  unliked: readonly ExampleLog[],
  matches: Matcher,
): boolean {
  const common = commonAtoms(liked, matches);
  if (common.length === 0) return false;
  const excluded = candidatesFor(common, { liked, unliked, matches }).flatMap(({ excludes }) => [
    ...excludes,
  ]);
  return new Set(excluded).size === unliked.length;
}

/** The atoms that select all examples, the cheapest first. */
function commonAtoms(examples: readonly ExampleLog[], matches: Matcher): readonly Atom[] {
  const [first, ...others] = examples;
  return (first?.atoms ?? [])
    .filter((atom) => others.every((example) => matches(atom, example)))
    .toSorted((a, b) => a.cost - b.cost);
}

/** Characters that a clause takes beside its atom; one behind NOT also describes other logs than these. */
const [andCost, notCost] = [5, 30];

/** The length of a conjunction, with penalties. */
function costOf(conjunction: Conjunction): number {
  return conjunction.reduce(
    (sum, { atom, isNegated }) => sum + atom.cost + (isNegated ? notCost : andCost),
    0,
  );
}

interface SeparateExamples {
  readonly liked: readonly ExampleLog[];
  readonly unliked: readonly ExampleLog[];
  readonly matches: Matcher;
}

/**
 * Clauses that select all liked examples: common atoms, and atoms of unliked examples behind NOT.
 * Of those that exclude the same examples only the cheapest.
 */
function candidatesFor(
  common: readonly Atom[],
  { liked, unliked, matches }: SeparateExamples,
): readonly Candidate[] {
  const excludedBy = (clause: AtomClause) =>
    new Set(unliked.filter((example) => matches(clause.atom, example) === clause.isNegated));
  const candidates = common.map((atom): Candidate => {
    const clause = { atom, isNegated: false };
    return { clause, excludes: excludedBy(clause) };
  });
  const open = new Set(unliked);
  for (const example of unliked) {
    // Each example is looked at until something excludes it: all atoms of all of them are too many.
    if (!open.has(example)) continue;
    for (const atom of example.atoms) {
      if (liked.some((log) => matches(atom, log))) continue;
      const clause = { atom, isNegated: true };
      const excludes = excludedBy(clause);
      candidates.push({ clause, excludes });
      for (const exclude of excludes) open.delete(exclude);
    }
  }
  return cheapestOfEach(candidates, unliked);
}

function cheapestOfEach(
  candidates: readonly Candidate[],
  unliked: readonly ExampleLog[],
): readonly Candidate[] {
  const numbers = new Map(unliked.map((example, index) => [example, index]));
  const cheapest = new Map<string, Candidate>();
  for (const candidate of candidates.toSorted((a, b) => costOf([a.clause]) - costOf([b.clause]))) {
    const key = [...candidate.excludes].map((example) => numbers.get(example)).join(' ');
    if (key !== '' && !cheapest.has(key)) cheapest.set(key, candidate);
  }
  return [...cheapest.values()];
}

/** All combinations of up to three of the candidates that exclude the most, as many as are needed. */
function smallCombinations(candidates: readonly Candidate[], unliked: number): readonly Conjunction[] {
  const single = candidates.filter(({ excludes }) => excludes.size === unliked);
  const strongest = candidates.toSorted((a, b) => b.excludes.size - a.excludes.size).slice(0, mostCandidates);
  const pairs = pairsOf(strongest);
  const excludedByPair = pairs.map(([a, b]) => union(a, b));
  const double = pairs.filter((_, index) => excludedByPair[index]?.size === unliked);
  if (0 < single.length + double.length)
    return [...single.map((candidate) => [candidate]), ...double].map((combination) =>
      combination.map(({ clause }) => clause),
    );
  return pairs.flatMap(([a, b], index) => {
    const both = excludedByPair[index] ?? new Set();
    const rest = strongest.slice(strongest.indexOf(b) + 1);
    return rest
      .filter(({ excludes }) => unliked <= both.size + excludes.size && isCovered(both, excludes, unliked))
      .map((c) => [a.clause, b.clause, c.clause]);
  });
}

function pairsOf(candidates: readonly Candidate[]): readonly (readonly [Candidate, Candidate])[] {
  return candidates.flatMap((a, index) => candidates.slice(index + 1).map((b) => [a, b] as const));
}

function union(a: Candidate, b: Candidate): ReadonlySet<ExampleLog> {
  return new Set([...a.excludes, ...b.excludes]);
}

function isCovered(both: ReadonlySet<ExampleLog>, more: ReadonlySet<ExampleLog>, count: number): boolean {
  let size = both.size;
  for (const example of more) if (!both.has(example)) size += 1;
  return size === count;
}

/** One combination, in which each clause excludes the most of what is left. */
function greedyCombination(candidates: readonly Candidate[], unliked: number): readonly Conjunction[] {
  const excluded = new Set<ExampleLog>();
  const chosen: AtomClause[] = [];
  while (excluded.size < unliked) {
    const gain = ({ excludes }: Candidate) =>
      [...excludes].filter((exclude) => !excluded.has(exclude)).length;
    const best = candidates.reduce<{ readonly candidate: Candidate; readonly gain: number } | undefined>(
      (before, candidate) => {
        const own = gain(candidate);
        return own <= (before?.gain ?? 0) ? before : { candidate, gain: own };
      },
      undefined,
    );
    if (!best) return [];
    chosen.push(best.candidate.clause);
    for (const example of best.candidate.excludes) excluded.add(example);
  }
  return [chosen];
}

/** The liked examples that a conjunction selects. */
function selectedBy(
  conjunction: Conjunction,
  examples: readonly ExampleLog[],
  matches: Matcher,
): readonly ExampleLog[] {
  return examples.filter((example) =>
    conjunction.every(({ atom, isNegated }) => matches(atom, example) !== isNegated),
  );
}

/** A clause that a query can consist of. */
interface Atom {
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
type AtomCache = Map<string, readonly Atom[]>;

/**
 * Lists the clauses in the documented dialect that select a log. They concern its code, level and
 * other values, words and phrases of its message, words of its stack trace, and its duration.
 * Times and ids of requests, processes and threads have none: a query for them would select no log
 * like this one.
 */
function atomsOf(log: Log, cache: AtomCache): readonly Atom[] {
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
  const text = value !== undefined && isPlainValue(value) ? value : word;
  return `${field}:${isPlainValue(text) ? text : quote(text)}`;
}

function phraseClause(field: TextField, words: readonly string[]): string {
  return `${field}:${quote(words.slice(0, maxPhrase).join(' '))}`;
}
