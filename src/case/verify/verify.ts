import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError, streamTextRows } from '../../database/index.ts';
import type { Action } from '../chain/actions.ts';
import {
  type Case,
  catalogueDifferencesOf,
  hasIndexTables,
  readCase,
  readCaseSnapshot,
} from '../file/case.ts';
import { readColumnComments } from '../file/catalogue.ts';
import { describeDifference } from '../file/check-catalogue.ts';
import { readSoundParts, type StoredPart } from '../file/parts.ts';
import { startChainCheck, streamSoundActions } from './check-actions.ts';
import { type CheckedCounts, checkCounts } from './check-counts.ts';
import { checkDigests } from './check-digests.ts';
import { checkFacts, coveredSince, coversAllRows } from './check-facts.ts';
import { checkUnlisted, type Original, readOriginals } from './check-files.ts';
import { checkIndex } from './check-index.ts';
import { checkOriginals } from './check-originals.ts';
import { type Deviation, type ReportDeviation, shortenDeviation } from './deviation.ts';
import { checkParts, type ReadFacts, startPartsRecord, toReadFacts } from './recorded-parts.ts';

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
  /** Empty if everything matches. */
  readonly deviations: readonly Deviation[];
  /** Sentences on unchecked parts of the case, with reasons. */
  readonly remarks: readonly string[];
}

/** Options of checking a case. */
export interface VerifyOptions {
  /** Hash of an action, recorded elsewhere, that must be present. */
  readonly head?: string | undefined;
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
  { head, onProgress, signal }: VerifyOptions = {},
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
  const stated = await readCaseSnapshot(of, (connection) => checkState(of, connection, { head, report }));
  if (!stated) return { ...nothingChecked, deviations, remarks: [notTrusted] };
  const { chain, parts, recorded, originals, counts } = stated;
  const { miscounted, ...totals } = counts;
  await readCase(of, async (connection) => {
    await checkUnlisted(of, { connection, originals }, report);
    await checkOriginals(of, connection, { originals, parts, recorded, miscounted, report, onBytes });
  });
  return { files: originals.length, parts: parts.length, ...totals, ...chain, deviations };
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
  readonly chain: Pick<Verification, 'actions' | 'head' | 'remarks'>;
  readonly parts: readonly StoredPart[];
  /** Recorded facts that reading a part again requires. */
  readonly recorded: ReadonlyMap<number, ReadFacts>;
  readonly originals: readonly Original[];
  readonly counts: CheckedCounts;
}

/** Checks everything except the logs against the originals; undefined if the file cannot be trusted. */
async function checkState(
  of: Case,
  connection: DuckDBConnection,
  { head, report }: { readonly head: string | undefined; readonly report: ReportDeviation },
): Promise<State | undefined> {
  if (await checkCatalogueOf(of, connection, report)) return undefined;
  const { chain, actions, recorded } = await checkRecord(connection, { head, report });
  const { parts, unsound } = await readSoundParts(connection);
  if (0 < unsound)
    report({
      code: 'PART_ALTERED',
      message: `${unsound} rows of parts have invalid values, and their logs were not checked`,
    });
  const counts = await checkCounts(connection, parts, report);
  await checkFacts(connection, actions, report);
  if (hasIndexTables(of)) await checkIndex(connection, report);
  const originals = await readOriginals(connection, parts);
  return { chain, parts, recorded, originals, counts };
}

/** Checks the chain of actions, and parts against it. Returns the actions that are not about parts. */
async function checkRecord(
  connection: DuckDBConnection,
  { head, report }: { readonly head: string | undefined; readonly report: ReportDeviation },
): Promise<Pick<State, 'chain' | 'recorded'> & { readonly actions: readonly Action[] }> {
  const chain = startChainCheck(report, head);
  const record = startPartsRecord();
  const actions: Action[] = [];
  for await (const action of streamSoundActions(connection, report)) {
    chain.check(action);
    if (!record.take(action)) actions.push(action);
  }
  const ends = chain.end();
  await checkParts(streamTextRows(connection, 'parts'), record.parts, report);
  await checkDigests(connection, record.parts, report);
  const recorded = new Map(Array.from(record.parts, ([part, facts]) => [part, toReadFacts(facts)]));
  return { chain: { ...ends, remarks: remarksOn(actions) }, actions, recorded };
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

function remarksOn(actions: readonly Action[]): readonly string[] {
  const what = 'exports, windows and jobs, files, the remarks on parts, and the ids of logs';
  if (!coversAllRows(actions))
    return [
      `Not covered: an older version of logquarry made this case, and recorded no hashes of ${what}. The next command that writes to it records them as they are.`,
    ];
  const since = coveredSince(actions);
  if (since === undefined) return [];
  const day = new Date(since).toISOString();
  return [`Covered from ${day} on, when the case was migrated to this version, and not before: ${what}.`];
}
