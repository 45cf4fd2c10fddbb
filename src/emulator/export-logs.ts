import {
  boolFilter,
  clauseLimit,
  countClauses,
  documentedSchema,
  engines,
  type Field,
  type Filter,
  isRefusedToken,
  logLevels,
  matchNoneFilter,
  parse,
  type Query,
  type RangeFilter,
  refusedPatternsIn,
  resolveScored,
  tokensOf,
} from '../language/index.ts';
import {
  defaultLogs,
  type ExportRequest,
  exportPath,
  type Failure,
  fromExportForm,
  introducedIn,
  missingParameters,
  queryPath,
  type SubmittedJob,
  searchPath,
  sortKeys,
  sortOrders,
  toJobBody,
} from '../protocol/index.ts';
import type { Log } from '../records/index.ts';
import { crashLog, jobEndedLog, jobSubmittedLog, logsCleanedLog } from './activity.ts';
import { encodeTexts, writeLogs, zipFiles, zipLogs, zipWithOddities } from './archive.ts';
import { type DeploymentJob, endOf, newJobId, newUploadId, type Outcome, toJobResource } from './jobs.ts';
import { type LogSelection, levelsFrom, type Search } from './log-store.ts';
import {
  type Answer,
  type CheckedRequest,
  type Effect,
  effectOf,
  type FormField,
  type Operation,
  type RefusalAnswer,
  refuseWith,
} from './operation.ts';
import { SearchEngineError, SearchRefused } from './search-engine.ts';
import { currentLogLevel, type ExportRules, type Site } from './site.ts';
import { refuseAccess, uploadResourcePath } from './upload.ts';

/** Submits a job that exports logs (section 4.2.1 of the interface document). */
export function exportLogsOperation(site: Site): Operation {
  let turns = 0;
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
      turns += 1;
      if (effectOf(call.effects, 'submitTwice')) submit(site, call, { ...read, turn: turns });
      return submit(site, call, { ...read, turn: turns });
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
  readonly search: Search | undefined;
}

