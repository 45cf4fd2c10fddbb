import { deploymentLogLevels, sortKeys, sortOrders } from '../../protocol/index.ts';
import { optionalArguments, repeatedArgument, requiredArgument } from '../command-line/argument.ts';
import { mutuallyExclusive } from '../command-line/combinations.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { columnsOption } from '../command-line/field-option.ts';
import { filterListOption, filterOption, upperCaseChoiceOption } from '../command-line/filter-option.ts';
import {
  choiceOption,
  countOption,
  countOrAutoOption,
  durationOption,
  durationOrNoneOption,
  inGroup,
  rateOption,
  rowLimitOption,
  switchOption,
  textOption,
  timeOption,
} from '../command-line/option.ts';
import { logZoneOption, zoneOption } from '../command-line/zone-option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { columnExclusions, formatExclusions, formatOptions, logFormatOptions } from './formats.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

const caseAbout = 'Case file, for instance incident.duckdb';

/** The most logs that one export returns (section 8 of the interface document). */
const mostLogs = 10_000;

/** Options of a new request, which a resumed export has already stored. */
const asked = [
  ...(['search', 'force', 'via', 'from', 'to', 'logLevel', 'logCode', 'users'] as const),
  ...(['requestIds', 'serviceTypes', 'source', 'withoutStackTraces', 'num'] as const),
  ...(['sortBy', 'sortOrder'] as const),
] as const;

/** Option with the folder for originals of logs in a cluster. */
const originalsOption = textOption(
  'FOLDER',
  'With a cluster: folder for the originals (default: the name of its database with ".evidence")',
);

