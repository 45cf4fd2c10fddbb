import { type Case, countLogs, streamGroupBlocks, streamNumberLists } from '../case/index.ts';
import { boolFilter, type Filter } from '../language/index.ts';
import type { LogField } from '../records/index.ts';
import {
  compareTexts,
  type FieldRow,
  fieldEnd,
  fieldStart,
  forEachRow,
  integerIn,
  internBytes,
  joinNumbers,
} from './group-blocks.ts';

/** Activity of a user without a longer pause. Times are milliseconds since the epoch. */
export interface UserSession {
  readonly user: string;
  readonly first: number;
  readonly last: number;
  readonly logs: number;
  /** Different ids of requests. */
  readonly requests: number;
  /** Logs of level SEVERE. */
  readonly errors: number;
  /** Sources of the logs with their number of logs, the most frequent first. */
  readonly services: readonly { readonly value: string; readonly count: number }[];
  /** Longest time between two logs, milliseconds. */
  readonly longestGap: number;
}

/** Sessions of some logs. */
export interface FoundSessions {
  /** In order of their first log, then of the user. */
  readonly sessions: readonly UserSession[];
  readonly users: number;
  /** Logs without a user, and logs of users without a time: they are in no session. */
  readonly withoutUser: number;
  readonly timeless: number;
}

