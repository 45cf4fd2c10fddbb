import type { DuckDBConnection } from '@duckdb/node-api';
import { filterKey } from '../../logic/compare/filter-key.ts';
import { disMax, type Filter, type Phrase, type Range, type Term } from '../../meaning/filter.ts';
import type { Case } from '../case/case.ts';
import { type Condition, withCondition } from '../case/column-test.ts';
import type { Slice } from '../index-tables/slices.ts';
import {
  amongIds,
  amongNear,
  amongRows,
  amongSlices,
  areFar,
  conditionOf,
  toCondition,
  upTo,
} from './among.ts';
import { addAll, addId, type Bitmap, bitsFor, copyOf, emptyBitmap, keepOnly, removeAll } from './bitmap.ts';
import type { Entry } from './entry.ts';
import { type Found, findTerms, logsOf, termId } from './find-terms.ts';
import { idsTo } from './ids-to.ts';
import { type LogSet, setOfBits, setOfFew } from './log-set.ts';
import { logsOfPattern } from './pattern.ts';
import { findPlaces, logsOfPhrase, logsOfRarest } from './phrase.ts';
import { countWords, slicesOf, type WordCount } from './phrase-slices.ts';
import { type Plan, planOf, requiredTimes } from './plan.ts';
import { existing, isNarrow, rowsOf, type Snapshot, sliceStarts, snapshotOf, timesOf } from './snapshot.ts';
import { idsWithin, type Times } from './times.ts';

/** The logs that a filter selects, all of them and no other. */
export interface Hits {
  readonly count: number;
  /** Their ids: not to be changed. */
  readonly bitmap: () => Bitmap;
  /** As a condition on a row of `stored.logs`. */
  readonly condition: () => Condition;
  /** That a row is that of one of some logs, as SQL that binds nothing: the quickest way to few of them. */
  readonly among: (ids: readonly number[]) => Promise<string>;
  /** When logs were; undefined as long as it is not worth loading, and when there are too many of them to hold that. */
  readonly times: () => Promise<Times | undefined>;
}

/**
 * The logs that a filter selects, by the index of the tokens: what it does not
 * know is asked of the logs themselves. Undefined when there is no index or
 * the filter has no use for it.
 *
 * The connection has to be in a transaction that also holds what is done with
 * the hits, unless nobody can write to the case.
 */
export async function findHits(
  from: Case,
  connection: DuckDBConnection,
  filter: Filter,
): Promise<Hits | undefined> {
  if (from.tokenIndex === 'ignored') return undefined;
  const plan = planOf(filter);
  if (!plan.asksIndex) return undefined;
  const snapshot = await snapshotOf(from, connection);
  if (!snapshot) return undefined;
  const { count, bitmap } = await evaluate({ snapshot, connection }, filter, plan);
  return {
    ...{ count: count(), bitmap },
    condition: () => toCondition(bitmap(), count()),
    among: async (ids) => {
      if (!areFar(ids)) return amongNear(ids);
      return amongRows(await rowsOf(ids, snapshot, connection));
    },
    times: () => timesOf(snapshot, connection),
  };
}

/** What a filter is evaluated on. */
interface Searched {
  readonly snapshot: Snapshot;
  readonly connection: DuckDBConnection;
}

async function evaluate(searched: Searched, filter: Filter, plan: Plan): Promise<LogSet> {
  const { snapshot } = searched;
  // Not the key of a leaf, whose set ends where the index does.
  const key = `whole ${filterKey(filter)}`;
  const cached = snapshot.sets.get(key);
  if (cached) return cached;
  const times = requiredTimes(filter);
  const made =
    times && (await isNarrow(snapshot, searched.connection, times))
      ? setOfBits(await scanned(searched, filter, { among: [upTo(snapshot.lastId)] }))
      : await lookedUp(searched, filter, plan);
  snapshot.sets.set(key, made);
  return made;
}