/** Arguments and options of `logquarry export`. */
export const exportSpec = {
  name: 'export',
  summary: 'Export logs of a deployment into a case file',
  details: [
    'One call returns at most 10,000 logs, so the time is split into windows with fewer logs. Each window is exported by a job: submitted, awaited, downloaded, checked, loaded. Logs that the deployment does not return are named, and the exit code is 4; temporary failures are named too, and the exit code is 3. The same command, or --resume, continues after an interruption, also after Ctrl-C or a crash; logs in the case are not requested again.',
    'Without --from and --to, all logs of the deployment are exported. If it ignores times beside a query, they are put into the query (--window-by, --time-field). --via query exports by the other filters and evaluates the query here.',
    'Passwords and tokens are read from files, the environment or a profile, never from arguments, which other users of the machine can see. A terminal asks for a missing password.',
  ],
  arguments: {},
  options: {
    into: {
      ...textOption(
        'CASE',
        'Case file for the logs, created if missing, or the address of a cluster (clickhouse://…)',
      ),
      formerly: 'out',
    },
    originals: inGroup('advanced', originalsOption),
    resume: textOption('CASE', 'Resume the interrupted export of this case, with its original request'),
    retryGaps: textOption('CASE', 'Retry all gaps of the export of this case, with its original request'),
    sinceLast: textOption(
      'CASE',
      'Export new logs since the last export of this case, with its original request',
    ),
    plan: switchOption('Estimate the export by a few sample calls, without exporting anything'),
    ...connectionOptions,
    search: filterOption('QUERY', 'Export logs that match a query'),
    force: inGroup('advanced', switchOption('Send the query despite errors')),
    from: timeOption('TIME', 'Oldest time, such as 2025-03-12, 2025-03-12T08:00+02:00, yesterday or now-2h'),
    to: timeOption('TIME', 'Newest time; a day counts from its beginning (default: now)'),
    logLevel: upperCaseChoiceOption(
      'LEVEL',
      'This level and more severe ones (default: the current level of the organisation, or any with --search)',
      deploymentLogLevels,
    ),
    logCode: filterListOption('CODES', 'Only these codes, separated by commas'),
    users: filterOption('NAME', 'Only logs of this user'),
    requestIds: inGroup('advanced', filterListOption('IDS', 'Only these requests, separated by commas')),
    serviceTypes: inGroup(
      'advanced',
      filterOption('TYPE', 'Only this type of service, for instance MapServer'),
    ),
    source: filterOption('SOURCE', 'Only this source, for instance Sharing or Folder/Service.MapServer'),
    withoutStackTraces: switchOption('Omit stack traces'),
    num: countOption('N', 'Only the newest N logs, by one call', {
      least: 1,
      most: mostLogs,
    }),
    sortBy: inGroup(
      'advanced',
      choiceOption('ORDER', 'With --num and --search: sort key (default: time)', sortKeys),
    ),
    sortOrder: inGroup(
      'advanced',
      choiceOption('ORDER', 'With --num and --search: newest or oldest first (default: desc)', sortOrders),
    ),
    jobs: inGroup(
      'advanced',
      countOrAutoOption(
        2,
        'N',
        'Number of parallel jobs, fewer while the deployment is overloaded; "auto" for up to 16',
        { least: 1, most: 16 },
      ),
    ),
    maxRate: inGroup(
      'advanced',
      rateOption(
        'N',
        'Maximum rate of requests to the deployment, per second or, such as 30/m, per minute (default: no limit)',
      ),
    ),
    cap: inGroup(
      'advanced',
      countOption('N', `Number of logs requested by one call (default: ${mostLogs})`, {
        least: 1,
        most: mostLogs,
      }),
    ),
    via: inGroup(
      'advanced',
      choiceOption('WAY', 'Where the query runs; search sends it to the server, query filters here', [
        'search',
        'query',
      ]),
    ),
    windowBy: inGroup(
      'advanced',
      choiceOption('WAY', 'How times are requested beside a query', ['auto', 'parameters', 'query']),
    ),
    timeField: inGroup('advanced', textOption('FIELD', 'Name of the time field in queries (default: time)')),
    zone: inGroup('advanced', zoneOption),
    logZone: inGroup('advanced', logZoneOption),
    overlap: inGroup(
      'advanced',
      durationOption('TIME', 'With --since-last: time to request again, for late logs (default: 10m)', {
        least: 0,
      }),
    ),
    maxWait: inGroup(
      'advanced',
      durationOption('TIME', 'Maximum waiting time for one job, such as 90s or 2h (default: 30m)'),
    ),
    json: switchOption('Print the result as JSON'),
    ndjson: switchOption('Print all events as JSON, one a line, the result last'),
  },
  excludes: {
    ...connectionExclusions,
    resume: ['into', 'retryGaps', 'sinceLast', 'plan', ...asked],
    retryGaps: ['into', 'sinceLast', 'plan', ...asked],
    sinceLast: ['into', ...asked],
    // A single call, by exactly these options.
    num: ['plan', 'jobs', 'cap', 'via', 'windowBy', 'timeField'],
    ndjson: ['json', 'plan'],
  },
  requires: { overlap: 'sinceLast', sortBy: 'search', sortOrder: 'search' },
  examples: [
    {
      run: `logquarry export --url https://gis.example.com/arcgis --user admin --password-file pw --search 'logLevel:SEVERE' --into incident.duckdb`,
      about: 'all severe logs',
    },
    {
      run: 'logquarry export --profile gis.json --from 2025-03-12T02:00 --to 2025-03-12T12:00 --log-level VERBOSE --into incident.duckdb',
      about: 'all logs of ten hours',
    },
    { run: 'logquarry export --profile gis.json --resume incident.duckdb', about: 'resume after Ctrl-C' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry import`. */
export const importSpec = {
  name: 'import',
  summary: 'Load exported zips and log files into a case file',
  details: [
    'Reads zips of any layout and plain files, compressed by gzip or not: NDJSON, JSON, CSV and classic log files of <Msg> records, recognised by their content. Unreadable records are stored and counted. A file already in the case is not loaded again, so that the same command continues after Ctrl-C. The exit code is 1 if something could not be loaded.',
    'Each file is copied into a folder beside the case and never changed there; "logquarry verify" checks the case against it.',
    'If at least 10,000 logs are not indexed, the index is built at the end, as by "logquarry index".',
  ],
  arguments: { file: repeatedArgument('Zips and log files; "-" reads the standard input') },
  options: {
    into: textOption(
      'CASE',
      'Case file for the logs, created if missing, or the address of a cluster (clickhouse://…)',
    ),
    originals: originalsOption,
    noIndex: switchOption('Do not build an index'),
    ...zoneOptions,
    json: switchOption('Print the result as JSON'),
  },
  examples: [
    { run: 'logquarry import logs.zip more.ndjson --into incident.duckdb', about: 'a zip and a file' },
    {
      run: 'logquarry import server-*.log --log-zone Europe/Berlin --into incident.duckdb',
      about: 'classic log files with times of Berlin',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry search`. */
export const searchSpec = {
  name: 'search',
  summary: 'Search cases and log files',
  details: [
    'The query is read as the server reads it, with the whole syntax of its engine. "*:*" matches every log, and so does a search without a query: the only argument, or a path of a case in place of the query, is a source. If there are more logs than shown, the standard error says so: --after shows the next page, which does not change when logs are added meanwhile.',
    logFilterDetails,
    'Log files are loaded into a temporary case; a stored case is searched immediately. Logs of several sources are merged in one order, and each names its origin.',
    'With --best the order is the relevance of the server: a log ranks higher the more often the words occur in it, the rarer they are and the shorter the field is.',
  ],
  arguments: {
    query: {
      ...requiredArgument('Query in the search language of the deployment; without one, every log'),
      usage: '[QUERY]',
    },
    source: {
      ...optionalArguments(
        'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
      ),
      usage: 'SOURCE…',
    },
  },
  options: {
    ...logFilterOptions,
    explain: switchOption('Explain the query and the options beside it, without searching'),
    limit: rowLimitOption(20, 'logs'),
    all: switchOption('Show all logs on a terminal too'),
    oldest: switchOption('Oldest first (default: newest first)'),
    best: switchOption('Most relevant first'),
    after: textOption('PLACE', 'Continue after this position, printed by the previous page'),
    context: countOption('N', 'Also show N logs before and after each hit', {
      least: 1,
      most: 1000,
    }),
    count: switchOption('Print only the number of logs'),
    columns: columnsOption,
    engine: engineOption,
    ...logFormatOptions,
    xlsx: inGroup(
      'format',
      textOption('FILE', 'Write a workbook of at most 100,000 logs, replacing an existing one'),
    ),
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: {
    ...mutuallyExclusive(...Object.keys(logFormatOptions), 'xlsx'),
    ...logFilterExclusions,
    ...columnExclusions,
    all: ['limit'],
    // Age and context are matters of time order; Parquet files have no column for scores or hits.
    best: ['oldest', 'context', 'parquet'],
    context: ['parquet'],
    // A count has no format, is independent of the order, and always covers all logs.
    count: [
      'limit',
      'after',
      'context',
      'columns',
      'csv',
      'rawCsv',
      'markdown',
      'parquet',
      'xlsx',
      'ecs',
      'otlp',
    ],
  },
  examples: [
    {
      run: `logquarry search 'logLevel:SEVERE AND NOT source:Sharing' incident.duckdb`,
      about: 'the newest severe logs',
    },
    {
      run: `logquarry search 'msg:"timed out"' incident.duckdb --count`,
      about: 'the number of timed-out requests',
    },
    {
      run: `logquarry search 'msg:timeout' incident.duckdb --from '2025-03-12 08:00' --level SEVERE --level WARNING`,
      about: 'warnings and severe logs since a time',
    },
    {
      run: `logquarry search 'msg:timeout' export-*.zip --context 3 --oldest`,
      about: 'exported zips directly, with context',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry sql`. */
export const sqlSpec = {
  name: 'sql',
  summary: 'Query a case in SQL',
  details: [
    'DuckDB runs the SQL on the views logs, requests, parts, unreadable, jobs, exports, windows, coverage and actions. It can read the case only: it has no access to files or the network, and cannot change anything.',
    'It runs in a separate process, which ends on Ctrl-C, after --timeout (exit code 124) or when it exceeds its memory limit.',
    'The address of a cluster (clickhouse://…) runs the SQL of ClickHouse there, on the views logs, requests, parts and unreadable. The server refuses all but reading, --timeout is its limit, and Ctrl-C ends the query there. --parquet is for cases only.',
    `matches('msg:timeout') is true for logs that match a query, by their column "id"; in a join, matches('msg:timeout', l.id).`,
  ],
  arguments: {
    sql: requiredArgument('SQL; "-" reads it from the standard input'),
    case: requiredArgument(`${caseAbout}, or the address of a cluster`),
  },
  options: {
    limit: rowLimitOption(1000, 'rows'),
    timeout: durationOrNoneOption('5m', 'TIME', 'Time limit, such as 90s or 2h; "none" for no limit'),
    engine: engineOption,
    ...formatOptions,
    zone: { ...zoneOption, about: 'Zone in which tables show times; SQL itself reads and computes in UTC' },
    ...displayOptions,
  },
  // SQL has a LIMIT clause of its own.
  excludes: { ...formatExclusions, limit: ['parquet'] },
  examples: [
    {
      run: `logquarry sql 'SELECT source, count(*) AS logs FROM logs GROUP BY source ORDER BY logs DESC' incident.duckdb`,
      about: 'the most active sources',
    },
    {
      run: `logquarry sql "SELECT username, max(elapsed) FROM logs WHERE matches('msg:timeout') GROUP BY username" incident.duckdb`,
      about: 'with a query of the search language',
    },
  ],
} as const satisfies CommandSpec;
