import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf, StoreError, streamRows, streamTextRows } from '../../database/index.ts';
import {
  collectSegments,
  findDifference,
  findUnlistedPages,
  type IdRange,
  isDamage,
  readSegments,
  readTexts,
  type Segment,
  usualThreads,
} from '../../word-index/index.ts';
import { exportedOnly } from '../contents/case-filter.ts';
import { type Case, catalogueDifferencesOf, readCase, readCaseSnapshot } from '../file/case.ts';
import { type Action, actionHash, idDigests, rowDigests } from '../file/chain.ts';
import { readValidParts, type StoredPart } from '../file/parts.ts';
import { describeDifference, readColumnComments } from '../file/schema.ts';
import { checkOriginals, checkUnlisted, type Original, readOriginals } from './check-originals.ts';
import { type LaterActions, startReplay } from './later-actions.ts';
import {
  checkFacts,
  checkParts,
  type Deviation,
  type LogsDigest,
  parseDetails,
  type ReadFacts,
  type RecordedPart,
  type ReportDeviation,
  shortenDeviation,
  startPartsRecord,
  toReadFacts,
} from './recorded-parts.ts';

/** Result of checking a case. */
export interface Verification {
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
  readonly actions: number;
  /**
   * Hash of the last action. Stored elsewhere, it proves later that nothing before it was removed
   * or altered.
   */
  readonly head?: string;
  /** For each requested hash that an action has: what there was then, and what was done later. */
  readonly since?: readonly LaterActions[];
  /** Which logs the exports asked for, if not for all: an intact case is no complete one. */
  readonly exportedOnly?: string;
  /** Empty if everything matches. */
  readonly deviations: readonly Deviation[];
  /** Sentences on unchecked parts of the case, with reasons. */
  readonly remarks: readonly string[];
}

