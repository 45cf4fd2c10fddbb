import { type Case, countBy, streamLogs } from '../../case/index.ts';
import { boolFilter, type Filter } from '../../language/index.ts';
import { mergeLogs } from '../several-cases.ts';
import {
  fieldClause,
  filterOfQuery,
  joinByAnd,
  runQuery,
  type TimeInterval,
  timeClause,
} from './investigation-query.ts';

/** Logs of an act of administration: of an administrator, of an upgrade, or of the deployment itself. */
export interface PrecedingEvent {
  readonly kind: 'administration' | 'upgrade';
  readonly code: string;
  /** The first and the last log: milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
  readonly user?: string;
  /** The message of the last log, for an upgrade of the first. */
  readonly message: string;
  readonly query: string;
  /** Logs that the query selects. */
  readonly count: number;
}

/** Codes of the deployment's own administration, and of services that are started and shut down. */
const administrative = '(logCode:[0 TO 6499] OR logCode:[8000 TO 8002])';

/** Codes of upgrades and rollbacks. */
const [firstUpgradeCode, lastUpgradeCode] = [2010, 2299];

/** More verbose levels tell of routine, such as checks that passed. */
const levels = '(logLevel:SEVERE OR logLevel:WARNING OR logLevel:INFO)';

/** A kind of event that is more frequent than once in this time is routine: milliseconds. */
const rare = 3_600_000;

/** Logs that are read at most, the newest first. */
const mostLogs = 2000;

/**
 * Finds what was administered in an interval, the newest first: logs of the same code and user together, all
 * messages of an upgrade together. Frequent kinds of events are left out, as routine.
 */
export async function findPrecedingEvents(
  cases: readonly Case[],
  options: { readonly filter: Filter; readonly interval: TimeInterval; readonly span: TimeInterval },
): Promise<readonly PrecedingEvent[]> {
  const { filter, interval, span } = options;
  const all = boolFilter({ must: [filter, filterOfQuery(joinByAnd(administrative, levels))] });
  const routine = await routineCodes(cases, all, span);
  const within = boolFilter({ must: [all, filterOfQuery(timeClause(interval))] });
  const streams = cases.map((from) => streamLogs(from, within, { order: 'newest', limit: mostLogs }));
  const groups = new Map<string, Group>();
  for await (const { log } of mergeLogs(streams, 'newest')) {
    const code = String(log.logCode);
    if (log.time === undefined || (routine.has(code) && !isUpgrade(code))) continue;
    const kind = isUpgrade(code) ? 'upgrade' : 'administration';
    const key = kind === 'upgrade' ? kind : JSON.stringify([code, log.username]);
    const known = groups.get(key);
    const { msg: message = '', username } = log;
    if (known) groups.set(key, { ...known, first: log.time, ...(kind === 'upgrade' && { message }) });
    else
      groups.set(key, {
        ...{ kind, code, message, first: log.time, last: log.time },
        ...(username !== undefined && { user: username }),
      });
  }
  return await Promise.all([...groups.values()].map((group) => withQuery(cases, group)));
}

type Group = Omit<PrecedingEvent, 'query' | 'count'>;

async function withQuery(cases: readonly Case[], group: Group): Promise<PrecedingEvent> {
  const { kind, code, user, first, last } = group;
  const codes =
    kind === 'upgrade' ? `logCode:[${firstUpgradeCode} TO ${lastUpgradeCode}]` : fieldClause('logCode', code);
  const users = user === undefined || kind === 'upgrade' ? undefined : fieldClause('username', user);
  const { query, count } = await runQuery(
    cases,
    joinByAnd(codes, users, timeClause({ from: first, to: last })),
  );
  return { ...group, query, count };
}

function isUpgrade(code: string): boolean {
  return firstUpgradeCode <= Number(code) && Number(code) <= lastUpgradeCode;
}

/** Codes with more than one log in an hour. */
async function routineCodes(
  cases: readonly Case[],
  filter: Filter,
  { from, to }: TimeInterval,
): Promise<ReadonlySet<string>> {
  const counts = new Map<string, number>();
  for (const each of cases)
    for (const { value, count } of await countBy(each, 'logCode', filter, {
      limit: Number.POSITIVE_INFINITY,
    }))
      counts.set(String(value), (counts.get(String(value)) ?? 0) + count);
  const most = Math.max(3, (to - from) / rare);
  return new Set([...counts].filter(([, count]) => most < count).map(([code]) => code));
}