async function lookedUp(searched: Searched, filter: Filter, plan: Plan): Promise<LogSet> {
  const { snapshot } = searched;
  const held = new Map<string, LogSet>();
  for (const key of plan.leaves.map(filterKey)) {
    const set = snapshot.sets.get(key);
    if (set) held.set(key, set);
  }
  const missing = plan.leaves.filter((leaf) => !held.has(filterKey(leaf)));
  const found = await findTerms(searched.connection, snapshot.runs, missing.filter(isTerm));
  const counts = await countWords(searched.connection, snapshot.runs, missing.filter(isPhrase));
  const sets = new Map<Filter, LogSet>();
  for (const each of plan.known) sets.set(each, await setOf({ ...searched, found, counts, held }, each));
  const among = [upTo(snapshot.covered)];
  const whole = sets.get(plan.filter);
  const covered = whole ?? setOfBits(await scanned(searched, plan.filter, { among, sets }));
  if (snapshot.covered === snapshot.lastId) return covered;
  // What is remembered of a part is not changed.
  const made = copyOf(covered.bitmap());
  await addUncovered(searched, filter, made);
  return setOfBits(made);
}

function isTerm(filter: Filter): filter is Term {
  return filter.kind === 'term';
}

function isPhrase(filter: Filter): filter is Phrase {
  return filter.kind === 'phrase';
}

interface Looking extends Searched {
  /** The logs of the terms that are not held. */
  readonly found: Found<Entry>;
  /** How often the words of the phrases are there that are not held. */
  readonly counts: Found<WordCount>;
  /** The sets of leaves that were remembered at the beginning: they are not looked up, whatever is forgotten meanwhile. */
  readonly held: ReadonlyMap<string, LogSet>;
}

/** The set of a filter that the index answers. */
async function setOf(looking: Looking, filter: Filter): Promise<LogSet> {
  const { snapshot, connection } = looking;
  switch (filter.kind) {
    case 'all':
      return existing(snapshot, connection);
    case 'none':
      return setOfFew(new Uint32Array(), bitsFor(snapshot.lastId));
    case 'disMax':
      return setOfBits(await union(looking, filter.filters));
    case 'bool':
      return setOfBits(await combination(looking, filter));
    default: {
      const key = filterKey(filter);
      const made = looking.held.get(key) ?? snapshot.sets.get(key) ?? (await leafSet(looking, filter));
      snapshot.sets.set(key, made);
      return made;
    }
  }
}

async function leafSet(looking: Looking, filter: Filter): Promise<LogSet> {
  if (filter.kind !== 'term') return setOfBits(await leafBits(looking, filter));
  return logsOf(looking.found.get(termId(filter)) ?? [], looking.snapshot.lastId);
}

async function leafBits(looking: Looking, filter: Filter): Promise<Bitmap> {
  const { snapshot, connection } = looking;
  switch (filter.kind) {
    case 'phrase':
      return phraseSet(looking, filter);
    case 'range':
      return (
        (await logsWithin(snapshot, connection, filter)) ??
        (await scanned(looking, filter, { among: [upTo(snapshot.covered)] }))
      );
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
    case 'termRange':
      return (
        (await logsOfPattern(connection, snapshot, filter)) ??
        (await scanned(looking, filter, { among: [upTo(snapshot.covered)] }))
      );
    default:
      throw new Error(`The index has no answer to "${filter.kind}"`);
  }
}

/** The logs that have a phrase: by the positions of its words, and in some slices by their texts. */
async function phraseSet(looking: Looking, phrase: Phrase): Promise<Bitmap> {
  const { connection, snapshot } = looking;
  const { runs, lastId } = snapshot;
  const starts = await sliceStarts(snapshot, connection);
  const { compared, lookedInto } = slicesOf(phrase, looking.counts, { runs, starts });
  const isFew = lookedInto.reduce((sum, { fewest }) => sum + fewest, 0) <= fewTexts;
  const asked = isFew ? [...compared, ...lookedInto] : compared;
  const places = await findPlaces(connection, runs, { phrase, slices: asked });
  const among = isFew ? [amongIds(logsOfRarest(phrase, lookedInto, places))] : amongSlices(lookedInto);
  const made =
    lookedInto.length === 0
      ? emptyBitmap(bitsFor(lastId))
      : await scanned(looking, phrase, { among, within: hull(lookedInto) });
  for (const id of logsOfPhrase(phrase, compared, places)) addId(made, id);
  return made;
}