/** Options of checking a case. */
export interface VerifyOptions {
  /** Hash of an action, recorded elsewhere, that must be present. */
  readonly head?: string | undefined;
  /** Hash of a sealed action. `since` compares; unlike `head`, it leads to no deviations. */
  readonly sealed?: string | undefined;
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

/** Progress of the check. */
export interface VerifyProgress {
  /** Current original. */
  readonly file: string;
  /** Bytes read of all originals, and inflated of their entries. */
  readonly bytes: number;
}

/**
 * Checks a case against itself and its originals. It checks the objects of its file, the chain of
 * actions, and every row against the recorded actions. It hashes all originals and entries, and
 * reads every log again from its record. Returns every deviation. Files and logs that are added
 * meanwhile are ignored.
 *
 * Rejects with the signal's reason or a `StoreError`, `BAD_HEAD` if `head` is not a hash.
 *
 * ```ts
 * const { deviations } = await verifyCase(incident);
 * if (deviations.length === 0) console.log('Intact');
 * ```
 */
export async function verifyCase(
  of: Case,
  { head, sealed, onProgress, signal }: VerifyOptions = {},
): Promise<Verification> {
  checkHead(head);
  const deviations: Deviation[] = [];
  const report: ReportDeviation = (deviation) => void deviations.push(shortenDeviation(deviation));
  let bytes = 0;
  const onBytes = (file: string) => (more: number) => {
    signal?.throwIfAborted();
    bytes += more;
    onProgress?.({ file, bytes });
  };
  const stated = await readCaseSnapshot(of, (connection) =>
    checkState(of, connection, { head, sealed, report }),
  );
  if (!stated) return { ...nothingChecked, deviations, remarks: [notTrusted] };
  const { chain, since, parts, recorded, originals, counts } = stated;
  const only = await exportedOnly([of]);
  const { miscounted, ...totals } = counts;
  await readCase(of, async (connection) => {
    await checkUnlisted(of, { connection, originals }, report);
    await checkOriginals(of, connection, { originals, parts, recorded, miscounted, report, onBytes });
  });
  return {
    files: originals.length,
    parts: parts.length,
    ...totals,
    ...chain,
    ...since,
    ...(only !== undefined && { exportedOnly: only }),
    deviations,
  };
}

const notTrusted = 'Nothing else was checked: a database with such objects cannot be trusted.';

const nothingChecked = { files: 0, parts: 0, logs: 0, unreadable: 0, actions: 0 };

function checkHead(head: string | undefined): void {
  if (head === undefined || /^[0-9a-f]{64}$/i.test(head)) return;
  throw new StoreError(
    'BAD_HEAD',
    `The hash of an action has 64 digits from 0 to 9 and a to f, got "${head}" (${head.length} characters)`,
  );
}

/** A consistent state of a case, as far as it can be read. A case can have hundreds of thousands of parts. */
interface State {
  readonly since: Pick<Verification, 'since'>;
  readonly chain: Pick<Verification, 'actions' | 'head' | 'remarks'>;
  readonly parts: readonly StoredPart[];
  /** Recorded facts that reading a part again requires. */
  readonly recorded: ReadonlyMap<number, ReadFacts>;
  readonly originals: readonly Original[];
  readonly counts: CheckedCounts;
}

/** Hashes of actions that were recorded elsewhere. */
interface RequestedHashes {
  readonly head: string | undefined;
  readonly sealed: string | undefined;
  readonly report: ReportDeviation;
}

/** Checks everything except the logs against the originals; undefined if the file cannot be trusted. */
async function checkState(
  of: Case,
  connection: DuckDBConnection,
  requested: RequestedHashes,
): Promise<State | undefined> {
  const { report } = requested;
  if (await checkCatalogueOf(of, connection, report)) return undefined;
  const { chain, since, actions, recorded } = await checkRecord(connection, requested);
  const { parts, unsound } = await readValidParts(connection);
  if (0 < unsound)
    report({
      code: 'PART_ALTERED',
      message: `${unsound} rows of parts have invalid values, and their logs were not checked`,
    });
  const counts = await checkCounts(connection, parts, report);
  await checkFacts(connection, actions, report);
  await checkIndex(connection, report);
  const originals = await readOriginals(connection, parts);
  return { chain, since, parts, recorded, originals, counts };
}

/** Checks the chain of actions, and parts against it. Returns the actions that are not about parts. */
async function checkRecord(
  connection: DuckDBConnection,
  { head, sealed, report }: RequestedHashes,
): Promise<Pick<State, 'chain' | 'since' | 'recorded'> & { readonly actions: readonly Action[] }> {
  const chain = startChainCheck(report, head);
  const record = startPartsRecord();
  const hashes = new Set([head, sealed].flatMap((hash) => hash?.toLowerCase() ?? []));
  const replays = Array.from(hashes, startReplay);
  const actions: Action[] = [];
  for await (const action of streamValidActions(connection, report)) {
    chain.check(action);
    for (const replay of replays) replay.take(action, record.parts);
    if (!record.take(action)) actions.push(action);
  }
  const ends = chain.end();
  const since = replays.flatMap((replay) => replay.end(actions, record.parts) ?? []);
  for (const { hash, problems } of since)
    if (hash === head?.toLowerCase())
      for (const message of problems) report({ code: 'SEALED_OTHERWISE', message });
  await checkParts(streamTextRows(connection, 'parts'), record.parts, report);
  await checkDigests(connection, record.parts, report);
  const recorded = new Map(Array.from(record.parts, ([part, facts]) => [part, toReadFacts(facts)]));
  const chained = { ...ends, remarks: [] };
  return { chain: chained, since: 0 < since.length ? { since } : {}, actions, recorded };
}

/**
 * Reports objects of the file that differ from those of this version; returns whether the file
 * cannot be trusted.
 */
async function checkCatalogueOf(
  of: Case,
  connection: DuckDBConnection,
  report: ReportDeviation,
): Promise<boolean> {
  const differences = catalogueDifferencesOf(of);
  for (const difference of differences)
    report({ code: 'CATALOGUE_ALTERED', message: `In the file ${describeDifference(difference)}` });
  for (const column of await readColumnComments(connection))
    report({
      code: 'CATALOGUE_ALTERED',
      message: `The column ${column} has a comment that this program does not create`,
    });
  return 0 < differences.length;
}

const counted = v.array(v.tuple([v.nullable(v.number()), v.number(), v.number()]));

/** Numbers of rows in a case. */
interface CheckedCounts {
  readonly logs: number;
  readonly unreadable: number;
  /** Parts with more or fewer rows than the parts table says. */
  readonly miscounted: ReadonlySet<number>;
}

/** Counts the rows of each part, and reports counts that differ from the parts table. */
async function checkCounts(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
  report: ReportDeviation,
): Promise<CheckedCounts> {
  const result = await connection.runAndReadAll(
    `SELECT part, sum(logs)::DOUBLE, sum(unreadable)::DOUBLE FROM (
       SELECT part, 1 AS logs, 0 AS unreadable FROM stored.logs UNION ALL
       SELECT part, 0, 1 FROM stored.unreadable)
     GROUP BY part ORDER BY part`,
  );
  const rows = v.parse(counted, result.getRowsJS());
  const found = new Map(rows.map(([part, logs, unreadable]) => [part, { logs, unreadable }]));
  const miscounted = new Set<number>();
  for (const { part, entry, logs, unreadable } of parts) {
    const there = found.get(part) ?? { logs: 0, unreadable: 0 };
    found.delete(part);
    if (there.logs === logs && there.unreadable === unreadable) continue;
    miscounted.add(part);
    report({
      code: 'ROWS_MISCOUNTED',
      part,
      message: `Part ${part} ("${entry}") has ${there.logs} logs and ${there.unreadable} unreadable records; expected ${logs} and ${unreadable}`,
    });
  }
  for (const [part, { logs, unreadable }] of found)
    report({
      code: 'ROWS_UNLISTED',
      ...(part !== null && { part }),
      message: `${logs + unreadable} rows belong to ${part === null ? 'no part' : `part ${part}, which does not exist`}`,
    });
  return {
    logs: rows.reduce((sum, [, logs]) => sum + logs, 0),
    unreadable: rows.reduce((sum, [, , unreadable]) => sum + unreadable, 0),
    miscounted,
  };
}

/**
 * Checks that the token index matches the tokens of the logs: every token of every log at its
 * position, and nothing else.
 */
export async function checkIndex(connection: DuckDBConnection, report: ReportDeviation): Promise<void> {
  await checkUnlistedTables(connection, report);
  let next = 1;
  const segments = await readSegments(connection).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    const message = `The list of the segments of the index was altered: ${error.message}. ${remedy}`;
    report({ code: 'INDEX_ALTERED', message });
    return [];
  });
  for (const segment of segments) {
    const { firstId, lastId } = segment;
    const problem =
      firstId === next ? await problemOf(connection, segment) : `it must begin with log ${next}`;
    next = lastId + 1;
    if (problem !== undefined)
      report({
        code: 'INDEX_ALTERED',
        message: `The index of logs ${firstId} to ${lastId} differs from their tokens: ${problem}. ${remedy}`,
      });
  }
}

