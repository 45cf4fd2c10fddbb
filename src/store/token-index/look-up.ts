import { createHash } from 'node:crypto';
import { DuckDBBitValue, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api';
import * as v from 'valibot';
import type { Filter, Phrase, Term, TermRange } from '../../meaning/filter.ts';
import type { TermPattern } from '../../meaning/pattern/term-test.ts';
import { withCondition } from '../column-test.ts';
import { addAll, addBit, addId, type Bitmap, bitsFor, emptyBitmap } from './bitmap.ts';
import { fieldNumber } from './indexed-fields.ts';
import { literalStart } from './literal-start.ts';
import {
  leastPostings,
  postingsTable,
  setBounds,
  setColumn,
  setsTable,
  type TokenRun,
  termsTable,
} from './runs.ts';
import { type Snapshot, toBitmap } from './snapshot.ts';

/** Where the postings of a term are in a run. */
export interface PostingRange {
  readonly run: number;
  readonly first: number;
  readonly count: number;
}

/** Where the postings of terms are, by `termKey`; a term that no log has is not there. */
export type FoundTerms = ReadonlyMap<string, readonly PostingRange[]>;

/** What a term is known by among those that were looked up. */
export function termKey(field: number | undefined, term: string): string {
  return `${field} ${term}`;
}

const foundTerm = v.tuple([v.number(), v.number(), v.string(), v.number(), v.number()]);

/** Looks up where the postings of terms are. */
export async function findTerms(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  terms: readonly Term[],
): Promise<FoundTerms> {
  const found = new Map<string, PostingRange[]>();
  const texts = [...new Set(terms.map(({ term }) => term))];
  if (texts.length === 0) return found;
  const hashes = texts.map(hashOf).join(', ');
  const placeholders = texts.map((_, index) => `$${index + 1}`).join(', ');
  const result = await connection.runAndReadAll(
    runs
      .map(
        ({ run }) => `SELECT ${run}, field, term, first::DOUBLE, count::DOUBLE FROM ${termsTable(run)}
          WHERE hash IN (${hashes}) AND term IN (${placeholders})`,
      )
      .join(' UNION ALL '),
    texts,
  );
  for (const [run, field, term, first, count] of v.parse(v.array(foundTerm), result.getRowsJS())) {
    const key = termKey(field, term);
    found.set(key, [...(found.get(key) ?? []), { run, first, count }]);
  }
  return found;
}

/** The number by which a term is found, as SQL. What it leaves in doubt, the term itself settles. */
export function termHashSql(term: string): string {
  return `('0x' || left(sha256(${term}), 8))::UINTEGER`;
}

/** What `termHashSql` makes of a term. */
export function hashOf(term: string): number {
  return createHash('sha256').update(term, 'utf8').digest().readUInt32BE(0);
}

/** Up to so many postings are fetched one by one; a set of bits for each thread is quicker above. */
const fewPostings = 4096;

/** The logs of postings, those of a term or of several that touch each other. */
export async function logsOf(
  connection: DuckDBConnection,
  { lastId }: Snapshot,
  ranges: readonly PostingRange[],
): Promise<Bitmap> {
  const bits = bitsFor(lastId);
  if (ranges.length === 0) return emptyBitmap(bits);
  const ids = ranges.map((range) => `SELECT id FROM ${inRange(range)}`).join(' UNION ALL ');
  return idsTo(connection, { sql: ids, bits, isFew: countOf(ranges) <= fewPostings });
}

/** The logs of a term, or of any of several: from the sets of the runs in which it is frequent, from its postings in the others. */
export async function logsOfTerm(
  connection: DuckDBConnection,
  snapshot: Snapshot,
  ranges: readonly PostingRange[],
): Promise<Bitmap> {
  const rare: PostingRange[] = [];
  const frequent: { readonly range: PostingRange; readonly base: number }[] = [];
  for (const range of ranges) {
    const run = snapshot.runs.find((each) => each.run === range.run);
    if (run && leastPostings(run) <= range.count) frequent.push({ range, base: setBounds(run).base });
    else rare.push(range);
  }
  const made = await logsOf(connection, snapshot, rare);
  if (frequent.length === 0) return made;
  const sets = frequent.map(
    ({ range, base }) => `SELECT ${base}, ${setColumn(range)} FROM ${setsTable(range.run)}`,
  );
  const result = await connection.runAndReadAll(sets.join(' UNION ALL '));
  for (const [base, ids] of result.getRows())
    if (ids instanceof DuckDBBitValue) addBit(made, ids.data, Number(base));
  return made;
}

/** How many postings there are in ranges. */
export function countOf(ranges: readonly PostingRange[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

function inRange({ run, first, count }: PostingRange): string {
  return `${postingsTable(run)} WHERE number >= ${first} AND number < ${first + count}`;
}

/** The set of the ids that a SELECT gives. */
export async function idsTo(
  connection: DuckDBConnection,
  { sql, parameters = [], bits, isFew }: IdQuery,
): Promise<Bitmap> {
  if (isFew) {
    const made = emptyBitmap(bits);
    const result = await connection.runAndReadAll(sql, [...parameters]);
    for (const [id] of result.getRowsJS()) addId(made, Number(id));
    return made;
  }
  const result = await connection.runAndReadAll(
    `SELECT bitstring_agg(id::INTEGER, 0, ${bits - 1}) FROM (${sql})`,
    [...parameters],
  );
  return toBitmap(result.getRows()[0]?.[0], bits);
}

interface IdQuery {
  readonly sql: string;
  readonly parameters?: readonly DuckDBValue[];
  readonly bits: number;
  readonly isFew: boolean;
}

/**
 * The logs that have the terms of a phrase one behind the other. Undefined
 * when its terms are so frequent that looking into the texts is quicker.
 */
export async function logsOfPhrase(
  connection: DuckDBConnection,
  snapshot: Snapshot,
  { phrase: { field, terms }, found }: { readonly phrase: Phrase; readonly found: FoundTerms },
): Promise<Bitmap | undefined> {
  const bits = bitsFor(snapshot.lastId);
  const places = terms.map((term) => found.get(termKey(fieldNumber(field), term)) ?? []);
  const ofRuns = snapshot.runs.map(({ run }) =>
    places.flatMap((each) => each.find((range) => range.run === run) ?? []),
  );
  const whole = ofRuns.filter((ranges) => ranges.length === terms.length);
  if (snapshot.covered / 2 < countOf(whole.flat())) return undefined;
  if (whole.length === 0) return emptyBitmap(bits);
  const isFew = countOf(whole.flatMap((ranges) => rarestOf(ranges)?.range ?? [])) <= fewPostings;
  return idsTo(connection, { sql: whole.map(phraseQuery).join(' UNION ALL '), bits, isFew });
}

/** The rarest term comes first: of the others only what stands at its side is of interest. */
function phraseQuery(ranges: readonly PostingRange[]): string {
  const rarest = rarestOf(ranges);
  if (!rarest) throw new Error('A phrase has no terms');
  const joins = ranges.flatMap((range, offset) => {
    if (offset === rarest.offset) return [];
    return `SEMI JOIN (SELECT id, position FROM ${inRange(range)}) t${offset}
      ON t${offset}.id = r.id AND t${offset}.position = r.position::BIGINT + ${offset - rarest.offset}`;
  });
  return `SELECT r.id FROM (SELECT id, position FROM ${inRange(rarest.range)}) r ${joins.join(' ')}`;
}

function rarestOf(
  ranges: readonly PostingRange[],
): { readonly range: PostingRange; readonly offset: number } | undefined {
  const placed = ranges.map((range, offset) => ({ range, offset }));
  return placed.sort((first, second) => first.range.count - second.range.count)[0];
}

/** So many stretches of postings are read one by one; above, the postings are read from end to end. */
const mostRanges = 32;

/** So many postings for each log are worth reading; above, looking through the texts is quicker. */
const mostPostings = 4;

/**
 * The logs that have a term of a pattern or a range of terms, which is tried
 * on each term instead of each log. Undefined when that does not pay.
 */
export async function logsOfPattern(
  connection: DuckDBConnection,
  snapshot: Snapshot,
  filter: TermPattern | TermRange,
): Promise<Bitmap | undefined> {
  return withCondition(asKeyword(filter), async (condition) => {
    const parameters = [...condition.parameters, literalStart(filter)];
    const where = `field = ${fieldNumber(filter.field)} AND starts_with(term, $${parameters.length}) AND ${condition.sql}`;
    const ranges = await rangesOf(connection, snapshot.runs, { where, parameters });
    const isFrequent = ({ run, count }: PostingRange) => (leastOf(snapshot, run) ?? count + 1) <= count;
    const rare = joined(ranges.filter((range) => !isFrequent(range)));
    if (mostPostings * snapshot.covered < countOf(rare)) return undefined;
    const made = await logsOfTerm(connection, snapshot, ranges.filter(isFrequent));
    if (rare.length <= mostRanges) addAll(made, await logsOf(connection, snapshot, rare));
    else {
      const selects = snapshot.runs.map((run) => {
        const terms = `FROM ${termsTable(run.run)} WHERE count < ${leastPostings(run)} AND ${where}`;
        const numbers = `SELECT unnest(range(first, first + count)) ${terms}`;
        return `SELECT id FROM ${postingsTable(run.run)} WHERE number IN (${numbers})`;
      });
      const ids = { sql: selects.join(' UNION ALL '), parameters, bits: bitsFor(snapshot.lastId) };
      addAll(made, await idsTo(connection, { ...ids, isFew: false }));
    }
    return made;
  });
}

/** From how many postings on a term has a set in a run. */
function leastOf({ runs }: Snapshot, number: number): number | undefined {
  const run = runs.find((each) => each.run === number);
  return run && leastPostings(run);
}

/** Where the postings of the terms of a condition are, in the order of the runs and of their postings. */
async function rangesOf(
  connection: DuckDBConnection,
  runs: readonly TokenRun[],
  { where, parameters }: { readonly where: string; readonly parameters: readonly DuckDBValue[] },
): Promise<readonly PostingRange[]> {
  const selects = runs.map(
    ({ run }) => `SELECT ${run} AS run, first, count FROM ${termsTable(run)} WHERE ${where}`,
  );
  const result = await connection.runAndReadAll(
    `SELECT run, first::DOUBLE, count::DOUBLE FROM (${selects.join(' UNION ALL ')}) ORDER BY run, first`,
    [...parameters],
  );
  const rows = v.parse(v.array(v.tuple([v.number(), v.number(), v.number()])), result.getRowsJS());
  return rows.map(([run, first, count]) => ({ run, first, count }));
}

/** A filter on the tokens of a field as one on the column `term`, of which each value is a token. */
function asKeyword<F extends TermPattern | TermRange>(filter: F): Filter {
  return { ...filter, field: { ...filter.field, name: 'term', type: 'keyword' } };
}

/** Ranges that touch each other as one. */
function joined(ranges: readonly PostingRange[]): readonly PostingRange[] {
  const made: PostingRange[] = [];
  for (const range of ranges) {
    const last = made.at(-1);
    if (last?.run === range.run && last.first + last.count === range.first)
      made[made.length - 1] = { ...last, count: last.count + range.count };
    else made.push(range);
  }
  return made;
}
