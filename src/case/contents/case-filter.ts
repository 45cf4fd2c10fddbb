import * as v from 'valibot';
import { logLevels } from '../../language/index.ts';
import { type Case, readCase } from '../file/case.ts';

/** Logs elsewhere, which say what they were exported by. */
interface ExportedSource {
  readonly case?: Case;
  readonly coverage?: () => Promise<readonly { readonly filters: Request }[]>;
}

/**
 * Says which logs the recorded exports of sources asked for, in a sentence without its full stop: "only logs that
 * match logLevel:SEVERE were exported". Undefined if no export had a filter. What is complete is so of these
 * requests, never of the deployment: every summary of a case says it. Times are no filter: the coverage shows them.
 *
 * ```ts
 * const only = await exportedOnly([incident]);
 * ```
 */
export async function exportedOnly(of: readonly (Case | ExportedSource)[]): Promise<string | undefined> {
  return describeRequests((await Promise.all(of.map(requestsOf))).flat());
}

async function requestsOf(of: Case | ExportedSource): Promise<readonly Request[]> {
  if ('path' in of) return await readRequests(of);
  if (of.case) return await readRequests(of.case);
  return ((await of.coverage?.()) ?? []).map(({ filters }) => filters);
}

/** Says which logs requests with these parameters ask for. */
export function describeRequests(requests: readonly Request[]): string | undefined {
  const queries = [...new Set(requests.map(filterOfRequest))];
  const filters = queries.filter((query) => query !== undefined);
  if (filters.length === 0) return undefined;
  const only = filters.length === 1 ? filters.join('') : filters.map((query) => `(${query})`).join(' or ');
  return filters.length === queries.length
    ? `only logs that match ${only} were exported`
    : `only logs that match ${only} were exported of some times, all of others`;
}

/** Parameters of a request. */
type Request = Readonly<Record<string, string>>;

const request = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** Reads the requests of exports, and of jobs that belong to none. An altered one is left to `verify`. */
async function readRequests(of: Case): Promise<readonly Request[]> {
  const result = await readCase(of, (connection) =>
    connection.runAndReadAll(
      `SELECT request FROM stored.exports UNION ALL
       SELECT request FROM stored.jobs WHERE state = 'COMPLETED'
         AND address NOT IN (SELECT address FROM stored.windows WHERE address IS NOT NULL)
         AND id NOT IN (SELECT job FROM stored.windows WHERE job IS NOT NULL)`,
    ),
  );
  return result.getRowsJS().flatMap(([text]) => {
    const { success, output } = v.safeParse(request, text);
    return success ? [output] : [];
  });
}

/** The field of the search language that each parameter filters by. */
const filtering = {
  logCode: 'logCode',
  users: 'username',
  requestIDs: 'requestID',
  serviceTypes: 'serviceTypes',
  source: 'source',
} as const;

/** The filter of a request as a query; undefined if it asks for all logs. */
function filterOfRequest(parameters: Request): string | undefined {
  const { searchQuery = '', logLevel = '' } = parameters;
  const clauses = Object.entries(filtering).flatMap(([name, field]) => {
    const text = parameters[name] ?? '';
    if (text === '') return [];
    const values = name === 'source' ? [text] : text.split(',').map((value) => value.trim());
    return [`${field}:${oneOf(values)}`];
  });
  // A level selects the more severe ones too. Beside a query it selects nothing.
  const rank = (logLevels as readonly string[]).indexOf(logLevel.toUpperCase());
  const isAll = rank === -1 || rank === logLevels.length - 1;
  if (searchQuery === '' && !isAll) clauses.unshift(`logLevel:${oneOf(logLevels.slice(0, rank + 1))}`);
  if (searchQuery.trim() !== '' && searchQuery.trim() !== '*')
    clauses.unshift(clauses.length === 0 || !/\s/.test(searchQuery) ? searchQuery : `(${searchQuery})`);
  return clauses.length === 0 ? undefined : clauses.join(' AND ');
}

function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) =>
    /^\w+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`,
  );
  return quoted.length === 1 ? quoted.join('') : `(${quoted.join(' OR ')})`;
}