/** Reports tables of pages that the list of segments does not name: without its row, a segment is not used. */
async function checkUnlistedTables(connection: DuckDBConnection, report: ReportDeviation): Promise<void> {
  for (const table of await findUnlistedPages(connection))
    report({
      code: 'INDEX_ALTERED',
      message: `The list of the segments of the index lacks "${table}". ${remedy}`,
    });
}

const remedy = '"logquarry index --rebuild" rebuilds it';

async function problemOf(connection: DuckDBConnection, segment: Segment): Promise<string | undefined> {
  const { lastId } = segment;
  try {
    const [logs, last] = await logsBetween(connection, segment);
    if (logs !== segment.logs) return `there are ${logs} logs, not ${segment.logs}`;
    // Before reading, which goes through all ids up to the last one, however far it is.
    if (last !== lastId) return `its last log is ${last}, not ${lastId}`;
    const { firstId } = segment;
    const texts = readTexts(connection, { firstId, lastId });
    const options = { maxBytes: Number.POSITIVE_INFINITY, threads: usualThreads(logs) };
    for await (const expected of collectSegments(texts, { firstId, lastId, ...options }))
      return await findDifference(connection, segment, expected);
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return `it cannot be read (${messageOf(error)})`;
  }
}

const numbers = v.tuple([v.number(), v.nullable(v.number())]);

