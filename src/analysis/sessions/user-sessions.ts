import { type Case, countLogs, streamNumberLists } from '../../case/index.ts';
import { boolFilter, type Filter } from '../../language/index.ts';
import { compareTexts } from '../compare-texts.ts';
import { joinNumbers } from '../join-numbers.ts';
import { addRequests, addServices } from './count-in-sessions.ts';
import { type OpenSession, splitAtPauses } from './split-at-pauses.ts';

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
  const sessions = [...sessionsOf].flatMap(([user, own]) => own.map((each) => toSession(user, each)));
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
    ...{ user, first, last, logs, requests: requests.size, errors },
    services: [...services]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value)),
    longestGap,
  };
}
