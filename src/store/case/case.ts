import { existsSync, rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type Access,
  type Database,
  inMemory,
  type Memory,
  openDatabase,
  type Spill,
} from '../database/database.ts';
import { makeRoomForLogs } from '../database/memory-limit.ts';
import { inOneThread } from '../database/one-thread.ts';
import { damagedCase, messageOf, StoreError } from '../database/store-error.ts';
import { beginOnce } from '../database/stream-whole.ts';
import { removeSpill } from '../files/spill-folder.ts';
import { addRowSource } from '../rows/row-source.ts';
import { isBlank, ownComment, readCatalogue } from './catalogue.ts';
import { alteredCase, checkCatalogue } from './check-catalogue.ts';
import { addColumnTest } from './column-test.ts';
import { decideCompaction } from './compaction.ts';
import { type CatalogueDifference, compareCatalogue } from './compare-catalogue.ts';
import { syncNames } from './evidence-folder.ts';
import { type Gate, makeGate } from './gate.ts';
import { makeCase } from './make-case.ts';
import { removePending } from './pending-originals.ts';
import { caseVersion, createSchema, isUnfilled, migrate, oldestReadable } from './schema.ts';
import { type Beside, transact, transactBeside, type Work } from './transaction.ts';
import { endParts, findUnfinished } from './unfinished.ts';

/**
 * An open case: the logs of an incident in one file, each with its origin. Close it by `await using` or its
 * `Symbol.asyncDispose`.
 */
export interface Case extends AsyncDisposable {
  /** The path given to `openCase`, or `:memory:`. */
  readonly path: string;
  readonly access: Access;
  /** Originals are copied into the evidence folder, or stay in place and the case depends on them. */
  readonly originals: 'copied' | 'in place';
  /** Searches use the token index if there is one, with the same results. */
  readonly tokenIndex: 'used' | 'ignored';
}

/** Options of `openCase`. */
export interface OpenOptions {
  readonly access: Access;
  /**
   * With `write`: creates the case if there is no file yet; otherwise a missing file is an error. With `if
   * filled`, a created case is removed on closing if nothing was added.
   */
  readonly create?: boolean | 'if filled';
  /** `little` for adding a few logs at a time. Default `usual`. */
  readonly memory?: Memory;
  /** For a temporary case: added files stay where they are. Copied by default. */
  readonly originals?: 'in place';
  /** Searches scan all logs even if there is an index. */
  readonly tokenIndex?: 'ignored';
  /** With `read`: also opens an altered case, for `verifyCase` only. Any other result from it can be false. */
  readonly altered?: 'opened';
  /** Spill folder; default `<case>.tmp`, limited by the free disk space. */
  readonly spill?: Spill | undefined;
}

/** State of an open case within this layer. */
interface Opened {
  readonly database: Database;
  /** The only connection that writes, and the last queued write. */
  readonly writer: DuckDBConnection;
  last: Promise<unknown>;
  /** Connections that are being opened: the driver crashes if the database closes meanwhile. */
  readonly connecting: Set<Promise<DuckDBConnection>>;
  /** An unused connection, opened in advance. */
  spare?: Promise<DuckDBConnection>;
  /** Remove the file on closing if nothing was added. */
  readonly isPassing: boolean;
  /** Barrier that snapshots of readers begin behind. */
  readonly readers: Gate;
  /** Catalogue objects that differ from this version; empty unless opened in spite of them. */
  readonly differences: readonly CatalogueDifference[];
  /** Checkpoints have been configured: once, before logs are added. */
  isCompactionDecided: boolean;
}

const opened = new WeakMap<Case, Opened>();

/**
 * Opens a case file. `:memory:` is a new, empty case without a file; it is always writable.
 *
 * Rejects with a `StoreError`: `CASE_NOT_FOUND`, `CASE_LOCKED`, `NOT_A_CASE`, `CASE_VERSION`, `CASE_ALTERED`,
 * `CASE_DAMAGED`, `STORE_FAILED`.
 *
 * ```ts
 * await using logs = await openCase('incident.duckdb', { access: 'write', create: true });
 * ```
 */
