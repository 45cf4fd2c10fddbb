import type { SqlResult, StoredLog } from '../../case/index.ts';
import type { ExportedIncident } from '../export/export-incident.ts';

/** A question of the demo and the search that answers it. */
export interface TourSearch {
  readonly question: string;
  readonly query: string;
  /** Conclusion from the answer. */
  readonly tells: string;
}

/** From the symptoms to the cause. */
export const tourSearches: readonly TourSearch[] = [
  {
    question: 'What did users notice?',
    query: 'msg:"timed out" AND logCode:[9000 TO 9999]',
    tells: 'Requests wait half a minute for a database connection and then fail.',
  },
  {
    question: 'What was the cause?',
    query: 'msg:"password authentication failed" OR msg:"run dry"',
    tells: 'New connections fail because the password is refused, until the pool is exhausted.',
  },
  {
    question: 'What was changed before?',
    query: '"Updated Kubernetes Secret" AND logCode:1312',
    tells: 'The password was rotated hours before, and the services kept using the old one.',
  },
];

/** An evaluation beyond the search language: the course of the incident. */
export const tourSql = {
  question: 'How did the incident develop?',
  sql: `SELECT strftime(time_bucket(INTERVAL 30 MINUTE, time), '%Y-%m-%d %H:%M') AS "from",
  count(*) FILTER (logCode = 9003) AS "timed out",
  count(DISTINCT username) FILTER (logCode = 9003) AS users,
  count(*) FILTER (logCode = 217041) AS comments,
  bar(count(*) FILTER (logCode = 9003), 0, 150, 30) AS "of 150"
FROM logs GROUP BY 1 HAVING "timed out" > 0 OR comments > 0 ORDER BY 1`,
} as const;

/** Results of the demo. */
export interface Tour extends ExportedIncident, TourFindings {
  /** The case file, if it is kept. */
  readonly case?: string;
  /** Milliseconds. */
  readonly took: number;
}

/** Results of the searches. */
export interface TourFindings {
  readonly searches: readonly TourAnswer[];
  readonly sql: typeof tourSql & SqlResult;
}

/** A search of the demo, its number of hits, and the first of them. */
export interface TourAnswer extends TourSearch {
  readonly count: number;
  readonly first: readonly StoredLog[];
}
