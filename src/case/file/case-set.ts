import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import {
  type AttachedDatabases,
  newSpillFolder,
  openAttachable,
  reserveMemoryForLogs,
  StoreError,
} from '../../database/index.ts';
import { addColumnTest } from '../../word-index/index.ts';
import { addWordsFunction, type Case, type CaseUse, lendCase, openCase } from './case.ts';
import { caseFormat, caseVersion, isOwnCatalogue, readCatalogues } from './schema.ts';

/** Many cases, opened for reading together. */
export interface CaseSet extends AsyncDisposable {
  /** The cases in the order of their paths. */
  readonly cases: readonly Case[];
  /** Cases that other processes did not release in time. */
  readonly locked: readonly LockedCase[];
}

/** A case that another process has open for writing. */
export interface LockedCase {
  readonly path: string;
  readonly error: StoreError;
}

/** Options of `openCaseSet`. */
export interface CaseSetOptions {
  /** Time to wait for other processes that write, in milliseconds. Default: 2,000. */
  readonly patience?: number;
  /** Called once for each case that is waited for. */
  readonly onWait?: (path: string) => void;
  /** Cases that are open at once. Default: 64. Streams of logs that are read side by side may hold more. */
  readonly atOnce?: number;
  readonly signal?: AbortSignal;
}

/** The times of the logs of a case, in milliseconds since the epoch; absent if no log has a time. */
export interface CaseTimes {
  readonly first?: number;
  readonly last?: number;
}

/** One case of a set. */
interface Member {
  readonly path: string;
  /** Name of the attached database. */
  readonly name: string;
  isAttached: boolean;
  /** Open connections, and the number of the last use among all of the set. */
  uses: number;
  lastUse: number;
  /** Identity of the state of its files. */
  state: string;
  /** Stands for that state. */
  opening: object;
  times: CaseTimes;
}

const members = new WeakMap<Case, Member>();

/**
 * Returns the times of the logs of a case that was opened as one of a set, as they were when it was opened last;
 * undefined for another case, whose times are not known without a search.
 */
export function timesOfCase(of: Case): CaseTimes | undefined {
  return members.get(of)?.times;
}

/** Time between two attempts to open a case that another process has open, in milliseconds. */
const pause = 50;

/**
 * Opens cases for reading, of which some are open at once, and reads the times of their logs. Waits for processes that
 * write, and names the cases that they still have open then. Rejects as `openCase` does for any other case that cannot be
 * opened.
 *
 * ```ts
 * await using set = await openCaseSet(['a-2026-11-28.duckdb', 'a-2026-11-29.duckdb']);
 * ```
 */
