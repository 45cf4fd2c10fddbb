import type { WindowsResult } from '../export/index.ts';
import type { SqlResult, StoredLog } from '../store/index.ts';

/** A question of the tour and the search that answers it. */
export interface TourSearch {
  readonly question: string;
  readonly query: string;
  /** What the answer tells. */
  readonly tells: string;
}

/** The hours of an incident, all of which the tour exports: both ends in milliseconds since the epoch. */
export interface TourHours {
  readonly from: number;
  readonly to: number;
}

/** The hours of the incident if it ends at a time. */
export function tourHoursUntil(to: number): TourHours {
  return { from: to - tourLength * 3_600_000, to };
}

/** The hours that the incident takes. */
export const tourLength = 36;

/** From what users saw to what caused it. */
export const tourSearches: readonly TourSearch[] = [
  {
    question: 'What did users run into?',
    query: 'msg:"timed out" AND logCode:[9000 TO 9999]',
    tells: 'Requests wait half a minute for a connection to the database, and then fail.',
  },
  {
    question: 'What went wrong behind that?',
    query: 'msg:"password authentication failed" OR msg:"run dry"',
    tells:
      'The services open new connections with a password that is refused, until the old ones are used up.',
  },
  {
    question: 'What was changed before it began?',
    query: '"Updated Kubernetes Secret" AND logCode:1312',
    tells: 'The password was rotated hours before, and the services went on with the one that they knew.',
  },
];

/** What the search language cannot say: how it came and went. */
export const tourSql = {
  question: 'How did it come and go?',
  sql: `SELECT strftime(time_bucket(INTERVAL 30 MINUTE, time), '%Y-%m-%d %H:%M') AS "from",
  count(*) FILTER (logCode = 9003) AS "timed out",
  count(DISTINCT username) FILTER (logCode = 9003) AS users,
  count(*) FILTER (logCode = 217041) AS comments,
  bar(count(*) FILTER (logCode = 9003), 0, 150, 30) AS "of 150"
FROM logs GROUP BY 1 HAVING "timed out" > 0 OR comments > 0 ORDER BY 1`,
} as const;

/** What the tour did and found. */
export interface Tour extends Exported, Found {
  /** The case file, when it is kept. */
  readonly case?: string;
  /** Milliseconds. */
  readonly took: number;
}

/** What came out of the deployment. */
export interface Exported {
  readonly url: string;
  /** The logs of the deployment. */
  readonly held: number;
  /** The hours that were asked for. */
  readonly hours: TourHours;
  readonly export: WindowsResult;
}

/** What was found in the case. */
export interface Found {
  readonly searches: readonly TourAnswer[];
  readonly sql: typeof tourSql & SqlResult;
}

/** A search of the tour, how many logs it found, and the first of them. */
export interface TourAnswer extends TourSearch {
  readonly count: number;
  readonly first: readonly StoredLog[];
}
