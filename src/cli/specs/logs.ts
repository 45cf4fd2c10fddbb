import { logLevels, sortKeys, sortOrders } from '../../protocol/export-request.ts';
import { repeatedArgument, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { filterListOption, filterOption, upperCaseChoiceOption } from '../command-line/filter-option.ts';
import {
  choiceOption,
  countOption,
  countOptionWithDefault,
  countOrAutoOption,
  durationOption,
  durationOrNoneOption,
  rateOption,
  switchOption,
  textOption,
  textOptionWithDefault,
  timeOption,
} from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { formatExclusions, formatOptions } from './formats.ts';
import { engineOption, timeUnitOption } from './query-options.ts';

const caseAbout = 'The case file, for instance incident.duckdb';

/** The most logs that one export returns (section 8 of the interface document). */
const mostLogs = 10_000;

/** Options of a new request, which a resumed export has already stored. */
const asked = [
  ...(['search', 'force', 'via', 'from', 'to', 'logLevel', 'logCode', 'users'] as const),
  ...(['requestIds', 'serviceTypes', 'source', 'withoutStackTraces', 'num'] as const),
  ...(['sortBy', 'sortOrder'] as const),
] as const;

/** Arguments and options of `logquarry export`. */
export const exportSpec = {
  name: 'export',
  summary: 'Get logs out of a deployment into a case file',
  details: [
    'One call returns 10,000 logs at most, so the time is parted into windows that hold fewer, and each is brought by a job: submitted, waited for, downloaded, checked, loaded. What cannot be had is named, and the exit code is 4; what failed for now is named too, and the exit code is 3. The same command again, or "--resume", goes on where it stopped, also after Ctrl-C or a crash; what is in the case is not asked for again.',
    'Without "--from" and "--to" it is all that the deployment keeps. Where it does not heed times beside a query they go into the query ("--window-by", "--time-field"); "--via query" exports what the other filters allow and evaluates the query here.',
    'Passwords and tokens are read from files, the environment or a profile, and a password that is nowhere is asked for in a terminal; never from arguments, which other users of the machine can see.',
  ],
  arguments: {},
  options: {
    into: {
      ...textOption('CASE', 'The case file that the logs go into; made when it is not there'),
      formerly: 'out',
    },
    resume: textOption(
      'CASE',
      'Go on with the export of this case that was interrupted; it knows what was asked for',
    ),
    retryGaps: textOption(
      'CASE',
      'Ask once more for what the export of this case lacks, whatever the reason; it knows what was asked for',
    ),
    sinceLast: textOption(
      'CASE',
      'Bring what is new since the last export of this case; it knows what was asked for',
    ),
    plan: switchOption('Show what the export would take, by a few calls for samples, and export nothing'),
    ...connectionOptions,
    search: filterOption('QUERY', 'Export the logs that a query selects'),
    force: switchOption('Send the query although it has errors'),
    from: timeOption('TIME', 'The oldest time, as 2025-03-12T08:00 (UTC), 2025-03-12T08:00+02:00 or now-2h'),
    to: timeOption('TIME', 'The newest time; now unless given'),
    logLevel: upperCaseChoiceOption(
      'LEVEL',
      'This level and more severe ones; unless given, the level the organisation has now, or with "--search" any',
      logLevels,
    ),
    logCode: filterListOption('CODES', 'Only these codes, separated by commas'),
    users: filterOption('NAME', 'Only the logs of this user'),
    requestIds: filterListOption('IDS', 'Only these requests, separated by commas'),
    serviceTypes: filterOption('TYPE', 'Only this type of service, for instance MapServer'),
    source: filterOption('SOURCE', 'Only this source, for instance Sharing or Folder/Service.MapServer'),
    withoutStackTraces: switchOption('Leave the stack traces out'),
    num: countOption('N', 'Only the newest logs, at most this many, by one call', {
      least: 1,
      most: mostLogs,
    }),
    sortBy: choiceOption(
      'ORDER',
      'With "--num" and "--search": which logs these are (default: time)',
      sortKeys,
    ),
    sortOrder: choiceOption(
      'ORDER',
      'With "--num" and "--search": the newest or the oldest (default: desc)',
      sortOrders,
    ),
    jobs: countOrAutoOption(
      2,
      'N',
      'Number of parallel jobs, fewer while the deployment is overloaded; "auto" for up to 16, as it allows',
      { least: 1, most: 16 },
    ),
    maxRate: rateOption(
      'N',
      'At most N requests to the deployment a second, or a minute as 30/m; unless given, no limit',
    ),
    cap: countOption('N', `So many logs are asked for by one call (default: ${mostLogs})`, {
      least: 1,
      most: mostLogs,
    }),
    via: choiceOption('WAY', 'Who filters by the query', ['search', 'query']),
    windowBy: choiceOption('WAY', 'How times are asked for beside a query', ['auto', 'parameters', 'query']),
    timeField: textOption('FIELD', 'Name of the field of the time in a query (default: time)'),
    zone: textOption(
      'ZONE',
      'The zone of times in logs that name none, as +02:00 or Europe/Berlin (default: UTC)',
    ),
    overlap: durationOption(
      'TIME',
      'With "--since-last": ask again for this long, for logs that came late (default: 10m)',
      { least: 0 },
    ),
    maxWait: durationOption('TIME', 'Wait this long for one job, as 90s or 2h (default: 30m)'),
    json: switchOption('Print the result as JSON'),
    ndjson: switchOption('Print one JSON value a line for all that happens, the result last'),
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
      about: 'everything severe',
    },
    {
      run: 'logquarry export --profile gis.json --from 2025-03-12T02:00 --to 2025-03-12T12:00 --log-level VERBOSE --into incident.duckdb',
      about: 'all logs of ten hours',
    },
    { run: 'logquarry export --profile gis.json --resume incident.duckdb', about: 'go on after Ctrl-C' },
  ],
} as const satisfies CommandSpec;