/** Returns the number of logs in a range of ids, and the last id. */
async function logsBetween(connection: DuckDBConnection, { firstId, lastId }: IdRange) {
  const result = await connection.runAndReadAll(
    `SELECT count(*)::DOUBLE, max(id)::DOUBLE FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId}`,
  );
  return v.parse(numbers, result.getRowsJS()[0]);
}

const row = v.object({
  number: v.pipe(v.number(), v.safeInteger()),
  done: v.number(),
  action: v.string(),
  details: v.string(),
  version: v.nullable(v.string()),
  previous: v.string(),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/**
 * Yields the valid actions of a case, in order; reports the others. A case can have hundreds of thousands of
 * actions, so they are not all in memory. The connection is busy until the end.
 */
async function* streamValidActions(
  connection: DuckDBConnection,
  report: ReportDeviation,
): AsyncGenerator<Action, void, undefined> {
  // Times are recorded in whole milliseconds.
  const sql = `SELECT * REPLACE (number::DOUBLE AS number,
       CASE WHEN isfinite(done) AND epoch_us(done) % 1000 = 0 THEN epoch_ms(done)::DOUBLE END AS done)
     FROM stored.actions ORDER BY number`;
  const result = await streamRows(connection, { sql });
  for await (const rows of result.yieldRowObjectJs()) for (const row of rows) yield* soundAction(row, report);
}

/** Returns an action, if it is valid; reports it otherwise. */
function soundAction(values: Readonly<Record<string, unknown>>, report: ReportDeviation): readonly Action[] {
  const { success, output, issues } = v.safeParse(row, values);
  if (success) {
    const { version, ...rest } = output;
    return [{ ...rest, ...(version !== null && { version }) }];
  }
  const number = values.number ?? 'without a number';
  const names = issues.map((issue) => v.getDotPath(issue) ?? '').join(', ');
  report({ code: 'CHAIN_BROKEN', message: `Action ${number} was altered: invalid values (${names})` });
  return [];
}

/** A check of actions in their order. */
interface ChainCheck {
  readonly check: (action: Action) => void;
  /** Ends the check; returns the number of actions and the hash of the last one. */
  readonly end: () => { readonly actions: number; readonly head?: string };
}

/**
 * Starts a check that each action has its hash and contains that of the one before, and that a hash
 * recorded elsewhere is one of them.
 */
function startChainCheck(report: ReportDeviation, head: string | undefined): ChainCheck {
  let [actions, number, previous] = [0, 1, ''];
  let isHeadFound = head === undefined;
  return { check, end };

  function check(action: Action): void {
    const problem = checkActionsProblemOf(action, { number, previous });
    if (problem !== undefined)
      report({ code: 'CHAIN_BROKEN', message: `Action ${action.number} (${nameOf(action)}) ${problem}` });
    isHeadFound ||= action.hash === head?.toLowerCase();
    [actions, number, previous] = [actions + 1, action.number + 1, action.hash];
  }

  function end(): ReturnType<ChainCheck['end']> {
    if (actions === 0) report({ code: 'CHAIN_BROKEN', message: 'The record of actions is empty' });
    if (!isHeadFound)
      report({
        code: 'HEAD_UNKNOWN',
        message: `No action has the hash ${head}: later ones were removed or altered`,
      });
    return { actions, ...(0 < actions && { head: previous }) };
  }
}

const noted = v.object({ note: v.number() });

/** Names an action, and the note that it adds, changes or removes. */
function nameOf({ action, details }: Action): string {
  const { success, output } = v.safeParse(noted, parseDetails(details));
  return success ? `"${action}" ${output.note}` : `"${action}"`;
}

function checkActionsProblemOf(
  action: Action,
  expected: { readonly number: number; readonly previous: string },
): string | undefined {
  if (action.number !== expected.number)
    return `stands where number ${expected.number} should: some are missing`;
  if (action.previous !== expected.previous) return 'does not contain the hash of its predecessor';
  return actionHash(action) === action.hash ? undefined : 'does not have its hash: it was altered';
}

/**
 * Checks data that the originals of parts do not determine: ids, descriptions of unreadable
 * records, and logs of this program.
 */
async function checkDigests(
  connection: DuckDBConnection,
  recorded: ReadonlyMap<number, RecordedPart>,
  report: ReportDeviation,
): Promise<void> {
  const parts = [...recorded.values()];
  await checkUnreadable(connection, parts, report);
  await checkIds(connection, parts, report);
  for (const part of parts)
    for (const digest of part.digests ?? []) await checkLogs(connection, { part, digest }, report);
}

async function checkUnreadable(
  connection: DuckDBConnection,
  parts: readonly RecordedPart[],
  report: ReportDeviation,
): Promise<void> {
  const recorded = parts.filter(({ unreadableSha256 }) => unreadableSha256 !== undefined);
  const numbers = recorded.map(({ part }) => part);
  const found = await rowDigests(connection, { table: 'unreadable', parts: numbers });
  for (const part of recorded)
    if (found.get(part.part) !== part.unreadableSha256)
      reportPart(part, 'its unreadable records differ from the recorded ones', report);
}

async function checkIds(
  connection: DuckDBConnection,
  parts: readonly RecordedPart[],
  report: ReportDeviation,
): Promise<void> {
  const trimmed = parts.filter(({ idsSha256, logs }) => idsSha256 !== undefined && 0 < logs);
  const found = await idDigests(
    connection,
    trimmed.map(({ part }) => part),
  );
  const altered = trimmed.filter(({ part, idsSha256 }) => found.get(part) !== idsSha256);
  const partial = parts.filter(isPartial);
  const first = await firstIds(
    connection,
    partial.map(({ part }) => part),
  );
  const others = partial.filter(({ part, firstId }) => first.get(part) !== firstId);
  for (const part of [...altered, ...others])
    reportPart(part, 'the ids of its logs differ from the recorded ones', report);
}

/**
 * Reports if logs of a part were omitted when it was added: the ids of all other parts are compared
 * with their records.
 */
function isPartial({ leftOut, logs, firstId, idsSha256 }: RecordedPart): boolean {
  return 0 < leftOut && 0 < logs && firstId !== undefined && idsSha256 === undefined;
}

const firsts = v.array(v.tuple([v.number(), v.number()]));

/** Returns the first ids of parts whose ids are without gaps in the order of their positions, by part. */
async function firstIds(
  connection: DuckDBConnection,
  parts: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (parts.length === 0) return new Map();
  const result = await connection.runAndReadAll(
    `SELECT part, min(id)::DOUBLE FROM (
       SELECT part, id, row_number() OVER (PARTITION BY part ORDER BY position) AS place
       FROM stored.logs WHERE part IN (${parts.map(Number).join(', ')}))
     GROUP BY part HAVING min(id - place) = max(id - place) AND count(id) = count(*)`,
  );
  return new Map(v.parse(firsts, result.getRowsJS()));
}

async function checkLogs(
  connection: DuckDBConnection,
  { part, digest }: { readonly part: RecordedPart; readonly digest: LogsDigest },
  report: ReportDeviation,
): Promise<void> {
  const { after, upTo, sha256 } = digest;
  const found = await rowDigests(connection, { table: 'logs', parts: [part.part], after, upTo });
  if (found.get(part.part) !== sha256)
    reportPart(part, `its logs ${after + 1} to ${upTo} differ from the recorded ones`, report);
}

function reportPart({ part, file, entry }: RecordedPart, problem: string, report: ReportDeviation): void {
  const message = `Part ${part} ("${entry ?? file}"): ${problem}`;
  report({ code: 'ROWS_ALTERED', part, message });
}