/** Options of the sessions. */
export interface FindSessionsOptions {
  readonly filter: Filter;
  /** A longer pause ends a session, milliseconds. Default 30 minutes, as in web analytics. */
  readonly idle?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Splits the activity of each user at pauses, in the logs that a filter selects in some cases. Logs of a user in
 * several cases are one activity. Rejects with a `StoreError`, or the signal's reason.
 *
 * ```ts
 * const { sessions } = await findSessions([incident], { filter, idle: 3_600_000 });
 * for (const { user, first, last } of sessions) console.log(user, last - first);
 * ```
 */
export async function findSessions(
  cases: readonly Case[],
  { filter, idle = 30 * 60_000, signal }: FindSessionsOptions,
): Promise<FoundSessions> {
  const { times, timeless } = await collectTimes(cases, { filter: ofUsers(filter), signal });
  const sessionsOf = new Map([...times].map(([user, own]) => [user, splitAtPauses(own, idle)]));
  const counting = { sessionsOf, filter: ofUsers(filter), idle, signal };
  const [withoutUser] = await Promise.all([
    countWithoutUser(cases, filter),
    addServices(cases, counting),
    addRequests(cases, counting),
  ]);
  const sessions = [...sessionsOf].flatMap(([user, own]) => own.map((session) => toSession(user, session)));
  return {
    sessions: sessions.sort((a, b) => a.first - b.first || compareTexts(a.user, b.user)),
    users: times.size,
    withoutUser,
    timeless,
  };
}

const hasUser: Filter = {
  kind: 'exists',
  field: { name: 'username', type: 'keyword', about: 'The user' },
};

function ofUsers(filter: Filter): Filter {
  return boolFilter({ must: [filter, hasUser] });
}

async function countWithoutUser(cases: readonly Case[], filter: Filter): Promise<number> {
  const others = boolFilter({ must: [filter], mustNot: [hasUser] });
  const counts = await Promise.all(cases.map((from) => countLogs(from, others)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Collects the times of the logs of each user in ascending order, and counts the logs without one. */
async function collectTimes(
  cases: readonly Case[],
  { filter, signal }: Pick<FindSessionsOptions, 'filter' | 'signal'>,
): Promise<{ readonly times: ReadonlyMap<string, Float64Array>; readonly timeless: number }> {
  const found = new Map<string, Float64Array[]>();
  let timeless = 0;
  const options = { keys: ['username'], numbers: ['time'], signal } as const;
  for (const from of cases)
    for await (const { keys, numbers } of streamNumberLists(from, filter, options)) {
      const [[user = ''], [all = new Float64Array(0)]] = [keys, numbers];
      const times = all.filter((time) => !Number.isNaN(time));
      timeless += all.length - times.length;
      if (0 < times.length) found.set(user, [...(found.get(user) ?? []), times]);
    }
  const sorted = [...found].map(([user, lists]) => [user, joinNumbers(lists).sort()] as const);
  return { times: new Map(sorted), timeless };
}

function toSession(user: string, { requests, services, ...session }: OpenSession): UserSession {
  const { first, last, logs, errors, longestGap } = session;
  return {
    user,
    first,
    last,
    logs,
    requests: requests.size,
    errors,
    services: [...services]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value)),
    longestGap,
  };
}

/** Logs of one user without a longer pause, while they are counted. Times are milliseconds since the epoch. */
interface OpenSession {
  readonly first: number;
  readonly last: number;
  readonly logs: number;
  readonly longestGap: number;
  errors: number;
  /** Numbers of the different requests. */
  readonly requests: Set<number>;
  /** Logs by source. */
  readonly services: Map<string, number>;
}

/** Splits ascending times at pauses longer than `idle`. Nothing but times is counted yet. */
function splitAtPauses(times: Float64Array, idle: number): readonly OpenSession[] {
  const sessions: OpenSession[] = [];
  let [start, longestGap] = [0, 0];
  for (let index = 1; index <= times.length; index++) {
    const gap = (times[index] ?? Number.POSITIVE_INFINITY) - (times[index - 1] ?? 0);
    if (gap <= idle) {
      longestGap = Math.max(longestGap, gap);
      continue;
    }
    const [first = 0, last = 0] = [times[start], times[index - 1]];
    const counted = { errors: 0, requests: new Set<number>(), services: new Map<string, number>() };
    sessions.push({ first, last, logs: index - start, longestGap, ...counted });
    [start, longestGap] = [index, 0];
  }
  return sessions;
}

/** The session of a time: the last one that begins at it or before. */
function sessionAt(sessions: readonly OpenSession[], time: number): OpenSession | undefined {
  let [low, high] = [0, sessions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sessions[middle]?.first ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return sessions[low - 1];
}

/** Sessions by user in order of time, and the logs to count in them. */
interface Counting {
  readonly sessionsOf: ReadonlyMap<string, readonly OpenSession[]>;
  /** Selects logs of users alone. */
  readonly filter: Filter;
  /** The longest pause within a session, milliseconds. */
  readonly idle: number;
  readonly signal?: AbortSignal | undefined;
}

/** Counts the logs of each session by source, and those of level SEVERE. */
async function addServices(cases: readonly Case[], counting: Counting): Promise<void> {
  const fields = ['username', 'source', 'logLevel'] as const;
  await forEachGroup(cases, { ...counting, fields }, ({ session, logs, textOf }) => {
    const [source, level] = [textOf(1), textOf(2)];
    if (level.toUpperCase() === 'SEVERE') session.errors += logs;
    if (source !== '') session.services.set(source, (session.services.get(source) ?? 0) + logs);
  });
}

const hasRequest: Filter = {
  kind: 'exists',
  field: { name: 'requestID', type: 'keyword', about: 'The request' },
};

/** Collects the different requests of each session. */
async function addRequests(cases: readonly Case[], counting: Counting): Promise<void> {
  const requests = internBytes();
  const options = {
    ...counting,
    filter: boolFilter({ must: [counting.filter, hasRequest] }),
    fields: ['username', 'requestID'] as const,
  };
  await forEachGroup(cases, options, ({ session, block, row }) => {
    const [start, end] = [fieldStart(row, 1), fieldEnd(row, 1)];
    if (start < end) session.requests.add(requests.intern(block, start, end));
  });
}

/** Logs of one session with equal fields. */
interface SessionGroup {
  readonly session: OpenSession;
  readonly logs: number;
  readonly block: Uint8Array;
  readonly row: FieldRow;
  /** Returns the text of a field. */
  readonly textOf: (field: number) => string;
}

/**
 * Calls a function for groups of logs with equal fields, the first of which is the user. Logs are grouped by slots of
 * time: none of the pauses within a slot ends a session, so a slot of a user belongs to one.
 */
async function forEachGroup(
  cases: readonly Case[],
  { sessionsOf, filter, idle, fields, signal }: Counting & { readonly fields: readonly LogField[] },
  visit: (group: SessionGroup) => void,
): Promise<void> {
  const tables = fields.map(() => internBytes());
  const texts: string[][] = fields.map(() => []);
  const options = { fields, intervals: [{ start: 0, length: Math.max(1, idle) }], signal };
  for (const from of cases)
    for await (const block of streamGroupBlocks(from, filter, options))
      forEachRow(block, (row) => {
        const textOf = (field: number) => {
          const [table, known] = [tables[field], texts[field]];
          if (!table || !known) return '';
          const number = table.intern(block, fieldStart(row, field), fieldEnd(row, field));
          known[number] ??= table.text(number);
          return known[number];
        };
        const first = integerIn(block, row, fields.length + 1);
        if (first === undefined) return;
        const session = sessionAt(sessionsOf.get(textOf(0)) ?? [], first);
        const logs = integerIn(block, row, fields.length) ?? 0;
        if (session) visit({ session, logs, block, row, textOf });
      });
}