export async function openCaseSet(paths: readonly string[], options: CaseSetOptions = {}): Promise<CaseSet> {
  const { patience = 2_000, onWait = () => {}, atOnce = 64, signal } = options;
  const spill = newSpillFolder(paths[0] ?? 'cases');
  const databases = await openAttachable(paths, spill);
  const close = async () => {
    databases.close();
    await rm(spill, { recursive: true, force: true }).catch(() => undefined);
  };
  try {
    const pool = await openPool(databases, atOnce);
    const deadline = performance.now() + patience;
    const opened = new Map<string, Case>();
    let locked: LockedCase[] = [];
    for (let left = paths; 0 < left.length; left = locked.map(({ path }) => path)) {
      const isFirst = left === paths;
      locked = [];
      for (let at = 0; at < left.length; at += atOnce) {
        signal?.throwIfAborted();
        const some = await pool.admit(left.slice(at, at + atOnce));
        for (const [path, found] of some)
          if (found instanceof StoreError) locked.push({ path, error: found });
          else opened.set(path, found);
      }
      if (isFirst) for (const { path } of locked) onWait(path);
      if (deadline <= performance.now()) break;
      if (0 < locked.length) await wait(pause, undefined, { signal });
    }
    const cases = paths.flatMap((path) => opened.get(path) ?? []);
    return {
      cases,
      locked,
      async [Symbol.asyncDispose]() {
        for (const each of cases) await each[Symbol.asyncDispose]();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Attaches cases for their uses, a bounded number at once. */
interface Pool {
  /** Opens some cases for the first time, no more than may be open at once. An error stands for a locked case. */
  readonly admit: (paths: readonly string[]) => Promise<ReadonlyMap<string, Case | StoreError>>;
}

async function openPool(databases: AttachedDatabases, atOnce: number): Promise<Pool> {
  const reader = await databases.connect();
  addColumnTest(reader);
  addWordsFunction(reader);
  const attached = new Set<Member>();
  const waiting: (() => void)[] = [];
  let [names, uses, briefUses] = [0, 0, 0];
  // Attaching and detaching are done one after the other.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };

  const detach = async (member: Member) => {
    attached.delete(member);
    member.isAttached = false;
    await databases.detach(member.path, member.name);
  };
  const detachIdle = async (): Promise<boolean> => {
    const idle = [...attached].filter((member) => member.uses === 0);
    const [oldest] = idle.toSorted((one, other) => one.lastUse - other.lastUse);
    if (oldest) await detach(oldest);
    return oldest !== undefined;
  };
  const attach = async (member: Member): Promise<void> => {
    const state = stateOfFiles(member.path);
    await databases.attach(member.path, member.name);
    attached.add(member);
    member.isAttached = true;
    member.opening = {};
    if (state === member.state) return;
    member.state = state;
    member.times = {};
    const [times] = await readTimes(reader, [member]);
    if (times === undefined) {
      await detach(member);
      // It has been replaced or altered since: opening it says how.
      await using _ = await openCase(member.path, { access: 'read' });
      throw new StoreError(
        'STORE_FAILED',
        `"${member.path}" was replaced while it was read: repeat the command`,
      );
    }
    member.times = times;
  };
  const release = (member: Member, use: CaseUse) => {
    member.uses -= 1;
    if (use === 'brief') briefUses -= 1;
    waiting.shift()?.();
  };
  /**
   * Attaches a member and counts a use of it; false if others have to end first. Only brief uses are waited for: whoever
   * reads a stream may be waiting for this use.
   */
  const tryUse = (member: Member, use: CaseUse): Promise<boolean> =>
    inTurn(async () => {
      if (!member.isAttached) {
        const hasRoom = attached.size < atOnce || (await detachIdle());
        if (!hasRoom && use === 'brief' && 0 < briefUses) return false;
        await attach(member);
      }
      member.uses += 1;
      if (use === 'brief') briefUses += 1;
      member.lastUse = uses++;
      return true;
    });
  const connect = async (member: Member, use: CaseUse): Promise<DuckDBConnection> => {
    while (!(await tryUse(member, use)))
      if (0 < briefUses && [...attached].every((other) => 0 < other.uses))
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
    try {
      const connection = await databases.connect();
      await connection.run(`USE ${member.name}`);
      return whenClosed(connection, () => release(member, use));
    } catch (error) {
      release(member, use);
      throw error;
    }
  };

  const toCase = (member: Member): Case => {
    const lent = lendCase(member.path, {
      connect: (use) => connect(member, use),
      opening: () => member.opening,
      close: () => inTurn(async () => (member.isAttached ? await detach(member) : undefined)),
    });
    members.set(lent, member);
    return lent;
  };

  /** Opens a case that cannot be attached as it is: one with an unfinished part is repaired so. */
  const openAlone = async (path: string): Promise<Case | StoreError> => {
    try {
      return await openCase(path, { access: 'read' });
    } catch (error) {
      if (error instanceof StoreError && error.code === 'CASE_LOCKED') return error;
      throw error;
    }
  };

  return {
    admit: (paths) =>
      inTurn(async () => {
        while (0 < attached.size && atOnce < attached.size + paths.length && (await detachIdle()));
        const found = new Map<string, Case | StoreError>();
        const begun: Member[] = [];
        for (const path of paths) {
          const member = newMember(path, `c${names++}`);
          const failure = await databases.attach(path, member.name).catch((error: unknown) => error);
          if (failure === undefined) begun.push(member);
          else if (failure instanceof StoreError && failure.code === 'CASE_LOCKED') found.set(path, failure);
          else found.set(path, await openAlone(path));
        }
        const times = await readTimes(reader, begun);
        for (const [index, member] of begun.entries()) {
          member.isAttached = true;
          attached.add(member);
          const own = times[index];
          if (own) {
            member.times = own;
            found.set(member.path, toCase(member));
            continue;
          }
          await detach(member);
          found.set(member.path, await openAlone(member.path));
        }
        return found;
      }),
  };
}

function newMember(path: string, name: string): Member {
  const state = stateOfFiles(path);
  return { path, name, isAttached: false, uses: 0, lastUse: 0, state, opening: {}, times: {} };
}

/** Returns what changes whenever a case is written: the identity, size and times of its files. */
function stateOfFiles(path: string): string {
  return [path, `${path}.wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }))
    .map((found) =>
      found ? `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : '',
    )
    .join(' ');
}

/** Calls a function once a connection is closed. */
function whenClosed(connection: DuckDBConnection, closed: () => void): DuckDBConnection {
  const close = connection.closeSync.bind(connection);
  let isClosed = false;
  connection.closeSync = () => {
    close();
    if (!isClosed) closed();
    isClosed = true;
  };
  return connection;
}

const timesRow = v.tuple([
  v.number(),
  v.nullable(v.number()),
  v.nullable(v.number()),
  v.number(),
  v.number(),
]);

/**
 * Checks the catalogues of attached files, and reads the times of their logs. Undefined for a file that is no case of this
 * version, was altered, or has an unfinished part.
 */
async function readTimes(
  reader: DuckDBConnection,
  attached: readonly Member[],
): Promise<readonly (CaseTimes | undefined)[]> {
  if (attached.length === 0) return [];
  // Before any other statement: objects of a file can change the results of all that follow.
  const catalogues = await readCatalogues(reader);
  const own = new Set<unknown>();
  for (const catalogue of new Set(catalogues.values()))
    if (await isOwnCatalogue(catalogue)) own.add(catalogue);
  const sound = attached.filter(({ name }) => own.has(catalogues.get(name)));
  const found = new Map((await timesOf(reader, sound)).map((times, index) => [sound[index], times]));

  return attached.map((member) => found.get(member));
}

async function timesOf(
  reader: DuckDBConnection,
  sound: readonly Member[],
): Promise<readonly (CaseTimes | undefined)[]> {
  if (sound.length === 0) return [];
  const selects = sound.map(
    ({ name }, index) =>
      `SELECT ${index} AS number, epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE,
         (SELECT count(*) FROM ${name}.stored.about WHERE format = '${caseFormat}' AND version = ${caseVersion})::DOUBLE,
         (SELECT count(*) FROM ${name}.stored.unfinished)::DOUBLE FROM ${name}.stored.logs`,
  );
  try {
    const result = await reader.runAndReadAll(`${selects.join(' UNION ALL ')} ORDER BY number`);
    const schemas = sound.map(({ name }) => `${name}.stored`);
    await reserveMemoryForLogs(reader, schemas);
    return v.parse(v.array(timesRow), result.getRowsJS()).map(([, first, last, versions, unfinished]) => {
      if (versions === 0 || 0 < unfinished) return undefined;
      return { ...(first !== null && last !== null && { first, last }) };
    });
  } catch (error) {
    const [only, other] = sound;
    if (only && !other) return [undefined];
    // One of them is damaged: each for itself shows which.
    if (other) return (await Promise.all(sound.map((member) => timesOf(reader, [member])))).flat();
    throw error;
  }
}
