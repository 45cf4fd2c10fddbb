import { chmodSync, closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { type DuckDBConnection, DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';
import * as v from 'valibot';
import {
  type Access,
  beginTransactionOnce,
  type Database,
  inMemoryPath,
  type Memory,
  messageOf,
  openDatabase,
  realPath,
  removeSpill,
  removeStaleFiles,
  reserveMemoryForLogs,
  runInOneThread,
  type Spill,
  StoreError,
  syncFolder,
  temporaryBeside,
  toStoreError,
} from '../../database/index.ts';
import { analyze } from '../../language/index.ts';
import { addColumnTest, addTextSink, dropIdIndex } from '../../word-index/index.ts';
import { registerRowSource, rowGroupSize } from '../rows/row-writer.ts';
import { removePending, syncEvidence } from './evidence-folder.ts';
import {
  type CatalogueDifference,
  caseComment,
  checkCatalogue,
  createSchema,
  isBlankCatalogue,
  isUnfilled,
  readCatalogue,
} from './schema.ts';
import {
  type ConnectBeside,
  type ConnectionTask,
  findUnfinishedParts,
  makeReaderBarrier,
  type ReaderBarrier,
  removeUnfinishedParts,
  runParallelTransactions,
  runTransaction,
  type WriteStep,
} from './transaction.ts';

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
interface CaseState {
  readonly database: Database;
  /** The only connection that writes, and the last queued write. */
  readonly writer: DuckDBConnection;
  lastWrite: Promise<unknown>;
  /** Connections that are being opened: the driver crashes if the database closes meanwhile. */
  readonly connecting: Set<Promise<DuckDBConnection>>;
  /** An unused connection, opened in advance. */
  spare?: Promise<DuckDBConnection>;
  /** Remove the file on closing if nothing was added. */
  readonly isRemovedIfEmpty: boolean;
  /** Barrier that snapshots of readers pass as they begin. */
  readonly readers: ReaderBarrier;
  /** Catalogue objects that differ from this version; empty unless opened in spite of them. */
  readonly differences: readonly CatalogueDifference[];
  /** Checkpoints have been configured: once, before logs are added. */
  isCompactionDecided: boolean;
}

const states = new WeakMap<Case, CaseState>();

/** Opens a case for its uses, and may close it between two. */
export interface Lender {
  /**
   * Returns a connection to the case; closing it ends the use. A brief use ends without waiting for another one, so it
   * may have to wait for others.
   */
  readonly connect: (use: CaseUse) => Promise<DuckDBConnection>;
  /** An object of its own for each state of the file that was opened. */
  readonly opening: () => object;
  /** Closes the case until its next use. */
  readonly close: () => Promise<void>;
}

/** How a connection is used: until the work on it ends, or for as long as somebody reads the rows of a stream. */
export type CaseUse = 'brief' | 'stream';

const lenders = new WeakMap<Case, Lender>();

/** Returns a case for reading that a lender opens for its uses. */
export function lendCase(path: string, lender: Lender): Case {
  const lent: Case = {
    path,
    access: 'read',
    originals: 'copied',
    tokenIndex: 'used',
    [Symbol.asyncDispose]: () => lender.close(),
  };
  lenders.set(lent, lender);
  return lent;
}

/** Returns what stands for the state of a case: as long as it is the same object, a case opened for reading is. */
export function openingOf(of: Case): object {
  return lenders.get(of)?.opening() ?? stateOf(of);
}

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
export function openCase(path: string, options: OpenOptions): Promise<Case> {
  return openChecked(path, options, () => {});
}

/** Opens a case as `openCase` does, and reports that the database works on the check of its catalogue. */
async function openChecked(path: string, options: OpenOptions, onCheck: () => void): Promise<Case> {
  const { access, create = false } = options;
  const isInMemory = path === inMemoryPath;
  const mayCreate = isInMemory || (access === 'write' && create !== false);
  if (!mayCreate && !existsSync(path))
    throw new StoreError('CASE_NOT_FOUND', `There is no case file "${path}"`);
  if (access === 'write' && !isInMemory)
    return withPrivateFiles(path, () => openPrepared(path, options, onCheck));
  return openPrepared(path, options, onCheck);
}

async function openPrepared(path: string, options: OpenOptions, onCheck: () => void): Promise<Case> {
  const { access, create = false, memory, spill } = options;
  const isInMemory = path === inMemoryPath;
  const mayCreate = isInMemory || (access === 'write' && create !== false);
  const isCreated = mayCreate && !isInMemory && (await makeCase(path));
  const database = await openDatabase(path, isInMemory ? 'write' : access, {
    memory,
    replacesHalfMade: mayCreate,
    spill,
  });
  try {
    if (!isInMemory && access === 'write') await removeSpill(path);
    const writer = await database.instance.connect();
    const mayDiffer = options.altered === 'opened';
    const differences = await prepareDatabase(writer, { path, mayCreate, isCreated, mayDiffer, onCheck });
    if (0 < differences.length)
      return toCase(
        { path, access: 'read', originals: 'copied', tokenIndex: 'ignored' },
        { database, writer, isRemovedIfEmpty: false, differences },
      );
    if (access === 'read' && 0 < (await findUnfinishedParts(writer)).length) {
      writer.closeSync();
      database.close();
      await repairCaseFile(path);
      return await openCase(path, options);
    }
    if (access === 'write') await runTransaction(writer, removeUnfinishedParts);
    await reserveMemoryForLogs(writer);
    if (access === 'write') await removePending(writer, path);
    return toCase(
      {
        path,
        access: isInMemory ? 'write' : access,
        originals: isInMemory ? 'in place' : (options.originals ?? 'copied'),
        tokenIndex: options.tokenIndex ?? 'used',
      },
      { database, writer, isRemovedIfEmpty: isCreated && create === 'if filled', differences: [] },
    );
  } catch (error) {
    database.close();
    if (isCreated) removeCaseFile(path);
    throw toStoreError(error, { path });
  }
}

/** Options of `prepareDatabase`: `isCreated` for a file that was just created with all its tables. */
interface Preparation {
  readonly path: string;
  readonly mayCreate: boolean;
  readonly isCreated: boolean;
  readonly mayDiffer: boolean;
  readonly onCheck: () => void;
}

/** Checks the catalogue of a database, creates the tables of an empty one, and registers the functions of this program. */
async function prepareDatabase(
  writer: DuckDBConnection,
  { path, mayCreate, isCreated, mayDiffer, onCheck }: Preparation,
): Promise<readonly CatalogueDifference[]> {
  // Before any other statement: objects of the file can change the results of all that follow.
  const reading = path === inMemoryPath || isCreated ? [] : readCatalogue(writer);
  onCheck();
  const catalogue = await reading;
  addColumnTest(writer);
  addWordsFunction(writer);
  addTextSink(writer);
  registerRowSource(writer);
  // A case in memory, or an empty database.
  const isUnfinished = mayCreate && !isCreated && isBlankCatalogue(catalogue);
  if (isUnfinished) await createSchema(writer);
  if (isCreated || isUnfinished) return [];
  return await checkCatalogue(writer, { path, catalogue, mayDiffer });
}

function toCase(
  facts: Omit<Case, symbol>,
  resources: Pick<CaseState, 'database' | 'writer' | 'isRemovedIfEmpty' | 'differences'>,
): Case {
  const state: CaseState = {
    ...resources,
    lastWrite: Promise.resolve(),
    connecting: new Set(),
    readers: makeReaderBarrier(),
    isCompactionDecided: false,
  };
  const opened: Case = { ...facts, [Symbol.asyncDispose]: () => closeCase(opened) };
  states.set(opened, state);
  return opened;
}

/**
 * Runs work on a case while it is open for writing, and opens it for reading again. The caller ensures that nothing
 * else uses the case meanwhile. Rejects with `CASE_LOCKED` if another process uses it.
 */
export async function writeBetweenReads<T>(of: Case, work: (into: Case) => Promise<T>): Promise<T> {
  await closeCase(of);
  try {
    await using into = await openCase(of.path, { access: 'write', memory: 'little' });
    return await work(into);
  } finally {
    await reopenCase(of).catch(() => {
      // Another process was faster: the next use tries again.
    });
  }
}

/** Opens a case again that `writeBetweenReads` could not open for reading; does nothing if it is open. */
export async function reopenCase(of: Case): Promise<void> {
  if (states.has(of) || lenders.has(of)) return;
  const { access, tokenIndex } = of;
  const again = await openCase(of.path, { access, ...(tokenIndex === 'ignored' && { tokenIndex }) });
  states.set(of, stateOf(again));
}

async function closeCase(of: Case): Promise<void> {
  await lenders.get(of)?.close();
  const state = states.get(of);
  if (!state) return;
  const { writer, database } = state;
  // Also waits for writes that were queued while waiting.
  for (let last: unknown; last !== state.lastWrite; ) {
    last = state.lastWrite;
    await state.lastWrite.catch(() => undefined);
  }
  states.delete(of);
  await Promise.allSettled(state.connecting);
  await state.spare?.then(
    (connection) => connection.closeSync(),
    () => undefined,
  );
  const isRemoved = state.isRemovedIfEmpty && (await isUnfilled(writer));
  if (of.access === 'write') await emptyWriteAhead(of.path, writer);
  writer.closeSync();
  database.close();
  if (isRemoved) removeCaseFile(of.path);
}

/** Returns the catalogue objects that differ from this version; empty unless the case was opened in spite of them. */
export function catalogueDifferencesOf(of: Case): readonly CatalogueDifference[] {
  return stateOf(of).differences;
}

/** Returns a connection of its own for reading, which sees what is committed. The caller must close it. */
export async function connectToCase(from: Case, use: CaseUse = 'stream'): Promise<DuckDBConnection> {
  const lender = lenders.get(from);
  if (lender) return await lender.connect(use);
  const state = stateOf(from);
  const connection = state.spare ?? makeConnection(state);
  // Opening one takes a twentieth of the time of a term search, so the next is opened in advance.
  state.spare = makeConnection(state);
  return connection;
}

function makeConnection({ database, connecting }: CaseState): Promise<DuckDBConnection> {
  const connection = database.instance.connect();
  connecting.add(connection);
  connection.finally(() => connecting.delete(connection)).catch(() => undefined);
  return connection;
}

/**
 * Fixes the state that a connection sees until it closes: each part completely or not at all. A case opened for
 * reading has only one state.
 */
export async function beginSnapshot(from: Case, connection: DuckDBConnection): Promise<void> {
  if (from.access === 'write') await stateOf(from).readers.enter(() => beginTransactionOnce(connection));
}

/** Runs work on a connection of its own for reading, which sees one state of the case. */
export function readCaseSnapshot<T>(from: Case, work: ConnectionTask<T>): Promise<T> {
  return readCase(from, async (connection) => {
    await beginSnapshot(from, connection);
    return await work(connection);
  });
}

/**
 * Runs work on a connection of its own for reading. Each statement sees what is committed, and may briefly see
 * some logs of a part that is being added. Use `readCaseSnapshot` to read logs of parts that may not be listed
 * yet.
 */
export async function readCase<T>(from: Case, work: ConnectionTask<T>): Promise<T> {
  const connection = await connectToCase(from, 'brief');
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
export function writeToCase<T>(into: Case, work: ConnectionTask<T>): Promise<T> {
  return queueWrite(into, (writer) => runStep(into, writer, work));
}

function runStep<T>(into: Case, writer: DuckDBConnection, work: ConnectionTask<T>): Promise<T> {
  return runTransaction(writer, (connection) => withOriginals(into, () => work(connection)));
}

/**
 * Runs work that writes in several transactions, one after the other. No other write comes in between, so that what
 * the work reads beside them stays true; each statement has one thread. A failure rolls back the current transaction.
 * Rejects with `READ_ONLY` if the case was not opened for writing.
 */
export function writeInSteps<T>(into: Case, work: (step: WriteStep) => Promise<T>): Promise<T> {
  return queueWrite(into, (writer) =>
    runInOneThread(writer, () => work((task) => runStep(into, writer, task))),
  );
}

/**
 * Loads logs in a transaction, as `writeToCase` does, with one thread for each statement. Additional
 * connections may write logs in parallel.
 */
export function loadIntoCase<T>(
  into: Case,
  work: (connection: DuckDBConnection, beside: ConnectBeside) => Promise<T>,
): Promise<T> {
  return queueWrite(into, async (writer) => {
    await decideCompactionOnce(stateOf(into));
    return runInOneThread(writer, (restore) =>
      runParallelTransactions(
        writer,
        { connect: () => connectToCase(into), readers: stateOf(into).readers },
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

async function decideCompactionOnce(state: CaseState): Promise<void> {
  if (state.isCompactionDecided) return;
  await decideCompaction(state.writer);
  state.isCompactionDecided = true;
}

/** Runs the work of a transaction, then syncs the originals that it lists. */
async function withOriginals<T>(into: Case, work: () => Promise<T>): Promise<T> {
  const result = await work();
  await syncEvidence(into.path);
  return result;
}

/** Queues a write after all earlier ones. */
function queueWrite<T>(into: Case, write: ConnectionTask<T>): Promise<T> {
  if (lenders.has(into)) return Promise.reject(readOnly(into));
  const state = stateOf(into);
  const next = state.lastWrite.then(() => {
    if (into.access === 'write') return withPrivateFiles(into.path, () => write(state.writer));
    throw readOnly(into);
  });
  state.lastWrite = next.catch(() => undefined);
  return next.catch((error) => {
    throw toStoreError(error, into);
  });
}

function readOnly({ path }: Case): StoreError {
  return new StoreError('READ_ONLY', `"${path}" was opened for reading only`);
}

/** Number of writes that keep new files private, and the umask before the first of them. */
const privately = { writes: 0, umask: 0 };

/**
 * Runs work during which the database may create its write-ahead file, which holds logs. Only its owner may read it,
 * whatever the umask, or who may read the case. A thread beside the main one cannot set the umask.
 */
async function withPrivateFiles<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (path === inMemoryPath) return work();
  if (isMainThread && privately.writes === 0) privately.umask = process.umask(0o077);
  privately.writes += 1;
  try {
    return await work();
  } finally {
    privately.writes -= 1;
    if (isMainThread && privately.writes === 0) process.umask(privately.umask);
    shareWriteAhead(path);
  }
}

/** Gives a write-ahead file the permissions of its case. */
function shareWriteAhead(path: string): void {
  const file = statSync(`${path}.wal`, { throwIfNoEntry: false });
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (file === undefined || mode === undefined || ((file.mode ^ mode) & 0o777) === 0) return;
  try {
    chmodSync(`${path}.wal`, mode & 0o777);
  } catch {
    // It is gone by now, or belongs to somebody else.
  }
}

function stateOf(of: Case): CaseState {
  const state = states.get(of);
  if (!state) throw new Error(`The case "${of.path}" is closed`);
  return state;
}

/** Removes unfinished parts of a case that is opened for reading. Rejects with `STORE_FAILED` if it cannot be written. */
async function repairCaseFile(path: string): Promise<void> {
  try {
    const database = await openDatabase(path, 'write');
    try {
      const connection = await database.instance.connect();
      addWordsFunction(connection);
      await runTransaction(connection, removeUnfinishedParts).finally(() => connection.closeSync());
    } finally {
      database.close();
    }
  } catch (cause) {
    const why = 'has logs of an unfinished part, which must be removed, which requires writing to it';
    throw new StoreError('STORE_FAILED', `"${path}" ${why}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Registers the function `words(text)`: the words of a text as the engine cuts them, joined and surrounded by single
 * blanks; NULL if it has none.
 */
export function addWordsFunction(connection: DuckDBConnection): void {
  const added = DuckDBScalarFunction.create({
    name: 'words',
    parameterTypes: [VARCHAR],
    returnType: VARCHAR,
    mainFunction: (_info, input, output) => {
      const texts = input.getColumnVector(0);
      for (let row = 0; row < input.rowCount; row += 1) {
        const text = texts.getItem(row);
        output.setItem(row, typeof text === 'string' ? wordsOf(text) : null);
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(added);
}

function wordsOf(text: string): string | null {
  const words = analyze(text);
  return words.length === 0 ? null : ` ${words.join(' ')} `;
}

/**
 * Writes the write-ahead file into a case that is open for writing. DuckDB does so on closing, unless that file has
 * no complete entry.
 */
async function emptyWriteAhead(path: string, writer: DuckDBConnection): Promise<void> {
  if (!existsSync(`${path}.wal`)) return;
  try {
    await writer.run('CHECKPOINT');
    if (!existsSync(`${path}.wal`)) return;
    // Half a first entry remains until another entry follows.
    await writer.run(`COMMENT ON TABLE stored.about IS '${caseComment}'`);
    await writer.run('CHECKPOINT');
  } catch {
    // The next opening replays the write-ahead file.
  }
}

/** Removes the file of a case that stayed empty. If that fails, an empty case remains. */
function removeCaseFile(path: string): void {
  try {
    // Right after closing, before another process can open it.
    for (const file of [path, `${path}.wal`]) rmSync(file, { force: true });
  } catch {}
}

/** The tables to which most changes of a case append. */
const growingTables = ['stored.logs', 'stored.actions'];

/** Tolerated row groups beyond twice the necessary number. */
const tolerated = 8;

/** Maximum number of merges of row groups in a checkpoint; each takes up to a second. */
const maxMerges = 8;

/**
 * Configures checkpoints to merge small adjacent row groups, if there are many. Each write leaves a row group
 * that is not full. To merge it with the next at every write would take as long as loading it. Twice as many
 * groups as necessary cost little time and space. Counting them reads all over the file, 250 ms for 5 million
 * logs, so it is only done before logs are added. The index of ids keeps row groups that lost logs from
 * being merged; it is made anew with the next index.
 */
async function decideCompaction(connection: DuckDBConnection): Promise<void> {
  const found = await Promise.all(growingTables.map((table) => isFragmented(connection, table)));
  const isMerged = found.includes(true);
  await connection.run(`SET max_vacuum_tasks = ${isMerged ? maxMerges : 0}`);
  if (isMerged) await dropIdIndex(connection);
}

const counted = v.tuple([v.number(), v.number()]);

async function isFragmented(connection: DuckDBConnection, table: string): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `SELECT (SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('${table}'))::DOUBLE,
       (SELECT count(*) FROM ${table})::DOUBLE`,
  );
  const [groups, rows] = v.parse(counted, result.getRowsJS()[0]);
  return 2 * Math.ceil(rows / rowGroupSize) + tolerated < groups;
}

/**
 * Creates the file of a new case if there is none, and returns whether it did. The file gets its name once it
 * is complete and synced, so that a kill leaves no half of it. If another process creates it meanwhile, that
 * one stays.
 *
 * Rejects with a `StoreError`: `CASE_NOT_FOUND` if the folder does not exist, `STORE_FAILED`.
 */
export async function makeCase(path: string): Promise<boolean> {
  const target = realPath(path);
  await removeStaleFiles(target);
  const orphan = findOrphan(target);
  if (existsSync(target)) return false;
  const temporary = temporaryBeside(target);
  try {
    await writeCase(temporary);
    // Whatever the umask: logs hold personal data.
    chmodSync(temporary, 0o600);
    if (orphan !== undefined && orphan === findOrphan(target)) rmSync(`${target}.wal`);
    if (!giveName(temporary, target)) return false;
    await syncFolder(dirname(target));
    return true;
  } catch (cause) {
    const message = messageOf(cause).replaceAll(basename(temporary), basename(target));
    if (cause instanceof StoreError) throw new StoreError(cause.code, message, { cause });
    throw new StoreError('STORE_FAILED', `"${path}" cannot be created: ${message}`, { cause });
  } finally {
    for (const file of [temporary, `${temporary}.wal`])
      await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Writes an empty case into one file. */
async function writeCase(path: string): Promise<void> {
  const database = await openDatabase(path, 'write', { memory: 'little' });
  try {
    const connection = await database.instance.connect();
    try {
      await createSchema(connection);
      // Closing would write it too, but hide a failure.
      await connection.run('CHECKPOINT');
    } finally {
      connection.closeSync();
    }
  } finally {
    database.close();
  }
}

/**
 * Identifies a write-ahead file without its case; undefined if there is none. Call it before looking for the
 * case: another process may create the case and then its write-ahead file.
 */
function findOrphan(target: string): string | undefined {
  const found = statSync(`${target}.wal`, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.dev} ${found.ino} ${found.ctimeMs}` : undefined;
}

/** Error codes of file systems without hard links. */
const unlinkable: ReadonlySet<unknown> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EINVAL',
]);

/** Links a file to its final name; false if the name is taken. A rename would replace a file of another process. */
function giveName(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!unlinkable.has(codeOf(error))) throw error;
  }
  return takeName(temporary, target);
}

function takeName(temporary: string, target: string): boolean {
  try {
    closeSync(openSync(target, 'wx'));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  renameSync(temporary, target);
  return true;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * Starts to open a case for reading. Resolves once the database works on the check of its catalogue, which takes most
 * of the time and nothing of this thread, or once it cannot be opened. `opened` rejects as `openCase` does.
 */
export async function startOpening(path: string): Promise<{ readonly opened: Promise<Case> }> {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const opened = openChecked(path, { access: 'read' }, begin);
  opened.catch(begin);
  await begun;
  return { opened };
}