export async function openCase(path: string, options: OpenOptions): Promise<Case> {
  const { access, create = false, memory, spill } = options;
  const isNew = path === inMemory || (access === 'write' && create !== false);
  if (!isNew && !existsSync(path)) throw new StoreError('CASE_NOT_FOUND', `There is no case file "${path}"`);
  const isMade = isNew && path !== inMemory && (await makeCase(path));
  const database = await openDatabase(path, path === inMemory ? 'write' : access, {
    memory,
    replacesHalfMade: isNew,
    spill,
  });
  try {
    if (path !== inMemory && access === 'write') await removeSpill(path);
    const writer = await database.instance.connect();
    // Before any other statement: objects of the file can change the results of all that follow.
    const catalogue = path === inMemory || isMade ? [] : await readCatalogue(writer);
    addColumnTest(writer);
    addRowSource(writer);
    // A case in memory, or a file whose creation was killed under an older version, which created it in place.
    const isUnfinished = isNew && !isMade && isBlank(catalogue);
    if (isUnfinished) await createSchema(writer);
    const { version, differences } =
      isMade || isUnfinished
        ? { version: caseVersion, differences: [] }
        : await checkCatalogue(writer, { path, catalogue, mayDiffer: options.altered === 'opened' });
    if (0 < differences.length)
      return toCase(
        { path, access: 'read', originals: 'copied', tokenIndex: 'ignored' },
        { database, writer, isPassing: false, differences },
      );
    if (access === 'read' && (await needsMending(writer, version))) {
      writer.closeSync();
      database.close();
      await mendFile(path, version);
      return await openCase(path, options);
    }
    if (access === 'write') await mend(writer, path, version);
    await makeRoomForLogs(writer);
    if (access === 'write') await removePending(writer, path);
    const isInMemory = path === inMemory;
    const made = {
      ...({ path, access: isInMemory ? 'write' : access } as const),
      originals: isInMemory ? 'in place' : (options.originals ?? 'copied'),
      tokenIndex: options.tokenIndex ?? 'used',
    } as const;
    const isPassing = isMade && create === 'if filled';
    return toCase(made, { database, writer, isPassing, differences: [] });
  } catch (error) {
    database.close();
    if (isMade) removeMade(path);
    throw toStoreError(error, { path });
  }
}

/** Reports if a case has an older version, or logs of a part that a killed process left unfinished. */
async function needsMending(connection: DuckDBConnection, version: number): Promise<boolean> {
  return version < oldestReadable || 0 < (await findUnfinished(connection)).length;
}

/** Migrates a case to this version, and removes unfinished parts. */
async function mend(connection: DuckDBConnection, path: string, version: number): Promise<void> {
  if (version < caseVersion) {
    await migrate(connection, version);
    const differences = await compareCatalogue(await readCatalogue(connection));
    if (0 < differences.length) throw alteredCase(path, differences);
  }
  await transact(connection, endParts);
}

/** Repairs the file of a case, opened for writing. */
async function mendFile(path: string, version: number): Promise<void> {
  try {
    const database = await openDatabase(path, 'write');
    try {
      const connection = await database.instance.connect();
      await mend(connection, path, version).finally(() => connection.closeSync());
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'CASE_ALTERED') throw error;
    throw cannotMend(path, version, error);
  }
}

function cannotMend(path: string, version: number, cause: unknown): StoreError {
  const [code, why] =
    version < oldestReadable
      ? ([
          'CASE_VERSION',
          `is a case of version ${version} and has to be brought to version ${caseVersion}`,
        ] as const)
      : (['STORE_FAILED', 'has logs of a part that was not finished, and they have to be removed'] as const);
  const message = `"${path}" ${why}, which requires writing to it: ${messageOf(cause)}`;
  return new StoreError(code, message, { cause });
}

function toCase(
  facts: Omit<Case, symbol>,
  begun: Pick<Opened, 'database' | 'writer' | 'isPassing' | 'differences'>,
): Case {
  const known: Opened = {
    ...begun,
    last: Promise.resolve(),
    connecting: new Set(),
    readers: makeGate(),
    isCompactionDecided: false,
  };
  const made: Case = {
    ...facts,
    [Symbol.asyncDispose]: async () => {
      // Also waits for writes that were queued while waiting.
      for (let last: unknown; last !== known.last; ) {
        last = known.last;
        await known.last.catch(() => undefined);
      }
      opened.delete(made);
      await Promise.allSettled(known.connecting);
      await known.spare?.then(
        (connection) => connection.closeSync(),
        () => undefined,
      );
      const goes = known.isPassing && (await isUnfilled(known.writer));
      await emptyWriteAhead(made, known.writer);
      known.writer.closeSync();
      known.database.close();
      if (goes) removeMade(made.path);
    },
  };
  opened.set(made, known);
  return made;
}

/** Writes the write-ahead file into the case. DuckDB does so on closing, unless that file has no complete entry. */
async function emptyWriteAhead({ path, access }: Case, writer: DuckDBConnection): Promise<void> {
  if (access === 'read' || !existsSync(`${path}.wal`)) return;
  try {
    await writer.run('CHECKPOINT');
    if (!existsSync(`${path}.wal`)) return;
    // Half a first entry remains until another entry follows.
    await writer.run(`COMMENT ON TABLE stored.about IS '${ownComment}'`);
    await writer.run('CHECKPOINT');
  } catch {
    // The next opening replays the write-ahead file.
  }
}

/** Removes the file of a case that stayed empty. If that fails, an empty case remains. */
function removeMade(path: string): void {
  try {
    // Right after closing, before another process can open it.
    for (const each of [path, `${path}.wal`]) rmSync(each, { force: true });
  } catch {}
}

