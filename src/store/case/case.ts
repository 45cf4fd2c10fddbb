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
 * An open case: the logs of an incident in one file, with where each came
 * from. Close it by `await using`, or by its `Symbol.asyncDispose`.
 */
export interface Case extends AsyncDisposable {
  /** The path it was opened with, or `:memory:`. */
  readonly path: string;
  readonly access: Access;
  /** Whether originals are copied into the evidence of the case, or stay where they are: then it is only as good as they are. */
  readonly originals: 'copied' | 'in place';
  /** Whether searches use the index of the tokens where there is one. They find the same without it. */
  readonly tokenIndex: 'used' | 'ignored';
}

/** How a case is opened. */
export interface OpenOptions {
  readonly access: Access;
  /**
   * With `write`: makes the case when there is no file yet. One that is made
   * `if filled` goes with its closing when nothing was put into it. Without,
   * a missing file is an error.
   */
  readonly create?: boolean | 'if filled';
  /** `little` for work that adds some logs at a time. Default `usual`. */
  readonly memory?: Memory;
  /** For a case that will not be kept: files that are added stay where they are. Copied unless given. */
  readonly originals?: 'in place';
  /** Searches look through all logs even where there is an index of their tokens. */
  readonly tokenIndex?: 'ignored';
  /** With `read`: opens an altered case too, for `verifyCase` alone. Any other answer from it can be false. */
  readonly altered?: 'opened';
  /** Where what does not fit into memory goes; unless given, the folder `<case>.tmp`, as far as the disk has room. */
  readonly spill?: Spill | undefined;
}

/** What this layer knows of an open case. */
interface Opened {
  readonly database: Database;
  /** The one connection that writes, and the last thing asked of it. */
  readonly writer: DuckDBConnection;
  last: Promise<unknown>;
  /** Connections that are being made: the driver crashes where the database is closed meanwhile. */
  readonly connecting: Set<Promise<DuckDBConnection>>;
  /** One that nobody has yet. */
  spare?: Promise<DuckDBConnection>;
  /** Whether the file goes with the closing when nothing was put into it. */
  readonly isPassing: boolean;
  /** What those begin through who see one state. */
  readonly readers: Gate;
  /** Objects of the file that are not as this version makes them; any only where the case was opened in spite of them. */
  readonly differences: readonly CatalogueDifference[];
  /** Whether it is decided what checkpoints put together: once, before logs are added. */
  isCompactionDecided: boolean;
}

const opened = new WeakMap<Case, Opened>();

/**
 * Opens a case file. `:memory:` is a new, empty case that goes with its
 * closing; it is always writable.
 *
 * Rejects with a `StoreError`: `CASE_NOT_FOUND`, `CASE_LOCKED`, `NOT_A_CASE`,
 * `CASE_VERSION`, `CASE_ALTERED`, `CASE_DAMAGED`, `STORE_FAILED`.
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
    // Before any other statement: objects of the file can change the answers to all that follow.
    const catalogue = path === inMemory || isMade ? [] : await readCatalogue(writer);
    addColumnTest(writer);
    addRowSource(writer);
    // One in memory, or one whose making was killed in a version that made it in its place.
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

/** Whether a case is of an older version, or has logs of a part that a killed process has not finished. */
async function needsMending(connection: DuckDBConnection, version: number): Promise<boolean> {
  return version < oldestReadable || 0 < (await findUnfinished(connection)).length;
}

/** Brings a case to this version, and takes out what a killed process has left. */
async function mend(connection: DuckDBConnection, path: string, version: number): Promise<void> {
  if (version < caseVersion) {
    await migrate(connection, version);
    const differences = await compareCatalogue(await readCatalogue(connection));
    if (0 < differences.length) throw alteredCase(path, differences);
  }
  await transact(connection, endParts);
}

/** Mends the file of a case, for which it has to be written to. */
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
      // What is begun while others end is waited for as well.
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

/**
 * Writes what is in the write-ahead file of a case into the case. The database
 * does so by itself as it closes, unless nothing in that file is whole.
 */
async function emptyWriteAhead({ path, access }: Case, writer: DuckDBConnection): Promise<void> {
  if (access === 'read' || !existsSync(`${path}.wal`)) return;
  try {
    await writer.run('CHECKPOINT');
    if (!existsSync(`${path}.wal`)) return;
    // Half of a first entry stays until something is written behind it.
    await writer.run(`COMMENT ON TABLE stored.about IS '${ownComment}'`);
    await writer.run('CHECKPOINT');
  } catch {
    // All of it is read from there the next time.
  }
}

/** Removes the file of a case that was made for nothing. Where that cannot be, it stays as a case without logs. */
function removeMade(path: string): void {
  try {
    // At once after it was closed, so that no other process opens it in between.
    for (const each of [path, `${path}.wal`]) rmSync(each, { force: true });
  } catch {}
}

/** The objects of the file of a case that are not as this version makes them: none unless it was opened in spite of them. */
export function differencesOf(of: Case): readonly CatalogueDifference[] {
  return openedOf(of).differences;
}

/** A connection of its own for reading, which sees what is committed. Its caller closes it. */
export async function connect(from: Case): Promise<DuckDBConnection> {
  const known = openedOf(from);
  const connection = known.spare ?? makeConnection(known);
  // To wait for it takes a twentieth of the time in which a word is found: the next one is made while this one works.
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
 * Lets a connection see one state of a case from now on until it is closed:
 * of each part all logs or none, whatever is written meanwhile. A case that is
 * open for reading has but one.
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
 * Runs work on a connection of its own for reading. Each of its statements sees
 * what is committed, and of a part that is being added some logs for a moment:
 * who looks at logs of parts that may not be listed yet asks for one state.
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
 * Runs work in a transaction of its own, after all earlier ones. When it
 * fails, nothing of it is left. Rejects with `READ_ONLY` when the case was not
 * opened for writing.
 */
export function writing<T>(into: Case, work: Work<T>): Promise<T> {
  return inTurn(into, (writer) =>
    transact(writer, (connection) => withOriginals(into, () => work(connection))),
  );
}

/**
 * Runs work that loads logs, as `writing` does, while statements of the
 * database keep to one thread each. Further connections may write logs
 * beside the first.
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
          // Where much is written as the transaction ends, several threads do it.
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

/** Runs work of a transaction. The originals that it lists are on the disk before it ends. */
async function withOriginals<T>(into: Case, work: () => Promise<T>): Promise<T> {
  const result = await work();
  await syncNames(into.path);
  return result;
}

/** Runs what writes to a case after all that was to write to it before. */
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

/** A failure of the driver as a `StoreError`; anything else as it is. */
export function toStoreError(error: unknown, of: Pick<Case, 'path'>): unknown {
  if (!isOfDriver(error)) return error;
  const damaged = damagedCase(of.path, error);
  if (damaged) return damaged;
  // What the driver advises is about settings that are not for users to make, and about a database that goes with the process.
  const [message = ''] = messageOf(error).split('\n\nPossible solutions:');
  const what = /Original error: "([^"]*)"/.exec(message)?.[1] ?? message;
  return new StoreError('STORE_FAILED', `"${of.path}": ${what}`, { cause: error });
}

/** Whether an error is one of the driver: they are plain ones, known by the kind that begins their message. */
export function isOfDriver(error: unknown): boolean {
  return error instanceof Error && !(error instanceof StoreError) && /^[\w -]+ Error: /.test(error.message);
}