const zone = textOptionWithDefault(
  'UTC',
  'ZONE',
  'The zone of times that name none, as +02:00 or Europe/Berlin',
);

/** Arguments and options of `logquarry import`. */
export const importSpec = {
  name: 'import',
  summary: 'Load exported zips and log files into a case file',
  details: [
    'Zips of any layout and bare files are read, compressed by gzip or not: NDJSON, JSON, CSV and classic log files of <Msg> records, told apart by what they hold. A record that cannot be read is kept and counted. A file that is in the case already is not loaded again, so that the same command goes on after Ctrl-C. The exit code is 1 when something could not be loaded.',
    'Each file is copied into a folder beside the case and never changed there; "logquarry verify" checks the case against it.',
    'From 100,000 logs that are in no index on, one is built at the end, as "logquarry index" does it.',
  ],
  arguments: { file: repeatedArgument('Zips and log files') },
  options: {
    into: textOption('CASE', 'The case file that the logs go into; made when it is not there'),
    noIndex: switchOption('Build no index of the words, whatever the number of logs'),
    zone,
    timeUnit: timeUnitOption,
    json: switchOption('Print the result as JSON'),
  },
  examples: [
    { run: 'logquarry import logs.zip more.ndjson --into incident.duckdb', about: 'a zip and a file' },
    {
      run: 'logquarry import server-*.log --zone Europe/Berlin --into incident.duckdb',
      about: 'classic log files, whose clocks showed the time of Berlin',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry search`. */
export const searchSpec = {
  name: 'search',
  summary: 'Show the logs that a query selects in cases and log files',
  details: [
    'The query is read as the server reads it; all of the syntax of its engine can be used. "*:*" selects every log. Times are UTC. When there are more logs than are shown, the standard error says so, and how to go on: "--after" gives the page that follows, which stays the same whatever is added meanwhile.',
    'Log files are loaded into a case that is gone afterwards; a case that is kept is searched at once. The logs of several sources come in one order, and each says where it is from.',
    'With "--best" the order is that of the server by relevance, in which a log stands the higher the more often the words occur in it, the rarer they are and the shorter the field is.',
  ],
  arguments: {
    query: requiredArgument('The query, in the search language of the deployment'),
    source: repeatedArgument('Case files, exported zips and log files'),
  },
  options: {
    limit: countOptionWithDefault(20, 'N', 'Show at most this many logs', { least: 1 }),
    all: switchOption('Show all of them, without a limit'),
    oldest: switchOption('The oldest first instead of the newest'),
    best: switchOption('The most relevant first, by how often and where the words occur'),
    after: textOption('PLACE', 'Go on behind this place, which the page before told'),
    context: countOption('N', 'Show so many logs before and after each as well, whatever they are', {
      least: 1,
      most: 1000,
    }),
    count: switchOption('Print only how many there are'),
    engine: engineOption,
    ...formatOptions,
    zone,
    timeUnit: timeUnitOption,
  },
  excludes: {
    ...formatExclusions,
    all: ['limit'],
    // Age and context are matters of time order; Parquet files have no column for scores or hits.
    best: ['oldest', 'context', 'parquet'],
    context: ['parquet'],
    // A count has no format, is independent of the order, and always covers all logs.
    count: ['limit', 'after', 'context', 'csv', 'rawCsv', 'markdown', 'parquet'],
  },
  examples: [
    {
      run: `logquarry search 'logLevel:SEVERE AND NOT source:Sharing' incident.duckdb`,
      about: 'the newest severe logs',
    },
    {
      run: `logquarry search 'msg:"timed out"' incident.duckdb --count`,
      about: 'how many requests timed out',
    },
    {
      run: `logquarry search 'msg:timeout' export-*.zip --context 3 --oldest`,
      about: 'straight on exported zips, with what came before and after',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry sql`. */
export const sqlSpec = {
  name: 'sql',
  summary: 'Ask a case in SQL',
  details: [
    'DuckDB runs it on the views logs, requests, parts, unreadable, jobs, exports, windows, coverage and actions. It reads the case only: neither files nor the network can be reached from it, and nothing can be changed.',
    'It runs in a process of its own, which Ctrl-C ends at once, and which is ended when it takes longer than "--timeout" (exit code 124) or more memory than it may.',
    `matches('msg:timeout') is true for the logs that a query selects, by their column "id"; in a join, matches('msg:timeout', l.id).`,
  ],
  arguments: {
    sql: requiredArgument('The SQL; "-" reads it from the standard input'),
    case: requiredArgument(caseAbout),
  },
  options: {
    limit: countOptionWithDefault(1000, 'N', 'Print at most this many rows; a Parquet file gets all', {
      least: 1,
    }),
    timeout: durationOrNoneOption(
      '5m',
      'TIME',
      'End the SQL after this long, as 90s or 2h; "none" for no limit',
    ),
    engine: engineOption,
    ...formatOptions,
  },
  // SQL has a LIMIT clause of its own.
  excludes: { ...formatExclusions, limit: ['parquet'] },
  examples: [
    {
      run: `logquarry sql 'SELECT source, count(*) AS logs FROM logs GROUP BY source ORDER BY logs DESC' incident.duckdb`,
      about: 'who writes most',
    },
    {
      run: `logquarry sql "SELECT username, max(elapsed) FROM logs WHERE matches('msg:timeout') GROUP BY username" incident.duckdb`,
      about: 'with a query of the search language',
    },
  ],
} as const satisfies CommandSpec;
