import type { DuckDBConnection } from '@duckdb/node-api';
import {
  disMaxFilter,
  type Filter,
  filterKey,
  type PhraseFilter,
  type RangeFilter,
  type TermFilter,
} from '../../language/index.ts';
import type { IndexReader } from '../../word-index/index.ts';
import { withCondition } from '../file/column-test.ts';
import { addAll, type Bitmap, bitsFor, copyOf, keepOnly } from './bitmap.ts';
import { findTerms, type TermMatches, termId } from './find-terms.ts';
import { idsUpToSql, setSql } from './id-conditions.ts';
import { emptySet, type LogSet, logsInAll, setOfBits, unionOf } from './log-set.ts';
import { logsOfPattern } from './pattern.ts';
import { findPhrases } from './phrase.ts';
import { type IndexPlan, requiredTimes } from './plan.ts';
import { selectIds } from './select-ids.ts';
import { existingIds, isNarrowRange, readerOf, type Snapshot, timesOf } from './snapshot.ts';
import { idsWithin } from './times.ts';

/** Context of an evaluation. */
export interface SearchContext {
  readonly snapshot: Snapshot;
  readonly connection: DuckDBConnection;
}

/** Returns the logs that a filter selects, from the cache if it was asked before. */
export async function evaluate(context: SearchContext, filter: Filter, plan: IndexPlan): Promise<LogSet> {
  const { snapshot } = context;
  const key = wholeKey(filter);
  const cached = snapshot.sets.get(key);
  if (cached) return cached;
  const times = areLookedUp(plan) ? undefined : requiredTimes(filter);
  const made =
    times && (await isNarrowRange(snapshot, context.connection, times))
      ? setOfBits(await scanLogs(context, filter, { ranges: [idsUpToSql(snapshot.lastId)] }))
      : await lookUpFilter(context, filter, plan);
  snapshot.sets.set(key, made);
  return made;
}

/** Returns the key of the cached set of a whole filter. That of a leaf ends at the end of the index. */
export function wholeKey(filter: Filter): string {
  return `whole ${filterKey(filter)}`;
}

/** Reports if a filter consists of terms and ranges of time: the index has their logs sooner than any scan. */
function areLookedUp({ filter, known, leaves }: IndexPlan): boolean {
  return (
    known.has(filter) && leaves.every(({ kind }) => kind === 'term' || kind === 'range' || kind === 'none')
  );
}

/**
 * Returns the logs that a filter selects by the index. With `chunks`, the words of phrases are compared in these chunks of
 * ids only: the set is right within them.
 */
export async function lookUpFilter(
  context: SearchContext,
  filter: Filter,
  plan: IndexPlan,
  chunks?: ReadonlySet<number>,
): Promise<LogSet> {
  const { snapshot } = context;
  const held = new Map<string, LogSet>();
  for (const key of plan.leaves.map(filterKey)) {
    const set = snapshot.sets.get(key);
    if (set) held.set(key, set);
  }
  const missing = plan.leaves.filter((leaf) => !held.has(filterKey(leaf)));
  const reader = readerOf(snapshot, context.connection);
  const found = await findTerms(reader, missing.filter(isTerm), snapshot.lastId);
  const phrases = await findPhrases(reader, missing.filter(isPhrase), { lastId: snapshot.lastId, chunks });
  for (const [key, set] of phrases) held.set(key, set);
  const sets = new Map<Filter, LogSet>();
  for (const each of plan.known)
    sets.set(each, await setOf({ ...context, reader, found, held, chunks }, each));
  const ranges = [idsUpToSql(snapshot.covered)];
  const whole = sets.get(plan.filter);
  const covered = whole ?? setOfBits(await scanLogs(context, plan.filter, { ranges, sets }));
  if (snapshot.covered === snapshot.lastId) return covered;
  // Cached sets are not modified.
  const made = copyOf(covered.bitmap());
  await addUncovered(context, filter, made);
  return setOfBits(made);
}

function isTerm(filter: Filter): filter is TermFilter {
  return filter.kind === 'term';
}

function isPhrase(filter: Filter): filter is PhraseFilter {
  return filter.kind === 'phrase';
}

interface LookupContext extends SearchContext {
  /** Logs of the terms that are not cached. */
  readonly found: TermMatches;
  readonly reader: IndexReader;
  /**
   * Sets of leaves that were cached at the start, which are not looked up even if the cache drops them meanwhile, and
   * those of phrases.
   */
  readonly held: ReadonlyMap<string, LogSet>;
  readonly chunks: ReadonlySet<number> | undefined;
}

