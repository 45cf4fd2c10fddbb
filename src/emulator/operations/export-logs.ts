import {
  clauseLimit,
  countClauses,
  documentedSchema,
  engines,
  isRefusedToken,
  logLevels,
  parse,
  type Query,
  refusedPatternsIn,
  resolveScored,
  type Scored,
  tokensOf,
} from '../../language/index.ts';
import {
  defaultLogs,
  type ExportRequest,
  exportPath,
  type Failure,
  fromExportForm,
  introducedIn,
  missingParameters,
  type SubmittedJob,
  sortKeys,
  sortOrders,
} from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import { crashLog, jobEndedLog, jobSubmittedLog } from '../activity/activity.ts';
import { zipFiles, zipLogs, zipWithOddities } from '../archive/archive.ts';
import { encodeTexts } from '../archive/encode-texts.ts';
import { writeLogs } from '../archive/log-formats.ts';
import { type DeploymentJob, endOf, newJobId, newUploadId, type Outcome } from '../jobs/job.ts';
import { levelsFrom } from '../logs/severity.ts';
import { type Effect, effectOf } from '../site/faults.ts';
import { currentLogLevel } from '../site/log-level.ts';
import {
  type Answer,
  type CheckedRequest,
  type Operation,
  type RefusalAnswer,
  refuseWith,
} from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { toExportFilter } from './export-filter.ts';
import { jobPath } from './job.ts';

/** Submits a job that exports logs (section 4.2.1 of the interface document). */
export function exportLogsOperation(site: Site): Operation {
  return {
    name: 'exportLogs',
    title: 'Export logs',
    path: site.root + exportPath,
    methods: ['POST'],
    reads: 'urlencoded',
    privilege: 'exportLogs',
    since: introducedIn.exportLogs,
    fields: [
      { name: 'num', value: String(defaultLogs), hint: `The most logs, up to ${site.settings.exports.cap}` },
      { name: 'stackTraces', choices: ['false', 'true'] },
      { name: 'logLevel', choices: ['', ...logLevels] },
      { name: 'startTime', hint: `The newest time, ${timeFormats}` },
      { name: 'endTime', hint: `The oldest time, ${timeFormats}` },
      { name: 'logCode', hint: 'Codes, with commas between them' },
      { name: 'users' },
      { name: 'requestIDs', hint: 'Identifiers, with commas between them' },
      { name: 'serviceTypes', hint: 'For instance MapServer' },
      { name: 'source', hint: 'For instance Sharing, or Folder/Service.MapServer' },
      { name: 'searchQuery', hint: 'For instance msg:timeout AND logLevel:SEVERE' },
      { name: 'sortBy', choices: sortKeys },
      { name: 'sortOrder', choices: sortOrders },
    ],
    run: (call) => {
      const missing = site.settings.exports.missing === 'refused' ? missingParameters(call.form) : [];
      if (0 < missing.length) return refuseWith(400, 'Invalid parameters.', ...missing.map(missingText));
      const read = readLogRequest(call.form, site);
      if ('refused' in read) return read.refused;
      if (effectOf(call.effects, 'submitTwice')) submit(site, call, read);
      return submit(site, call, read);
    },
  };
}

function missingText(name: string): string {
  return `"${name}" is required; left empty, it stands for its default`;
}

const timeFormats = 'as yyyy-mm-ddThh:mm:ss or in milliseconds since 1970';

/** A request for logs that the deployment accepts. */
export interface AcceptedLogRequest {
  readonly request: ExportRequest;
  readonly search: Scored | undefined;
}

/** Reads the form of an export, or returns its refusal. */
export function readLogRequest(form: URLSearchParams, site: Site): AcceptedLogRequest | { refused: Answer } {
  const { request, findings } = fromExportForm(form);
  const { cap } = site.settings.exports;
  const problems = findings.map(({ message }) => message);
  if (cap < request.num) problems.push(`"num" requires a whole number from 1 to ${cap}`);
  if (request.logLevel !== undefined && levelsFrom(request.logLevel).length === 0) {
    problems.push(`"logLevel" requires one of ${logLevels.map((level) => `"${level}"`).join(', ')}`);
  }
  for (const [name, { length }] of [
    ['logCode', request.logCodes],
    ['requestIDs', request.requestIDs],
  ] as const) {
    if (clauseLimit < length)
      problems.push(`"${name}" requires at most ${clauseLimit} values, not ${length}`);
  }
  if (0 < problems.length) return { refused: refuseWith(400, 'Invalid parameters.', ...problems) };
  if (request.searchQuery === undefined) return { request, search: undefined };
  const read = readSearchParameter(request.searchQuery, site.now());
  return 'failure' in read
    ? { refused: { kind: 'failure', failure: read.failure } }
    : { request, search: read.search };
}

function submit(site: Site, call: CheckedRequest, read: AcceptedLogRequest): Answer {
  const job = jobOf(site, call);
  const work = async (begins: number) => {
    const outcome = await outcomeOf(site, read, { submitted: job.submitted, effects: call.effects }).catch(
      (error: unknown): Outcome => {
        site.record(crashLog(site.now(), job.requestID, error));
        return { state: 'FAILED', logs: 0, messages: ['Internal error'] };
      },
    );
    // The log has the time of the end, so that it is not found before.
    const ended = endOf(begins, job.pace, outcome.logs) + (job.delay ?? 0);
    site.record(jobEndedLog(ended, job, outcome));
    return outcome;
  };
  if (!site.jobs.submit(job, work)) return queueIsFull;
  site.record(jobSubmittedLog(job.submitted, job));
  const jobsUrl = call.origin + jobPath(site, job.id);
  const body: SubmittedJob = { jobsUrl, jobid: job.id, status: 'SUBMITTED' };
  return { kind: 'body', body };
}