/** Returns the catalogue objects that differ from this version; empty unless the case was opened in spite of them. */
export function differencesOf(of: Case): readonly CatalogueDifference[] {
  return openedOf(of).differences;
}

/** Returns a connection of its own for reading, which sees what is committed. The caller must close it. */
export async function connect(from: Case): Promise<DuckDBConnection> {
  const known = openedOf(from);
  const connection = known.spare ?? makeConnection(known);
  // Opening one takes a twentieth of the time of a term search, so the next is opened in advance.
  known.spare = makeConnection(known);
  return connection;
}

function makeConnection({ database, connecting }: Opened): Promise<DuckDBConnection> {
  const connection = database.instance.connect();
  connecting.add(connection);
  connection.finally(() => connecting.delete(connection)).catch(() => undefined);
  return connection;
}

/**
 * Fixes the state that a connection sees until it closes: each part completely or not at all. A case opened for
 * reading has only one state.
 */
export async function beginState(from: Case, connection: DuckDBConnection): Promise<void> {
  if (from.access === 'write') await openedOf(from).readers.pass(() => beginOnce(connection));
}

/** Runs work on a connection of its own for reading, which sees one state of the case. */
export function readingState<T>(from: Case, work: Work<T>): Promise<T> {
  return reading(from, async (connection) => {
    await beginState(from, connection);
    return await work(connection);
  });
}

/**
 * Runs work on a connection of its own for reading. Each statement sees what is committed, and may briefly see
 * some logs of a part that is being added. Use `readCaseSnapshot` to read logs of parts that may not be listed
 * yet.
 */
export async function reading<T>(from: Case, work: Work<T>): Promise<T> {
  const connection = await connect(from);
  try {
    return await work(connection);
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    connection.closeSync();
  }
}

/**
 * Runs work in a transaction of its own, after all earlier writes; a failure rolls it back. Rejects with
 * `READ_ONLY` if the case was not opened for writing.
 */
export function writing<T>(into: Case, work: Work<T>): Promise<T> {
  return inTurn(into, (writer) =>
    transact(writer, (connection) => withOriginals(into, () => work(connection))),
  );
}

/**
 * Loads logs in a transaction, as `writeToCase` does, with one thread for each statement. Additional
 * connections may write logs in parallel.
 */
export function loading<T>(
  into: Case,
  work: (connection: DuckDBConnection, beside: Beside) => Promise<T>,
): Promise<T> {
  return inTurn(into, async (writer) => {
    await decideCompactionOnce(openedOf(into));
    return inOneThread(writer, (restore) =>
      transactBeside(
        writer,
        { connect: () => connect(into), readers: openedOf(into).readers },
        async (connection, beside) => {
          const result = await withOriginals(into, () => work(connection, beside));
          // A large commit uses several threads.
          await restore();
          return result;
        },
      ),
    );
  });
}

async function decideCompactionOnce(known: Opened): Promise<void> {
  if (known.isCompactionDecided) return;
  await decideCompaction(known.writer);
  known.isCompactionDecided = true;
}

/** Runs the work of a transaction, then syncs the originals that it lists. */
async function withOriginals<T>(into: Case, work: () => Promise<T>): Promise<T> {
  const result = await work();
  await syncNames(into.path);
  return result;
}

/** Queues a write after all earlier ones. */
function inTurn<T>(into: Case, write: Work<T>): Promise<T> {
  const known = openedOf(into);
  const next = known.last.then(() => {
    if (into.access === 'write') return write(known.writer);
    throw new StoreError('READ_ONLY', `"${into.path}" was opened for reading only`);
  });
  known.last = next.catch(() => undefined);
  return next.catch((error) => {
    throw toStoreError(error, into);
  });
}

function openedOf(of: Case): Opened {
  const known = opened.get(of);
  if (!known) throw new Error(`The case "${of.path}" is closed`);
  return known;
}

/** Converts a failure of the driver to a `StoreError`; returns anything else as it is. */
export function toStoreError(error: unknown, of: Pick<Case, 'path'>): unknown {
  if (!isOfDriver(error)) return error;
  const damaged = damagedCase(of.path, error);
  if (damaged) return damaged;
  // The driver adds advice about settings that users cannot change, and about a database that ends with the
  // process.
  const [message = ''] = messageOf(error).split('\n\nPossible solutions:');
  const what = /Original error: "([^"]*)"/.exec(message)?.[1] ?? message;
  return new StoreError('STORE_FAILED', `"${of.path}": ${what}`, { cause: error });
}

/** Reports if an error comes from the driver: a plain error whose message starts with its kind. */
export function isOfDriver(error: unknown): boolean {
  return error instanceof Error && !(error instanceof StoreError) && /^[\w -]+ Error: /.test(error.message);
}
