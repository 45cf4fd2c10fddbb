import { deploymentLogLevels, sortKeys, sortOrders } from '../../protocol/index.ts';
import { dateOrders, textFields } from '../../records/index.ts';
import { optionalArguments, repeatedArgument, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  columnsOption,
  fieldArgument,
  fieldOption,
  filterListOption,
  filterOption,
  integerListOption,
  upperCaseChoiceOption,
} from '../command-line/log-options.ts';
import {
  choiceOption,
  countOption,
  countOrAutoOption,
  durationOption,
  durationOrNoneOption,
  inGroup,
  mutuallyExclusive,
  rateOption,
  repeatedTextOption,
  rowLimitOption,
  switchOption,
  textOption,
  timeOption,
} from '../command-line/option.ts';
import { logZoneOption, zoneOption } from '../command-line/zone-option.ts';
import {
  columnExclusions,
  connectionExclusions,
  connectionOptions,
  countFormatExclusions,
  countFormatOptions,
  formatExclusions,
  formatOptions,
  logFilterDetails,
  logFilterExclusions,
  logFilterOptions,
  logFormatExclusions,
  logFormatOptions,
} from './options.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

const caseAbout = 'Case file, for instance incident.duckdb';

/** The most logs that one export returns (section 8 of the interface document). */
const mostLogs = 10_000;