/** The interface document leaves limits of load open; status and header are those of HTTP (RFC 9110). */
const queueIsFull: RefusalAnswer = {
  ...refuseWith(503, 'The queue of exports is full.', 'Submit the export again when others have ended.'),
  ...{ status: 503, retryAfter: 2 },
};

function jobOf(site: Site, { requestID, user, effects }: CheckedRequest): DeploymentJob {
  return {
    id: newJobId(),
    uploadId: newUploadId(),
    name: 'exportLogs',
    username: user?.username ?? '',
    requestID,
    operationURI: site.root + exportPath,
    resource: 'logs',
    submitted: site.now(),
    pace: site.settings.pace,
    delay: effectOf(effects, 'delayJob')?.milliseconds ?? 0,
  };
}

async function outcomeOf(
  site: Site,
  { request, search }: AcceptedLogRequest,
  { submitted, effects }: { readonly submitted: number; readonly effects: readonly Effect[] },
): Promise<Outcome> {
  const { exports } = site.settings;
  const defaults = { logLevel: currentLogLevel(site), now: submitted, ...exports };
  const filter = toExportFilter(request, search?.filter, defaults);
  const isSorted = exports.order === 'sorted';
  const silentCap = effectOf(effects, 'lowerCap')?.cap ?? exports.silentCap ?? request.num;
  const most = Math.min(request.num, silentCap);
  const limit = isSorted ? most : Infinity;
  const isAscending = request.sortBy === 'time' && request.sortOrder === 'asc';
  const order = isAscending && (search || !exports.sortOrderInSearchOnly) ? 'oldest' : 'newest';
  // Without a search all logs are equally relevant, and the newest come first.
  const matching =
    search && request.sortBy === 'bestMatch'
      ? await site.logs.findBest(filter, search, limit)
      : await site.logs.find(filter, { limit, order });
  const found = isSorted ? matching : anyOf(matching, most, exports.order);
  const kept = found.slice(0, Math.ceil(found.length * (1 - (effectOf(effects, 'loseLogs')?.share ?? 0))));
  const logs = request.stackTraces ? kept : kept.map(withoutStackTraces);
  const end = effectOf(effects, 'endJob');
  if (end) return { state: end.state, logs: logs.length, messages: end.messages };
  return { state: 'COMPLETED', logs: logs.length, bytes: await archiveOf(logs, site, effects) };
}

/** Takes some of the logs, without regard to their order. */
function anyOf(logs: readonly Log[], num: number, order: 'cut first' | 'unsorted'): readonly Log[] {
  // A large prime step visits the logs in an order that looks random.
  const taken = logs.map((log, index) => ({ log, index, turn: (index * 7919) % 10_007 }));
  const some = taken.sort((a, b) => a.turn - b.turn).slice(0, num);
  return (order === 'unsorted' ? some : some.sort((a, b) => a.index - b.index)).map(({ log }) => log);
}

function withoutStackTraces({ stackTraces, ...log }: Log): Log {
  return log;
}

async function archiveOf(
  logs: readonly Log[],
  site: Site,
  effects: readonly Effect[],
): Promise<Uint8Array<ArrayBuffer>> {
  if (effectOf(effects, 'noEntries')) return zipFiles([]);
  if (effectOf(effects, 'climbingPath')) {
    const text = await encodeTexts(writeLogs(logs, 'ndjson'));
    return zipFiles([
      { name: 'logs.ndjson', text },
      { name: '../../climbed.ndjson', text },
    ]);
  }
  const odd = effectOf(effects, 'oddZip');
  if (odd) return zipWithOddities(logs, site.settings.archive ?? {}, odd.kinds);
  return zipLogs(logs, site.settings.archive);
}

/**
 * Reads a `searchQuery`, or returns the failure with which the deployment refuses it. Refused are texts that
 * the engine cannot read or run, and the characters `? * ^ +` outside quotes without a backslash. Wildcards are
 * no supported search values (field notes). `check` finds an error in the same texts.
 */
export function readSearchParameter(text: string, now: number): { search: Scored } | { failure: Failure } {
  const { query, findings } = parse(text);
  const refused = 0 < findings.length ? findings.map(atCharacter) : refusalsIn(query, now);
  if (0 < refused.length) return failure(text, refused);
  const search = resolveScored(query, { now });
  const clauses = countClauses(search.filter);
  if (clauses <= clauseLimit) return { search };
  return failure(text, [
    `A search requires at most ${clauseLimit} clauses, not ${clauses}; a word without a field is one for each default field`,
  ]);
}

// Limits the reply, because a text may be a megabyte of mistakes.
const mostDetails = 10;

function failure(text: string, refused: readonly string[]): { failure: Failure } {
  const message = `Failed to parse query [${beginningOf(text)}]`;
  return { failure: { code: 400, message, details: refused.slice(0, mostDetails) } };
}

function beginningOf(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 500)}…`;
}

function refusalsIn(query: Query, now: number): string[] {
  const characters = tokensOf(query)
    .filter(isRefusedToken)
    .map(({ from, text }) => ({
      from,
      message: `"${text}" holds ? * ^ or +, which are no supported search values`,
    }));
  if (0 < characters.length) return characters.map(atCharacter);
  const setting = {
    schema: documentedSchema,
    dialect: 'documented',
    engine: engines.deployment,
    now,
  } as const;
  return refusedPatternsIn(query, setting).map(atCharacter);
}

function atCharacter({ from, message }: { readonly from: number; readonly message: string }): string {
  return `Character ${from + 1}: ${message}`;
}