/** Returns the set of a filter that the index answers. */
async function setOf(context: LookupContext, filter: Filter): Promise<LogSet> {
  const { snapshot, connection } = context;
  switch (filter.kind) {
    case 'all':
      return existingIds(snapshot, connection);
    case 'none':
      return emptySet(bitsFor(snapshot.lastId));
    case 'disMax':
      return unionOf(await setsOf(context, filter.filters), bitsFor(snapshot.lastId));
    case 'bool':
      return combineClauses(context, filter);
    default: {
      const key = filterKey(filter);
      const made = context.held.get(key) ?? snapshot.sets.get(key) ?? (await leafSet(context, filter));
      if (!(context.chunks && isPhrase(filter))) snapshot.sets.set(key, made);
      return made;
    }
  }
}

async function leafSet(context: LookupContext, filter: Filter): Promise<LogSet> {
  if (filter.kind !== 'term') return setOfBits(await leafBits(context, filter));
  const { found, snapshot } = context;
  return found.get(termId(filter)) ?? emptySet(bitsFor(snapshot.lastId));
}

async function leafBits(context: LookupContext, filter: Filter): Promise<Bitmap> {
  const { snapshot, connection, reader } = context;
  switch (filter.kind) {
    case 'range':
      if (filter.field.type !== 'date') return logsOfPattern(reader, filter, snapshot.lastId);
      return (
        (await logsWithin(snapshot, connection, filter)) ??
        (await scanLogs(context, filter, { ranges: [idsUpToSql(snapshot.covered)] }))
      );
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
    case 'termRange':
      return logsOfPattern(reader, filter, snapshot.lastId);
    default:
      throw new Error(`The index has no answer to "${filter.kind}"`);
  }
}

async function logsWithin(
  snapshot: Snapshot,
  connection: DuckDBConnection,
  { lower, upper }: RangeFilter,
): Promise<Bitmap | undefined> {
  const times = await timesOf(snapshot, connection);
  if (!times) return undefined;
  const made = idsWithin(times, bitsFor(snapshot.lastId), { lower, upper });
  // Blocks within the range were added completely.
  keepOnly(made, (await existingIds(snapshot, connection)).bitmap());
  return made;
}

async function combineClauses(
  context: LookupContext,
  { must, should, mustNot }: Extract<Filter, { kind: 'bool' }>,
): Promise<LogSet> {
  const { snapshot, connection } = context;
  const required = must.length === 0 && 0 < should.length ? [disMaxFilter(should)] : must;
  const all =
    required.length === 0 ? [await existingIds(snapshot, connection)] : await setsOf(context, required);
  return logsInAll(all, await setsOf(context, mustNot), bitsFor(snapshot.lastId));
}

async function setsOf(context: LookupContext, filters: readonly Filter[]): Promise<readonly LogSet[]> {
  const sets: LogSet[] = [];
  for (const each of filters) sets.push(await setOf(context, each));
  return sets;
}

/** Rows to scan. */
interface ScanOptions {
  /** SQL conditions of id ranges. */
  readonly ranges: readonly string[];
  /** Sets of the parts of the filter that are known. */
  readonly sets?: ReadonlyMap<Filter, LogSet>;
}

/** Selects logs by a scan of some id ranges. */
async function scanLogs(
  { snapshot, connection }: SearchContext,
  filter: Filter,
  { ranges, sets }: ScanOptions,
): Promise<Bitmap> {
  const bits = bitsFor(snapshot.lastId);
  return withCondition(
    filter,
    ({ sql, parameters }) => {
      // One SELECT for each range: an OR of ranges would prevent DuckDB from skipping row groups.
      const selects = ranges.map((range) => `SELECT id FROM stored.logs WHERE ${range} AND ${sql}`);
      return selectIds(connection, { sql: selects.join(' UNION ALL '), parameters, bits });
    },
    (each, bind) => {
      const set = sets?.get(each);
      return set && setSql(set, bind);
    },
  );
}

/** Adds the selected logs after the end of the index. */
async function addUncovered(
  { snapshot: { covered, lastId }, connection }: SearchContext,
  filter: Filter,
  made: Bitmap,
): Promise<void> {
  await withCondition(filter, async ({ sql, parameters }) => {
    const bits = bitsFor(lastId);
    const uncovered = await selectIds(connection, {
      sql: `SELECT id FROM stored.logs WHERE id > ${covered} AND ${sql}`,
      ...{ parameters, bits },
    });
    clearFrom(made, covered + 1);
    addAll(made, uncovered);
  });
}

/** Removes the ids from this one on. */
function clearFrom({ bit }: Bitmap, id: number): void {
  const at = 1 + (id >>> 3);
  bit[at] = (bit[at] ?? 0) & ~(0xff >>> (id & 7));
  bit.fill(0, at + 1);
}