/** Options of a new request, which a resumed export has already stored. */
const requestOptions = [
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
    to: timeOption('TIME', 'Newest time; a day counts from its beginning (default: no bound)'),
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
      min: 1,
      max: mostLogs,
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
        { min: 1, max: 16 },
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
        min: 1,
        max: mostLogs,
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
      durationOption(
        'TIME',
        'With --since-last: time to request again, for late logs (default: 10m, or twice the longest delay seen)',
        {
          min: 0,
        },
      ),
    ),
    maxWait: inGroup(
      'advanced',
      durationOption('TIME', 'Maximum waiting time for one job, such as 90s or 2h (default: 30m)'),
    ),
    patience: inGroup(
      'advanced',
      durationOption(
        'TIME',
        'Maximum waiting time for a deployment that is unavailable (503) (default: 5m)',
        {
          min: 0,
        },
      ),
    ),
    twice: inGroup(
      'advanced',
      switchOption('Request everything twice, by other windows, as a proof that nothing is missing'),
    ),
    json: switchOption('Print the result as JSON'),
    ndjson: switchOption('Print all events as JSON, one a line, the result last'),
  },
  excludes: {
    ...connectionExclusions,
    resume: ['into', 'retryGaps', 'sinceLast', 'plan', ...requestOptions],
    retryGaps: ['into', 'sinceLast', 'plan', ...requestOptions],
    sinceLast: ['into', ...requestOptions],
    // A single call, by exactly these options.
    num: ['plan', 'jobs', 'cap', 'via', 'windowBy', 'timeField', 'twice'],
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
    'Reads zips of any layout and plain files, compressed by gzip or not: NDJSON, JSON, CSV and classic log files of <Msg> records, recognised by their content. Unreadable records are stored and counted. A file already in the case is not loaded again, so that the same command continues after Ctrl-C. The exit code is 1 if something could not be loaded, and 4 if records of it could not be read, or no search for a time or a level finds its logs.',
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
    dateOrder: choiceOption('ORDER', 'Order of day and month in dates like 03/04/2025', dateOrders),
    envelope: textOption(
      'PATH',
      'Member with the log in records of other tools, such as kubernetes.log, or none (default: by the records)',
    ),
    include: repeatedTextOption(
      'PATTERN',
      'Of folders and archives, read only what matches: *.log, or pods/**/*.log for a path; repeatable',
    ),
    exclude: repeatedTextOption('PATTERN', 'Of folders and archives, leave out what matches; repeatable'),
    dryRun: switchOption('Print what each file would be read as, with the first logs, and write nothing'),
    noDuplicates: switchOption('Leave out logs that the case has from another file'),
    strict: switchOption(
      'Refuse files with implausible times, and exit with 4 if logs may be missing, or all lack a field',
    ),
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
        'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
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
      min: 1,
      max: 1000,
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

const sourcesAbout =
  'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input';

/** Fields with countable values. */
const countable = ['logCode', 'elapsed', ...textFields] as const;

/** Arguments and options of `logquarry verify`. */
export const verifySpec = {
  name: 'verify',
  summary: 'Verify a case, a cluster or a hand-over folder',
  details: [
    'Checks that a case file holds no foreign objects and hashes all originals and their entries. Reads every record again and compares it with its row. Checks all other rows against the record of actions, a chain of hashes. Alterations are named, and the exit code is 1.',
    'The last hash later proves that nothing before it was removed or altered: store it elsewhere and pass it with --head. "logquarry seal" writes it to a file with the counts, a signature and a time stamp; --seal FILE compares that file with the case.',
    'In a cluster the rows of every part are counted and hashed. Originals are hashed and read again where their folder is on this machine.',
    'A folder of "logquarry hand-over" is checked against its manifest and its seal, and with --case against the case too.',
  ],
  arguments: {
    case: requiredArgument(
      'Case file, for instance incident.duckdb, the address of a cluster, or the folder',
    ),
  },
  options: {
    head: textOption('HASH', 'Hash printed by an earlier check, which the record of actions must contain'),
    seal: textOption('FILE', 'Seal to compare with the case'),
    case: textOption('CASE', 'Case or cluster that the folder was made from'),
    originals: textOption('FOLDER', 'With a cluster: folder with the originals (default: where it says)'),
    publicKey: textOption('FILE', 'Public key in PEM that the seal must be signed with'),
    ca: textOption('FILE', 'Certificates in PEM of additional trusted authorities for the time stamp'),
    json: switchOption('Print the result as JSON'),
  },
  excludes: { case: ['head', 'seal'] },
  examples: [
    { run: 'logquarry verify incident.duckdb', about: 'is the case intact?' },
    {
      run: 'logquarry verify incident.duckdb --seal incident.duckdb.seal.json --public-key seal.pub',
      about: 'is it unaltered since it was sealed?',
    },
    {
      run: 'logquarry verify clickhouse://logs.example.com/gis --originals /archive/originals',
      about: 'are the logs of a cluster those of its originals?',
    },
    {
      run: 'logquarry verify for-the-vendor --case incident.duckdb',
      about: 'are these the logs of the case?',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry index`. */
export const indexSpec = {
  name: 'index',
  summary: 'Build the word index of a case, which makes searches fast',
  details: [
    'Searches find the same without an index, and are fast enough up to about 10,000 logs. Logs added later are scanned until the command is run again. After Ctrl-C the same command continues.',
  ],
  arguments: { case: requiredArgument('Case file, for instance incident.duckdb') },
  options: {
    rebuild: switchOption('Rebuild the index from scratch'),
    remove: switchOption('Remove the index from the case'),
    json: switchOption('Print the state of the index as JSON'),
  },
  excludes: { rebuild: ['remove'] },
  examples: [{ run: 'logquarry index incident.duckdb', about: 'after the last import' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry trace`. */
export const traceSpec = {
  name: 'trace',
  summary: 'Show all logs of one request in time order',
  details: [
    'The beginning of an id is enough if only one request begins so. Each log shows the milliseconds since the first log and since the previous one; ">" marks the longest gap. --slowest lists requests instead, the longest first: from first to last log, or by their elapsed time if that is longer.',
    logFilterDetails,
  ],
  arguments: {
    id: requiredArgument('Id of the request or its beginning; with --slowest a source'),
    source: optionalArguments(sourcesAbout),
  },
  options: {
    slowest: switchOption('List the slowest requests; no id is given'),
    limit: rowLimitOption(20, 'requests'),
    ...logFilterOptions,
    columns: columnsOption,
    ...logFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: {
    ...logFormatExclusions,
    ...logFilterExclusions,
    ...columnExclusions,
    slowest: ['columns', 'parquet', 'ecs', 'otlp'],
  },
  requires: { limit: 'slowest' },
  examples: [
    {
      run: 'logquarry trace 4e4f6a0e-5c1f-4a8e-9d0a-9f1f6f3b2c11 incident.duckdb',
      about: 'follow a request',
    },
    { run: 'logquarry trace --slowest incident.duckdb --limit 10', about: 'which requests to follow' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry histogram`. */
export const histogramSpec = {
  name: 'histogram',
  summary: 'Draw the number of logs over time',
  details: [
    logFilterDetails,
    'Intervals begin at multiples of their length by the clocks of --zone, weeks on Monday; days follow summer time. Logs without a time are counted separately. For exported cases, intervals that were never requested are grey dots, and intervals with missing logs are marked: no log there proves nothing. More than 40 consecutive empty intervals take two lines, except in JSON.',
  ],
  arguments: { source: repeatedArgument(sourcesAbout) },
  options: {
    search: textOption('QUERY', 'Only logs that match a query'),
    ...logFilterOptions,
    every: durationOption(
      'TIME',
      'Length of an interval, such as 90s, 30m, 2h, 1d or 1w (default: about 40 intervals)',
    ),
    by: fieldOption('Split each interval by the values of a field', countable),
    engine: engineOption,
    json: switchOption('Print JSON'),
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: logFilterExclusions,
  examples: [
    { run: 'logquarry histogram incident.duckdb --by logLevel', about: 'when it began' },
    {
      run: `logquarry histogram incident.duckdb --search 'logCode:7615' --every 5m`,
      about: 'waiting requests, in intervals of five minutes',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry overview`. */
export const overviewSpec = {
  name: 'overview',
  summary: 'Show what a case holds, and where to begin',
  details: [
    'Shows the time span, what exports cover, the levels with their counts over time and peaks, the codes and sources with most severe logs, gaps, what could not be read, and three commands to go on with.',
  ],
  arguments: { source: repeatedArgument(sourcesAbout) },
  options: { json: switchOption('Print JSON'), ...zoneOptions, ...displayOptions },
  examples: [{ run: 'logquarry overview incident.duckdb', about: 'where to begin' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry top`. */
export const topSpec = {
  name: 'top',
  summary: 'Count the values of a field, most frequent first',
  details: [logFilterDetails],
  arguments: {
    field: fieldArgument('The field', countable),
    source: repeatedArgument(sourcesAbout),
  },
  options: {
    search: textOption('QUERY', 'Only logs that match a query'),
    ...logFilterOptions,
    limit: rowLimitOption(20, 'values'),
    engine: engineOption,
    ...countFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: { ...countFormatExclusions, ...logFilterExclusions },
  examples: [
    {
      run: `logquarry top source incident.duckdb --level SEVERE`,
      about: 'the most frequent sources of failures',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry suggest`. */
export const suggestSpec = {
  name: 'suggest',
  summary: 'Suggest a query from examples of logs',
  details: [
    'Prints the shortest query in the language of the deployment that selects all logs of --like and none of --unlike, and how many logs of the case it selects. It asks for codes, levels, sources, words and phrases, never for times and ids of requests.',
    'Logs that no query tells apart are named, and the exit code is 1; the query is for the others then.',
  ],
  arguments: {
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    like: integerListOption('IDS', 'Ids of logs to select, separated by commas, as tables show them'),
    unlike: integerListOption('IDS', 'Ids of logs not to select'),
    json: switchOption('Print JSON'),
  },
  examples: [
    { run: 'logquarry suggest incident.duckdb --like 170,200', about: 'what these have in common' },
    {
      run: 'logquarry suggest incident.duckdb --like 141 --unlike 105,3',
      about: 'what makes it different',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry coverage`. */
export const coverageSpec = {
  name: 'coverage',
  summary: 'Show which times a case covers, and what is missing',
  details: [
    'For each set of filters one bar of time: complete, capped (the deployment returned no more), not exported yet, never requested. The exit code is 4 if anything requested is missing.',
  ],
  arguments: {
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: { json: switchOption('Print the intervals as JSON'), zone: zoneOption, ...displayOptions },
  examples: [{ run: 'logquarry coverage incident.duckdb', about: 'what the case covers' }],
} as const satisfies CommandSpec;

/** Options of commands that create seals. */
export const sealingOptions = {
  key: textOption('FILE', 'Ed25519 private key in PEM for the signature, which only its owner may read'),
  timeStamp: textOption('URL', 'Time stamp authority (RFC 3161) that confirms the time'),
  ca: textOption(
    'FILE',
    'Certificates in PEM of additional trusted authorities for the address of the time stamp authority',
  ),
  proxy: textOption(
    'URL',
    'Proxy for the time stamp authority; "none" for no proxy (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY)',
  ),
} as const;

/** Arguments and options of `logquarry seal`. */
export const sealSpec = {
  name: 'seal',
  summary: 'Write a small file that later proves a case unaltered',
  details: [
    'Checks the case as "verify" does. Then it writes the last hash of the chain of actions, the counts, the time and the version of the program. The file is signed with --key and time-stamped with --time-stamp. Keep it apart from the case; "verify CASE --seal FILE" compares the two.',
    'A case with deviations is not sealed, and the exit code is 1. An existing file is not replaced: an earlier seal proves more than a later one. "openssl genpkey -algorithm ed25519 -out seal.key" creates a key, "openssl pkey -in seal.key -pubout -out seal.pub" its public half.',
  ],
  arguments: { case: requiredArgument('Case file, for instance incident.duckdb') },
  options: {
    out: textOption('FILE', 'Path of the seal (default: <case>.seal.json)'),
    ...sealingOptions,
    json: switchOption('Print the statement as JSON'),
  },
  examples: [
    {
      run: 'logquarry seal incident.duckdb',
      about: 'a file to store elsewhere',
    },
    {
      run: 'logquarry seal incident.duckdb --key seal.key --time-stamp https://tsa.example.com',
      about: 'signed, with a confirmed time',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry hand-over`. */
export const handOverSpec = {
  name: 'hand-over',
  summary: 'Write all logs that match a query into a folder with a manifest',
  details: [
    'Creates a folder with all hits as CSV, NDJSON and Parquet, oldest first, and "manifest.json". The manifest holds the query and its reading by the server, the counts, the coverage of the case with its gaps, the SHA-256 of each file and of the originals, the last hash of the case, the version of the program and the zone of the times. The folder appears as a whole or not at all.',
    `${logFilterDetails} The manifest holds them too.`,
    '"verify FOLDER" checks the files against the manifest, "verify FOLDER --case CASE" the logs against the case too. With --key or --time-stamp the manifest is sealed in "seal.json".',
  ],
  arguments: {
    query: requiredArgument('The query'),
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    out: textOption('FOLDER', 'Folder to create; required'),
    ...logFilterOptions,
    zone: { ...zoneOption, about: 'Zone of --from and --to without one; all files have UTC' },
    engine: engineOption,
    ...sealingOptions,
    json: switchOption('Print the manifest'),
  },
  excludes: logFilterExclusions,
  examples: [
    {
      run: `logquarry hand-over 'logLevel:SEVERE AND msg:"timed out"' incident.duckdb --out for-the-vendor`,
      about: 'a folder that proves its content',
    },
  ],
} as const satisfies CommandSpec;

const address = requiredArgument(
  'Address such as clickhouse://ann@host:8443/logs; "?deployment=NAME", "&profile=NAME" and "&secure=false" may follow',
);

const passwordFile = textOption(
  'FILE',
  'File with the password, which only its owner may read; or LOGQUARRY_CLUSTER_PASSWORD_FILE, or the password itself in LOGQUARRY_CLUSTER_PASSWORD',
);

const connectionDetails =
  'The connection is encrypted unless the host is this machine or the address has "secure=false". The user is that of the address, of the profile that it names, LOGQUARRY_CLUSTER_USER or "default"; the password that of --password-file, the profile or the environment.';

/** Arguments and options of `logquarry cluster init`. */
export const clusterInitSpec = {
  name: 'cluster init',
  summary: 'Create the tables for logs in ClickHouse',
  details: [
    'Creates the database, its tables and views, as far as they are missing. Repeated calls change nothing but the time of --keep.',
    'With --cluster the tables are on all shards of that cluster, with Distributed tables over them; servers without ClickHouse Keeper each need a call. --replicated needs ClickHouse Keeper and the macros "shard" and "replica". --print shows the statements, with those of a role for readers and one for writers, and sends nothing; with --each-server they are those to run at each server without Keeper.',
    connectionDetails,
  ],
  arguments: { address },
  options: {
    cluster: textOption('NAME', 'Cluster in the configuration of the servers'),
    replicated: switchOption('Replicate the tables'),
    keep: textOption(
      'DAYS',
      'Days after which logs are deleted by their time, such as 400d (default: never)',
    ),
    print: switchOption('Print the statements and send nothing'),
    eachServer: switchOption('With --print: statements for one server, to run at each of them'),
    passwordFile,
  },
  examples: [
    {
      run: 'logquarry cluster init clickhouse://logs.example.com/gis --keep 400d',
      about: 'one server, logs of 400 days',
    },
    {
      run: 'logquarry cluster init clickhouse://logs.example.com/gis --cluster logs --replicated --print',
      about: 'statements for an administrator',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry cluster push`. */
export const clusterPushSpec = {
  name: 'cluster push',
  summary: 'Copy the logs of a case into ClickHouse',
  details: [
    'Each part arrives whole or not at all, and exactly once: what is there already is not sent again, also after a crash or beside another writer. Repeat an interrupted call to go on.',
    'The facts of each part go with it: its file, entry and SHA-256. The originals stay where they are; --originals names that place. The times that exports of the case requested go with them, for "coverage" and the like.',
    connectionDetails,
  ],
  arguments: { case: requiredArgument('Case file, for instance incident.duckdb'), address },
  options: {
    deployment: textOption('NAME', 'Deployment of the logs (default: that of the address, or "default")'),
    originals: textOption('PLACE', 'Where the originals are (default: the evidence folder of the case)'),
    passwordFile,
    json: switchOption('Print what was added as JSON'),
  },
  examples: [
    {
      run: 'logquarry cluster push incident.duckdb "clickhouse://logs.example.com/gis?deployment=prod"',
      about: 'logs of the deployment "prod"',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry cluster status`. */
export const clusterStatusSpec = {
  name: 'cluster status',
  summary: 'Show what ClickHouse holds, and recount it',
  details: [
    'Shows the deployments with their parts, logs, unreadable records, days and size. Recounts the rows of every part: a part that has lost logs is named, and the exit code is 1. Logs deleted by --keep are no loss. Rows of unfinished loads, which never count, are shown too.',
    connectionDetails,
  ],
  arguments: { address },
  options: {
    clean: switchOption('Delete the rows of loads that ended unfinished, or were replaced'),
    idle: durationOption(
      'TIME',
      'With --clean: time since the last row of a load after which it is unfinished, such as 10m (default: 1h)',
    ),
    passwordFile,
    json: switchOption('Print JSON'),
  },
  examples: [
    { run: 'logquarry cluster status clickhouse://logs.example.com/gis', about: 'contents of a database' },
  ],
} as const satisfies CommandSpec;