/** Reads the form of an export, or returns its refusal. `names` are the names that its parameters were sent under. */
export function readLogRequest(
  form: URLSearchParams,
  site: Site,
  names: Readonly<Record<string, string>> = {},
): AcceptedLogRequest | { refused: Answer } {
  const { cap, commaTimes } = site.settings.exports;
  const { request, findings } = fromExportForm(commaTimes ? withWholeTimes(form) : form);
  const problems = findings.map(({ parameter, message }) =>
    message.replace(`"${parameter}"`, `"${names[parameter] ?? parameter}"`),
  );
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

/** Writes times with a comma, such as `2025-03-12T07:00:00,123456`, as milliseconds. Other texts stay as they are. */
function withWholeTimes(form: URLSearchParams): URLSearchParams {
  const whole = new URLSearchParams(form);
  for (const name of ['startTime', 'endTime']) {
    const [, second, digits = ''] = /^(\S{19}),(\d{1,6})$/.exec(form.get(name)?.trim() ?? '') ?? [];
    if (second === undefined) continue;
    const { request, findings } = fromExportForm(new URLSearchParams({ startTime: second }));
    const milliseconds = Number(digits.padEnd(3, '0').slice(0, 3));
    if (findings.length === 0 && request.newest !== undefined)
      whole.set(name, String(request.newest + milliseconds));
  }
  return whole;
}

/** A request and the number of its job. */
interface NumberedRequest extends AcceptedLogRequest {
  readonly turn: number;
}

function submit(site: Site, call: CheckedRequest, read: NumberedRequest): Answer {
  const job = jobOf(site, call);
  const work = async (begins: number) => {
    const outcome = await outcomeOf(site, read, { submitted: job.submitted, effects: call.effects }).catch(
      (error: unknown): Outcome => {
        if (error instanceof SearchRefused || error instanceof SearchEngineError)
          return { state: 'FAILED', logs: 0, messages: [error.message] };
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
  const jobsUrl = resourceAddress(site, call.origin, jobPath(site, job.id));
  const body: SubmittedJob = { jobsUrl, jobid: job.id, status: 'SUBMITTED' };
  return { kind: 'body', body };
}

/** The interface document leaves limits of load open; status and header are those of HTTP (RFC 9110). */
const queueIsFull: RefusalAnswer = {
  ...refuseWith(503, 'The queue of exports is full.', 'Submit the export again when others have ended.'),
  status: 503,
  retryAfter: 2,
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
  { request, search, turn }: NumberedRequest,
  { submitted, effects }: { readonly submitted: number; readonly effects: readonly Effect[] },
): Promise<Outcome> {
  const { exports } = site.settings;
  const defaults = { logLevel: currentLogLevel(site), now: submitted, ...exports };
  const selection = toSelection({ request, search }, defaults);
  const isSorted = exports.order !== 'cut first' && exports.order !== 'unsorted';
  const silentCap = effectOf(effects, 'lowerCap')?.cap ?? exports.silentCap ?? request.num;
  const max = Math.min(request.num, silentCap);
  const hidden = effectOf(effects, 'hideLogs');
  const { late } = exports;
  const isCutLater = !isSorted || hidden || late || exports.levelCap !== undefined;
  const limit = isCutLater ? Infinity : max;
  const isAscending = orderOf(exports.order, request.sortBy === 'time' && request.sortOrder === 'asc', turn);
  const timeOrder = isAscending && (search || !exports.sortOrderInSearchOnly) ? 'oldest' : 'newest';
  // Without a search all logs are equally relevant, and the newest come first.
  const order = search && request.sortBy === 'bestMatch' ? 'best' : timeOrder;
  const matching = await site.logs.find(selection, { limit, order });
  const arrived = late ? matching.filter((log) => !isLate(log, late, submitted)) : matching;
  const there = hidden ? arrived.filter(({ time = 0 }) => !isHidden(time, hidden)) : arrived;
  const leveled = exports.levelCap === undefined ? there : ofEachLevel(there, exports.levelCap);
  const ordered = isSorted ? leveled.slice(0, max) : anyOf(leveled, max, exports.order);
  const sized = exports.byteCap === undefined ? ordered : withinBytes(ordered, exports.byteCap);
  const dropped = effectOf(effects, 'dropLogs')?.share;
  const found = dropped === undefined ? sized : sized.filter((_, index) => !isDropped(dropped, index, turn));
  const kept = found.slice(0, Math.ceil(found.length * (1 - (effectOf(effects, 'loseLogs')?.share ?? 0))));
  const logs = request.stackTraces ? kept : kept.map(withoutStackTraces);
  const end = effectOf(effects, 'endJob');
  if (end) return { state: end.state, logs: logs.length, messages: end.messages };
  return { state: 'COMPLETED', logs: logs.length, bytes: await archiveOf(logs, site, effects) };
}

/** Reports if the oldest logs come first. `turn` is the number of the job. */
function orderOf(order: ExportRules['order'], isAscending: boolean, turn: number): boolean {
  if (order === 'oldest first') return true;
  return order === 'changing' && turn % 2 === 0 ? !isAscending : isAscending;
}

function isHidden(
  time: number,
  { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: { from?: number; until?: number },
): boolean {
  return from <= time && time <= until;
}

/** Reports if a log has not arrived yet. Which ones are late looks like chosen at random, and never changes. */
function isLate(
  { time = 0 }: Log,
  { share, milliseconds }: { readonly share: number; readonly milliseconds: number },
  now: number,
): boolean {
  return now < time + milliseconds && ((time * 7919) % 10_007) / 10_007 < share;
}

function ofEachLevel(logs: readonly Log[], max: number): readonly Log[] {
  const counts = new Map<string | undefined, number>();
  return logs.filter(({ logLevel }) => {
    const count = (counts.get(logLevel) ?? 0) + 1;
    counts.set(logLevel, count);
    return count <= max;
  });
}

function withinBytes(logs: readonly Log[], max: number): readonly Log[] {
  let bytes = 0;
  const end = logs.findIndex((log) => {
    bytes += Buffer.byteLength([...writeLogs([log], 'ndjson')].join(''));
    return max < bytes;
  });
  return end < 0 ? logs : logs.slice(0, end);
}

/** Leaves out logs that look like chosen at random, others in each job. */
function isDropped(share: number, index: number, turn: number): boolean {
  return (((index + 1) * 7919 + turn * 104_729) % 10_007) / 10_007 < share;
}

/** Takes some of the logs, without regard to their order. */
function anyOf(logs: readonly Log[], num: number, order: ExportRules['order']): readonly Log[] {
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
export function readSearchParameter(text: string, now: number): { search: Search } | { failure: Failure } {
  const { query, findings } = parse(text);
  const refused = 0 < findings.length ? findings.map(atCharacter) : refusalsIn(query, now);
  if (0 < refused.length) return failure(text, refused);
  const scored = resolveScored(query, { now });
  const clauses = countClauses(scored.filter);
  if (clauses <= clauseLimit) return { search: { text, scored } };
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

/** The address that a reply names for a job or its zip. */
function resourceAddress({ root, settings }: Site, origin: string, path: string): string {
  const { jobBase = origin + root } = settings.exports;
  return jobBase + path.slice(root.length);
}

/** Path of the job resource. */
function jobPath(site: Site, id: string): string {
  return `${site.root}/jobs/${id}`;
}

/**
 * The job resource: its state and, once completed, the address of its result (section 2.2 of the interface
 * document).
 */
export function jobOperation(site: Site): Operation {
  return {
    name: 'job',
    title: 'Job',
    path: jobPath(site, ':id'),
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    fields: [],
    run: async ({ id, origin, user }) => {
      const job = site.jobs.byId(id);
      if (!job)
        return refuseWith(
          404,
          'Job not found.',
          'There is no job with this identifier; old ones are forgotten.',
        );
      const refused = refuseAccess(user, job);
      if (refused) return refused;
      const state = await site.jobs.stateOf(job);
      const uploadUrl = resourceAddress(site, origin, uploadResourcePath(site, job.uploadId));
      return { kind: 'body', body: toJobBody(toJobResource(job, state, uploadUrl, site.now())) };
    },
  };
}

/** Values that the deployment adds to a request. */
interface ExportDefaults {
  /** The organisation's current log level. */
  readonly logLevel: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly bounds: ExportRules['bounds'];
  readonly windowWithSearch: boolean;
  readonly userLists: boolean;
}

/**
 * Selects the logs of an export (section 4.2.1 of the interface document). A log must match both the query
 * form and the search form. `startTime` is the newest and `endTime` the oldest time, both included unless the
 * rules exclude them. A level includes all more severe ones. Without a level, the query form uses the current
 * level, and the search form any level.
 */
function toSelection({ request, search }: AcceptedLogRequest, defaults: ExportDefaults): LogSelection {
  const level = request.logLevel ?? (search ? undefined : defaults.logLevel);
  const filter = boolFilter({
    must: [
      ...(level ? [oneOf(levelField, levelsFrom(level))] : []),
      ...(search && !defaults.windowWithSearch ? [] : timeFilters(request, defaults)),
      ...(0 < request.logCodes.length ? [codeFilter(request.logCodes)] : []),
      // Single values, commas included: only codes, identifiers of requests and, by a setting, users are lists.
      ...(defaults.userLists
        ? listFilter('username', request.users)
        : valueFilter('username', request.users)),
      ...valueFilter('serviceTypes', request.serviceTypes),
      ...valueFilter('source', request.source),
      ...(0 < request.requestIDs.length ? [oneOf(keyword('requestID'), request.requestIDs)] : []),
    ],
  });
  return { filter, search };
}

// The query form compares whole values, unlike the search language, which looks for words.
const keyword = (name: string): Field => ({ name, type: 'keyword', about: 'the whole value' });
const levelField = keyword('logLevel');

function valueFilter(name: string, value: string | undefined): readonly Filter[] {
  return value === undefined ? [] : [oneOf(keyword(name), [value])];
}

function listFilter(name: string, values: string | undefined): readonly Filter[] {
  if (values === undefined) return [];
  const entries = values.split(',').map((value) => value.trim());
  return [
    oneOf(
      keyword(name),
      entries.filter((value) => value !== ''),
    ),
  ];
}

function oneOf(field: Field, values: readonly string[]): Filter {
  if (values.length === 0) return matchNoneFilter;
  return boolFilter({ should: values.map((term) => ({ kind: 'term', field, term })) });
}

const timeField: Field = { name: 'time', type: 'date', about: 'when it was logged' };
const codeField: Field = { name: 'logCode', type: 'integer', about: 'the code of the message' };

function timeFilters({ newest, oldest }: ExportRequest, { now, bounds }: ExportDefaults): readonly Filter[] {
  const inclusive = bounds === 'included';
  const upper = { value: newest ?? now, inclusive: inclusive || newest === undefined };
  const lower = oldest === undefined ? {} : { lower: { value: oldest, inclusive } };
  return [timeRange({ upper, ...lower })];
}

function timeRange(bounds: Pick<RangeFilter, 'lower' | 'upper'>): Filter {
  return { kind: 'range', field: timeField, ...bounds };
}

function codeFilter(codes: readonly number[]): Filter {
  const exactly = (value: number): Filter => {
    const bound = { value, inclusive: true };
    return { kind: 'range', field: codeField, lower: bound, upper: bound };
  };
  return boolFilter({ should: codes.map(exactly) });
}

const pageFields: readonly FormField[] = [
  { name: 'showStackTraces', choices: ['false', 'true'] },
  { name: 'num', value: String(defaultLogs) },
  { name: 'start', value: '1' },
];

/** A page of logs by structured filters, the newest first (field notes). */
export function queryLogsOperation(site: Site): Operation {
  const filters = ['startTime', 'endTime', 'logCode', 'users', 'requestIDs', 'serviceTypes', 'source'];
  return {
    name: 'queryLogs',
    title: 'Query logs',
    path: site.root + queryPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.queryLogs,
    asksFirst: true,
    fields: [
      { name: 'logLevel', choices: ['', ...logLevels] },
      ...filters.map((name) => ({ name })),
      ...pageFields,
    ],
    run: ({ form }) =>
      list(site, withParameters(form, { searchQuery: '', sortBy: 'time', sortOrder: 'desc' })),
  };
}

/** A page of logs by a query in the search language, or their number (field notes). */
export function searchLogsOperation(site: Site): Operation {
  return {
    name: 'searchLogs',
    title: 'Search logs',
    path: site.root + searchPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.searchLogs,
    asksFirst: true,
    fields: [
      { name: 'searchQuery' },
      { name: 'sortBy', choices: sortKeys },
      { name: 'sortOrder', choices: sortOrders },
      { name: 'countOnly', choices: ['false', 'true'] },
      ...pageFields,
    ],
    run: ({ form }) => {
      if (form.get('countOnly') !== 'true') return refusable(list(site, searchForm(form)));
      return refusable(count(site, site.settings.exports.counts ? form : searchForm(form)));
    },
  };
}

/**
 * Deletes logs, by times and one level (public documentation of `logs/clean`): here `startTime` is the oldest time and
 * `endTime` the newest. Without parameters all logs are deleted.
 */
export function cleanLogsOperation(site: Site): Operation {
  return {
    name: 'cleanLogs',
    title: 'Delete logs',
    path: `${site.root}/logs/clean`,
    methods: ['POST'],
    privilege: 'manageLogs',
    since: introducedIn.queryLogs,
    closed: 'in read-only mode',
    fields: [
      { name: 'startTime', hint: 'The oldest time, as yyyy-mm-ddThh:mm:ss' },
      { name: 'endTime', hint: 'The newest time, as yyyy-mm-ddThh:mm:ss' },
      { name: 'logLevel', choices: ['', ...logLevels] },
    ],
    run: (call) => clean(site, call),
  };
}

async function clean(site: Site, { form, user, requestID }: CheckedRequest): Promise<Answer> {
  const known = { startTime: form.get('startTime') ?? '', endTime: form.get('endTime') ?? '' };
  const read = readLogRequest(new URLSearchParams({ ...known, logLevel: form.get('logLevel') ?? '' }), site);
  if ('refused' in read) return read.refused;
  const { newest: from, oldest: until, logLevel } = read.request;
  const filter = boolFilter({
    must: [
      ...(from === undefined ? [] : [timeRange({ lower: { value: from, inclusive: true } })]),
      ...(until === undefined ? [] : [timeRange({ upper: { value: until, inclusive: true } })]),
      ...(logLevel === undefined ? [] : [oneOf(levelField, [logLevel])]),
    ],
  });
  const count = await site.logs.remove(filter);
  if (count === undefined) {
    return refuseWith(
      500,
      'The logs cannot be deleted.',
      'They are in a case file, which keeps all of its logs.',
    );
  }
  site.record(logsCleanedLog(site.now(), { id: String(count), requestID, username: user?.username ?? '' }));
  return { kind: 'body', body: { status: 'success' } };
}

/**
 * The parameters of the public form of a search: neither times nor filters. Without a query it selects all
 * logs.
 */
function searchForm(form: URLSearchParams): URLSearchParams {
  const known = ['searchQuery', 'sortBy', 'sortOrder', ...pageFields.map(({ name }) => name)];
  const parameters = Object.fromEntries(known.map((name) => [name, form.get(name) ?? '']));
  return new URLSearchParams({ ...parameters, logLevel: form.get('searchQuery') ? '' : 'DEBUG' });
}

/** An answer, or the refusal of a query by a search server. */
function refusable(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (error instanceof SearchRefused) return refuseWith(400, error.message);
    if (error instanceof SearchEngineError) return refuseWith(503, error.message);
    throw error;
  });
}

/** Counts the logs that a form selects, without listing them (public documentation of `logs/search`). */
async function count(site: Site, form: URLSearchParams): Promise<Answer> {
  const read = readPageRequest(form, site);
  return 'refused' in read
    ? read.refused
    : { kind: 'body', body: { total: await site.logs.count(selectionOf(site, read)) } };
}

async function list(site: Site, form: URLSearchParams): Promise<Answer> {
  const read = readPageRequest(form, site);
  if ('refused' in read) return read.refused;
  const start = startOf(form);
  if (start === undefined)
    return refuseWith(400, 'Invalid parameters.', '"start" requires a whole number from 1');
  const { num, stackTraces } = read.request;
  const total = await site.logs.count(selectionOf(site, read));
  const found = (await find(site, read, start - 1 + num)).slice(start - 1);
  const messages = stackTraces ? found : found.map(listLogsWithoutStackTraces);
  const next = start + messages.length;
  const nextStart = 0 < messages.length && next <= total ? next : -1;
  return { kind: 'body', body: { messages, total, start, num, nextStart, query: queryOf(form) } };
}

/** Reads the form of a page. What an export calls `stackTraces` is `showStackTraces` here, also in a refusal. */
function readPageRequest(form: URLSearchParams, site: Site) {
  const renamed = withParameters(form, { stackTraces: form.get('showStackTraces') ?? '' });
  return readLogRequest(renamed, site, { stackTraces: 'showStackTraces' });
}

function find(site: Site, read: AcceptedLogRequest, limit: number): Promise<readonly Log[]> {
  const { request, search } = read;
  const timeOrder = request.sortOrder === 'asc' ? 'oldest' : 'newest';
  const order = search && request.sortBy === 'bestMatch' ? 'best' : timeOrder;
  return site.logs.find(selectionOf(site, read), { limit, order });
}

function selectionOf(site: Site, read: AcceptedLogRequest): LogSelection {
  const { exports } = site.settings;
  return toSelection(read, { logLevel: currentLogLevel(site), now: site.now(), ...exports });
}

/** Default limit of pages in engines of this kind. */
const lastStart = 10_000;

function startOf(form: URLSearchParams): number | undefined {
  const text = form.get('start')?.trim() || '1';
  const start = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return 1 <= start && start <= lastStart ? start : undefined;
}

/** The parameters of a list in the request, without others such as a token. */
function queryOf(form: URLSearchParams): Readonly<Record<string, string>> {
  const known = [...pageFields.map(({ name }) => name), 'logLevel', 'searchQuery', 'sortBy', 'sortOrder'];
  return Object.fromEntries([...form].filter(([name, value]) => known.includes(name) && value !== ''));
}

function withParameters(form: URLSearchParams, parameters: Readonly<Record<string, string>>) {
  return new URLSearchParams({ ...Object.fromEntries(form), ...parameters });
}

function listLogsWithoutStackTraces({ stackTraces, ...log }: Log): Log {
  return log;
}