/** Only so few texts are picked out sooner than all between them are looked through. */
const fewTexts = 30;

/** From the first of some slices to the last. */
function hull(slices: readonly Slice[]): Slice {
  return {
    firstId: Math.min(...slices.map(({ firstId }) => firstId)),
    lastId: Math.max(...slices.map(({ lastId }) => lastId)),
  };
}

async function logsWithin(
  snapshot: Snapshot,
  connection: DuckDBConnection,
  { lower, upper }: Range,
): Promise<Bitmap | undefined> {
  const times = await timesOf(snapshot, connection);
  if (!times) return undefined;
  const made = idsWithin(times, bitsFor(snapshot.lastId), { lower, upper });
  // Stretches that lie within the range were put in as a whole.
  keepOnly(made, (await existing(snapshot, connection)).bitmap());
  return made;
}

async function union(looking: Looking, filters: readonly Filter[]): Promise<Bitmap> {
  const made = emptyBitmap(bitsFor(looking.snapshot.lastId));
  for (const each of filters) addAll(made, (await setOf(looking, each)).bitmap());
  return made;
}

async function combination(
  looking: Looking,
  { must, should, mustNot }: Extract<Filter, { kind: 'bool' }>,
): Promise<Bitmap> {
  const required = must.length === 0 && 0 < should.length ? [disMax(should)] : must;
  const [first, ...others] = required;
  const from = await (first ? setOf(looking, first) : existing(looking.snapshot, looking.connection));
  const made = copyOf(from.bitmap());
  for (const each of others) keepOnly(made, (await setOf(looking, each)).bitmap());
  for (const each of mustNot) removeAll(made, (await setOf(looking, each)).bitmap());
  return made;
}

/** Which logs are looked through. */
interface LookedThrough {
  /** Their stretches, a condition for each. */
  readonly among: readonly string[];
  /** Where all of them lie, if that is known. */
  readonly within?: Slice;
  /** The sets of parts of the filter that are known. */
  readonly sets?: ReadonlyMap<Filter, LogSet>;
}

/** The logs among some that a filter selects, by looking through them. */
async function scanned(
  { snapshot, connection }: Searched,
  filter: Filter,
  { among, within, sets }: LookedThrough,
): Promise<Bitmap> {
  const bits = bitsFor(snapshot.lastId);
  return withCondition(
    filter,
    ({ sql, parameters }) => {
      // Of a choice in one statement, the rows of no stretch would be passed over as blocks.
      const selects = among.map((stretch) => `SELECT id FROM stored.logs WHERE ${stretch} AND ${sql}`);
      return idsTo(connection, { sql: selects.join(' UNION ALL '), parameters, bits, within });
    },
    (each, bind) => {
      const set = sets?.get(each);
      return set && conditionOf(set.bitmap(), set.count(), bind);
    },
  );
}

/** Adds the logs behind the index that a filter selects. */
async function addUncovered(
  { snapshot: { covered, lastId }, connection }: Searched,
  filter: Filter,
  made: Bitmap,
): Promise<void> {
  await withCondition(filter, async ({ sql, parameters }) => {
    const bits = bitsFor(lastId);
    const behind = await idsTo(connection, {
      sql: `SELECT id FROM stored.logs WHERE id > ${covered} AND ${sql}`,
      ...{ parameters, bits },
    });
    clearFrom(made, covered + 1);
    addAll(made, behind);
  });
}

/** Takes the ids from one on out of a set. */
function clearFrom({ bit }: Bitmap, id: number): void {
  const at = 1 + (id >>> 3);
  bit[at] = (bit[at] ?? 0) & ~(0xff >>> (id & 7));
  bit.fill(0, at + 1);
}
