import { boolFilter, type Filter } from '../../meaning/filter.ts';
import { type Case, countLogs, streamFieldBlocks } from '../../store/index.ts';
import { type FieldRow, fieldEnd, fieldStart, forEachRow, integerIn } from '../field-rows.ts';
import { type InternedBytes, internBytes } from '../message-patterns/interned-bytes.ts';

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
  const collected = emptyActivity();
  let withoutUser = 0;
  for (const from of cases) {
    withoutUser += await countLogs(from, boolFilter({ must: [filter], mustNot: [hasUser] }));
    const ofUsers = boolFilter({ must: [filter, hasUser] });
    for await (const block of streamFieldBlocks(from, ofUsers, { fields, signal }))
      forEachRow(block, (row) => addRow(collected, block, row));
  }
  const sessions = collected.logs.flatMap((logs, user) => split(logs, { idle, user, collected }));
  return {
    sessions: sessions.sort((a, b) => a.first - b.first || compareTexts(a.user, b.user)),
    users: collected.logs.filter((logs) => 0 < logs.times.length).length,
    withoutUser,
    timeless: collected.timeless,
  };
}

const hasUser: Filter = {
  kind: 'exists',
  field: { name: 'username', type: 'keyword', about: 'The user' },
};

const fields = ['time', 'username', 'requestID', 'source', 'logLevel'] as const;

/** Logs of one user as columns, by the numbers of their values. */
interface LogsOfUser {
  readonly times: number[];
  readonly requests: number[];
  readonly sources: number[];
  /** True for a log of level SEVERE. */
  readonly errors: boolean[];
}

interface Activity {
  /** By the number of the user. */
  readonly logs: LogsOfUser[];
  readonly users: InternedBytes;
  readonly requests: InternedBytes;
  readonly sources: InternedBytes;
  readonly levels: InternedBytes;
  /** By the number of a level. */
  readonly severe: boolean[];
  timeless: number;
}

function emptyActivity(): Activity {
  const [users, requests, sources, levels] = [
    tableOfValues(),
    tableOfValues(),
    tableOfValues(),
    tableOfValues(),
  ];
  return { logs: [], users, requests, sources, levels, severe: [], timeless: 0 };
}

/** The number of the empty text, which stands for no value. */
const noValue = 0;

function tableOfValues(): InternedBytes {
  const values = internBytes();
  values.intern(new Uint8Array(0), 0, noValue);
  return values;
}

function addRow(into: Activity, block: Uint8Array, row: FieldRow): void {
  const time = integerIn(block, row, 0);
  if (time === undefined) {
    into.timeless++;
    return;
  }
  const user = into.users.intern(block, fieldStart(row, 1), fieldEnd(row, 1));
  const logs = into.logs[user] ?? { times: [], requests: [], sources: [], errors: [] };
  into.logs[user] = logs;
  logs.times.push(time);
  logs.requests.push(into.requests.intern(block, fieldStart(row, 2), fieldEnd(row, 2)));
  logs.sources.push(into.sources.intern(block, fieldStart(row, 3), fieldEnd(row, 3)));
  logs.errors.push(isSevere(into, into.levels.intern(block, fieldStart(row, 4), fieldEnd(row, 4))));
}

function isSevere({ levels, severe }: Activity, level: number): boolean {
  severe[level] ??= levels.text(level).toUpperCase() === 'SEVERE';
  return severe[level];
}

interface Splitting {
  readonly idle: number;
  readonly user: number;
  readonly collected: Activity;
}

/** Splits the logs of a user at pauses. */
function split(logs: LogsOfUser, { idle, user, collected }: Splitting): UserSession[] {
  const { times } = logs;
  const order = Uint32Array.from(times.keys()).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const sessions: UserSession[] = [];
  let start = 0;
  for (let index = 1; index <= order.length; index++) {
    const gap =
      (times[order[index] ?? -1] ?? Number.POSITIVE_INFINITY) - (times[order[index - 1] ?? -1] ?? 0);
    if (gap <= idle) continue;
    sessions.push(toSession(logs, order.subarray(start, index), { user, collected }));
    start = index;
  }
  return sessions;
}

function toSession(
  { times, requests, sources, errors }: LogsOfUser,
  order: Uint32Array,
  { user, collected }: Omit<Splitting, 'idle'>,
): UserSession {
  const ofSession = new Set<number>();
  const services = new Map<number, number>();
  let [severe, longestGap] = [0, 0];
  let previous = times[order[0] ?? -1] ?? 0;
  for (const log of order) {
    const time = times[log] ?? 0;
    longestGap = Math.max(longestGap, time - previous);
    previous = time;
    if (errors[log]) severe++;
    ofSession.add(requests[log] ?? noValue);
    const service = sources[log] ?? noValue;
    services.set(service, (services.get(service) ?? 0) + 1);
  }
  ofSession.delete(noValue);
  services.delete(noValue);
  return {
    user: collected.users.text(user),
    first: times[order[0] ?? -1] ?? 0,
    last: previous,
    logs: order.length,
    requests: ofSession.size,
    errors: severe,
    services: [...services]
      .map(([service, count]) => ({ value: collected.sources.text(service), count }))
      .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value)),
    longestGap,
  };
}

function compareTexts(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
