import { ruleLevels } from '../../analysis/index.ts';
import { countArgument, repeatedArgument, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-code.ts';
import {
  choiceListOption,
  choiceOption,
  countOptionWithDefault,
  durationOption,
  listOption,
  type OptionSpec,
  rowLimitOption,
  switchOption,
  textOption,
  timeOption,
} from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import {
  countFormatExclusions,
  countFormatOptions,
  logFilterDetails,
  logFilterExclusions,
  logFilterOptions,
} from './options.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

/** Arguments and options of `logquarry investigate`. */
export const investigateSpec = {
  name: 'investigate',
  summary: 'Show what changed, when, what came before, and who is hit',
  details: [
    'Compares the share of each code of failures, each pattern of messages and each slow kind of request over time, in up to 250 intervals. Reports changes that chance explains less than once in a hundred, corrected for all comparisons. The main change is the strongest of the most severe kind. All logs are counted, none sampled.',
    'Below each finding is the query that selects its logs. What came before is listed by time alone: no cause is stated. Intervals that were not exported are no data.',
    logFilterDetails,
  ],
  arguments: {
    source: repeatedArgument(
      'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
    ),
  },
  options: {
    search: textOption('QUERY', 'The symptom: logs whose rate is examined before all others'),
    around: timeOption('TIME', 'The change nearest to a time, such as when users complained'),
    since: timeOption('TIME', 'Only changes after a time'),
    ...logFilterOptions,
    engine: engineOption,
    json: switchOption('Print all findings as JSON'),
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: { ...logFilterExclusions, around: ['since'] },
  examples: [
    { run: 'logquarry investigate incident.duckdb', about: 'what happened, without a hint' },
    { run: 'logquarry investigate incident.duckdb --around 2025-03-12T09:00', about: 'what began near nine' },
    {
      run: `logquarry investigate incident.duckdb --search 'msg:"timed out"'`,
      about: 'what came with a symptom',
    },
  ],
} as const satisfies CommandSpec;

const sourcesAbout =
  'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input';

/** Arguments and options of `logquarry patterns`. */
export const patternsSpec = {
  name: 'patterns',
  summary: 'Group messages that differ only in their values',
  details: [
    'Numbers, ids, addresses, paths, dates and quoted texts in messages are masked, and all logs with the same mask are one pattern: every log is counted, none sampled. Masks that differ in one word of many are merged. The id of a pattern is the same in every case. Messages are read up to 4096 bytes.',
    logFilterDetails,
  ],
  arguments: { source: repeatedArgument(sourcesAbout) },
  options: {
    search: textOption('QUERY', 'Only logs that match a query'),
    ...logFilterOptions,
    limit: rowLimitOption(20, 'patterns'),
    rare: switchOption('Rarest patterns first'),
    newSince: timeOption('TIME', 'Only patterns without a log before a time'),
    id: textOption('ID', 'One pattern with the distribution of its values and a query for it'),
    engine: engineOption,
    ...countFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: {
    ...countFormatExclusions,
    ...logFilterExclusions,
    // Earlier logs of a pattern must be selected for it not to be new.
    newSince: ['from', 'last'],
    id: ['limit', 'rare', 'newSince', 'ndjson', 'csv', 'rawCsv', 'markdown'],
  },
  examples: [
    { run: `logquarry patterns incident.duckdb --search 'logLevel:SEVERE'`, about: 'the kinds of failures' },
    {
      run: 'logquarry patterns incident.duckdb --new-since 2025-03-12T02:00',
      about: 'messages that nobody saw before',
    },
  ],
} as const satisfies CommandSpec;

/** An upgrade known to a case: the last one, or its number from the oldest. */
const upgradeOption: OptionSpec<'last' | number | undefined> = {
  value: 'WHICH',
  about: 'Before and after an upgrade known to the case: last, or its number from the oldest, from 1',
  read(args, flag) {
    const last = args.at(-1);
    if (last === undefined || last === 'last') return last;
    if (/^[1-9]\d{0,8}$/.test(last)) return Number(last);
    throw new UsageError(`${flag} must be "last" or a whole number of at least 1, got "${last}"`);
  },
};

/** Filters of both sides, without times: these are what intervals compare. */
const { level, user, code, source } = logFilterOptions;
const sharedFilters = { level, user, code, source } as const;

/** Arguments and options of `logquarry diff`. */
export const diffSpec = {
  name: 'diff',
  summary: 'Show what is new, gone, more or less between two sets of logs',
  details: [
    'BEFORE and AFTER are two sources; or, with sources behind them, two intervals FROM..TO or two queries. Patterns of messages and values of fields are compared by their rates: per time for intervals, else per log. Listed are differences that chance explains less than once in a hundred, corrected for the number of comparisons, and at least by a factor of two. Differences of mostly the same logs are one group.',
    'Intervals are cut to the time of the logs. If one is shorter than a day and the other one holds its hours on other days, only these hours are compared.',
    'Elapsed times are compared for each source, method and code by the Mann-Whitney test, corrected in the same way. --upgrade compares all logs before an upgrade in the case with those after it, up to the next one.',
    '--search, --level, --user, --code and --source select logs of both sides. Times are selected by intervals.',
  ],
  arguments: {
    source: repeatedArgument(
      'BEFORE AFTER [SOURCE...]: two sources, or two intervals or queries and their sources',
    ),
  },
  options: {
    upgrade: upgradeOption,
    search: textOption('QUERY', 'Only logs that match a query, on both sides'),
    ...sharedFilters,
    limit: rowLimitOption(20, 'groups'),
    engine: engineOption,
    ...countFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: countFormatExclusions,
  examples: [
    {
      run: 'logquarry diff 2025-03-11..2025-03-12 2025-03-12..2025-03-13 incident.duckdb',
      about: 'two days of one case',
    },
    { run: 'logquarry diff --upgrade last incident.duckdb', about: 'before and after the last upgrade' },
    { run: 'logquarry diff before-upgrade.duckdb after-upgrade.duckdb', about: 'two cases' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry gaps`. */
export const gapsSpec = {
  name: 'gaps',
  summary: 'List silences of sources, and times that were not exported',
  details: [
    'A silence is at least four times the usual pause of a source, and improbable by its rhythm: its rate just before and after, at the same time of other days, and beside the other sources. Silences that chance explains more often than once in a hundred cases are left out. A time without any log is one silence of all sources. Times never requested, not exported yet or capped are listed as such: no log there proves nothing.',
    logFilterDetails,
  ],
  arguments: {
    source: repeatedArgument(
      'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…)',
    ),
  },
  options: {
    atLeast: durationOption('TIME', 'The shortest silence, such as 10m or 2h (default: 30m)'),
    limit: rowLimitOption(20, 'gaps'),
    ...logFilterOptions,
    ...countFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: { ...countFormatExclusions, ...logFilterExclusions },
  examples: [{ run: 'logquarry gaps incident.duckdb', about: 'who fell silent, and what is missing' }],
} as const satisfies CommandSpec;

const servicesSourcesAbout =
  'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input';

/** Parts of a service report. */
const reportParts = ['groups', 'responses', 'slowest', 'errors'] as const;

/** Keys of groups; the words of `TimingKey`. */
const groupKeys = ['service', 'user', 'method', 'code', 'type', 'machine', 'minute', 'hour', 'day'] as const;

/** Arguments and options of `logquarry services`. */
export const servicesSpec = {
  name: 'services',
  summary: 'Report requests, response times and errors by service',
  details: [
    'Shows requests, shares, errors, percentiles and sums of response times in seconds, waiting times, the arrival rate, response times by range, the slowest requests, and errors by code. Deployments measure response times at level FINE and below. Zero is not measured, and is left out.',
    logFilterDetails,
  ],
  arguments: { source: repeatedArgument(servicesSourcesAbout) },
  options: {
    by: choiceListOption(
      'KEYS',
      'Group by one or several, separated by commas (default: service)',
      groupKeys,
    ),
    part: choiceOption(
      'PART',
      'Only a part of the report; CSV and NDJSON have groups by default',
      reportParts,
    ),
    search: textOption('QUERY', 'Only logs that match a query'),
    ...logFilterOptions,
    limit: rowLimitOption(20, 'rows of each part'),
    engine: engineOption,
    ...countFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: { ...countFormatExclusions, ...logFilterExclusions },
  examples: [
    { run: 'logquarry services incident.duckdb', about: 'which services are slow or fail' },
    {
      run: 'logquarry services incident.duckdb --by service,hour --csv',
      about: 'for a spreadsheet, each service by the hour',
    },
    { run: 'logquarry services incident.duckdb --part slowest --limit 50', about: 'the slowest requests' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry sessions`. */
export const sessionsSpec = {
  name: 'sessions',
  summary: 'Show the activity of users, split at pauses',
  details: [
    'A session is the logs of one user without a longer pause than --idle. Each shows its first and last log, requests, errors (SEVERE), sources and the longest gap. Logs without a user are left out and counted.',
    logFilterDetails,
  ],
  arguments: {
    source: repeatedArgument(
      'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
    ),
  },
  options: {
    idle: durationOption('TIME', 'Pause that ends a session, such as 10m or 2h (default: 30m)'),
    search: textOption('QUERY', 'Only logs that match a query'),
    ...logFilterOptions,
    limit: rowLimitOption(20, 'sessions'),
    engine: engineOption,
    ...countFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: { ...countFormatExclusions, ...logFilterExclusions },
  examples: [
    { run: 'logquarry sessions incident.duckdb --user siteadmin', about: 'when an administrator was active' },
    { run: 'logquarry sessions incident.duckdb --idle 10m --csv', about: 'for a spreadsheet' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry detect`. */
export const detectSpec = {
  name: 'detect',
  summary: 'Evaluate Sigma rules on the logs',
  details: [
    'Rules are YAML files in the format of Sigma, version 2: selections of logs, and correlations of several logs by count, different values or order in time. Without --rules those of Logquarry: crashes, restarts, empty connection pools, refused sign-ins, changed log levels, secrets and certificates, upgrades and silences.',
    'A rule that cannot be evaluated is listed with the reason, and the exit code is 4. With --fail-on it is 1 if a rule of that level or above finds something.',
    logFilterDetails,
  ],
  arguments: {
    source: repeatedArgument(
      'Case files and folders of them, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
    ),
  },
  options: {
    rules: textOption('FOLDER', 'Folder or file with rules (default: the rules of Logquarry)'),
    mapping: textOption('FILE', 'YAML file that maps the field names of the rules to those of the logs'),
    failOn: choiceOption('LEVEL', 'Exit with 1 if a rule of this level or above finds something', ruleLevels),
    all: switchOption('List rules that find nothing too'),
    search: textOption('QUERY', 'Only logs that match a query'),
    ...logFilterOptions,
    limit: rowLimitOption(50, 'rules'),
    engine: engineOption,
    ...countFormatOptions,
    ...zoneOptions,
    ...displayOptions,
  },
  excludes: { ...countFormatExclusions, ...logFilterExclusions },
  examples: [
    { run: 'logquarry detect incident.duckdb', about: 'what is known to matter' },
    {
      run: 'logquarry detect incident.duckdb --rules our-rules --fail-on high',
      about: 'rules of your own, in a pipeline',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry show`. */
export const showSpec = {
  name: 'show',
  summary: 'Show one log whole, with its record and its evidence',
  details: [
    'Shows all fields, the stack trace, the record as it was written, and where it comes from: file, entry and position, with the SHA-256 of the original. A long stack trace is folded unless --full is given.',
  ],
  arguments: {
    id: countArgument('ID', 'Id of the log, as tables show it'),
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    full: switchOption('Show the whole stack trace'),
    json: switchOption('Print JSON, never folded'),
    zone: zoneOption,
    ...displayOptions,
  },
  examples: [{ run: 'logquarry show 42 incident.duckdb', about: 'the log with the id 42' }],
} as const satisfies CommandSpec;

const caseArgument = requiredArgument('Case file, for instance incident.duckdb');
const author = textOption('NAME', 'Author (default: the user of this computer)');

/** Arguments and options of `logquarry note add`. */
export const noteAddSpec = {
  name: 'note add',
  summary: 'Write a note on logs of a case',
  details: [
    'The case keeps it with its author and time in the record of actions, a chain of hashes. Without a comment it is a bookmark, without ids it is about the whole case.',
  ],
  arguments: {
    case: caseArgument,
    word: repeatedArgument('Ids of the logs, as tables show them, and the comment last'),
  },
  options: { tag: listOption('TAG', 'Tag; may be repeated'), author, json: switchOption('Print JSON') },
  examples: [
    {
      run: `logquarry note add incident.duckdb 17 18 'first failures' --tag start`,
      about: 'a comment with a tag on two logs',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry note list`. */
export const noteListSpec = {
  name: 'note list',
  summary: 'List the notes of a case',
  details: ['Removed notes are left out; "logquarry sql" shows them in the view actions.'],
  arguments: { case: caseArgument },
  options: {
    tag: listOption('TAG', 'Only notes with one of these tags; may be repeated'),
    limit: rowLimitOption(50, 'notes'),
    ...countFormatOptions,
    zone: zoneOption,
    ...displayOptions,
  },
  excludes: countFormatExclusions,
  examples: [
    { run: 'logquarry note list incident.duckdb', about: 'what was noted' },
    { run: 'logquarry note list incident.duckdb --csv > notes.csv', about: 'for a spreadsheet' },
  ],
} as const satisfies CommandSpec;

const noteArgument = countArgument('NOTE', 'Number of the note');

/** Arguments and options of `logquarry note edit`. */
export const noteEditSpec = {
  name: 'note edit',
  summary: 'Change the comment or the tags of a note',
  details: ['The change is a new action; the record of actions keeps the earlier text.'],
  arguments: { case: caseArgument, note: noteArgument },
  options: {
    text: textOption('TEXT', 'New comment'),
    tag: listOption('TAG', 'New tags in place of all; may be repeated'),
    author,
    json: switchOption('Print JSON'),
  },
  examples: [
    { run: `logquarry note edit incident.duckdb 2 --text 'pool was dry'`, about: 'another comment' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry note remove`. */
export const noteRemoveSpec = {
  name: 'note remove',
  summary: 'Remove a note from the list',
  details: ['The removal is a new action; the record of actions keeps the note.'],
  arguments: { case: caseArgument, note: noteArgument },
  options: { author, json: switchOption('Print JSON') },
  examples: [{ run: 'logquarry note remove incident.duckdb 2', about: 'a note that was wrong' }],
} as const satisfies CommandSpec;

const savedCaseArgument = requiredArgument('Case file, for instance incident.duckdb');
const nameArgument = requiredArgument('Name of the search');
const savedAuthor = textOption('NAME', 'Author (default: the user of this computer)');
const { from, to } = logFilterOptions;

/** Arguments and options of `logquarry saved add`. */
export const savedAddSpec = {
  name: 'saved add',
  summary: 'Save a search in a case under a name',
  details: [
    'The case keeps the query and its times with author and time in the record of actions, a chain of hashes. A search of the same name is replaced. The page of "logquarry ui" opens it.',
  ],
  arguments: {
    case: savedCaseArgument,
    name: nameArgument,
    query: requiredArgument('Query in the search language'),
  },
  options: { from, to, author: savedAuthor, engine: engineOption, json: switchOption('Print JSON') },
  examples: [
    {
      run: `logquarry saved add incident.duckdb timeouts 'msg:"timed out"' --from 2025-03-12`,
      about: 'a query from a day on',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry saved list`. */
export const savedListSpec = {
  name: 'saved list',
  summary: 'List the saved searches of a case',
  details: ['Removed and replaced ones are left out; "logquarry sql" shows them in the view actions.'],
  arguments: { case: savedCaseArgument },
  options: { limit: rowLimitOption(50, 'searches'), zone: zoneOption, ...countFormatOptions },
  excludes: countFormatExclusions,
  examples: [{ run: 'logquarry saved list incident.duckdb', about: 'names and queries' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry saved remove`. */
export const savedRemoveSpec = {
  name: 'saved remove',
  summary: 'Remove a saved search from the list',
  details: ['The removal is a new action; the record of actions keeps the search.'],
  arguments: { case: savedCaseArgument, name: nameArgument },
  options: { author: savedAuthor, json: switchOption('Print JSON') },
  examples: [
    { run: 'logquarry saved remove incident.duckdb timeouts', about: 'a search of no use any more' },
  ],
} as const satisfies CommandSpec;

/** --to is the format here, so that the newest time has another name. */
const { to: until, ...otherFilters } = logFilterOptions;

/** Formats of a report. */
export const reportFormats = ['html', 'pdf', 'xlsx', 'md', 'json', 'timesketch'] as const;

/** Arguments and options of `logquarry report`. */
export const reportSpec = {
  name: 'report',
  summary: 'Write a report of a case: page, PDF, workbook, Markdown or JSON',
  details: [
    'The first page is for the person who decides: what happened in one sentence, for how long, who is affected, logs over time, which logs these are, and what they cannot say. Tables follow: changes, services, errors, patterns, notes, the coverage, and the evidence with its hashes. All selected logs are counted; some are listed, the most severe first.',
    'A page (html) is one file that works without a network, and filters by time, level, service and text. A PDF (pdf) is its short print: the first page and the first rows of the main tables. It requires an installed Chromium or Chrome, which --chromium names or the PATH has. A workbook (xlsx) has a sheet for each table, times as dates, and no formula. timesketch writes all selected logs as lines of JSON for Timesketch, with tags and comments of notes. Times of Timesketch are in UTC.',
    '--from, --until, --last, --level, --user, --code and --source select logs beside the query. Each of them must match; values of a repeated option are alternatives.',
  ],
  arguments: {
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    to: choiceOption('FORMAT', 'Format (default: by the ending of --out, else html)', reportFormats),
    out: textOption('FILE', 'Write to a file, replacing an existing one (default: standard output)'),
    search: textOption('QUERY', 'Only logs that match a query'),
    ...otherFilters,
    until,
    logs: countOptionWithDefault(2000, 'N', 'Maximum number of listed logs', { min: 0, max: 100_000 }),
    title: textOption('TEXT', 'Title (default: the name of the case)'),
    author: textOption('NAME', 'Name of the author, on the first page'),
    note: textOption('TEXT', 'A note above all else, such as what is to be done'),
    chromium: textOption('FILE', 'Program that prints a PDF (default: the Chromium or Chrome on the PATH)'),
    engine: engineOption,
    zone: zoneOption,
  },
  excludes: { last: ['from', 'until'] },
  examples: [
    { run: 'logquarry report incident.duckdb --out incident.html', about: 'a page to send' },
    {
      run: "logquarry report incident.duckdb --title 'Outage of 12 March' --note 'Restart the store first' --out incident.pdf",
      about: 'a few pages to print, with a note',
    },
    {
      run: 'logquarry report incident.duckdb --from 2025-03-12T08:00 --until 2025-03-12T12:00 --out incident.xlsx',
      about: 'a workbook of four hours',
    },
    {
      run: 'logquarry report incident.duckdb --to timesketch --out incident.jsonl',
      about: 'all logs for Timesketch',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry redact`. */
export const redactSpec = {
  name: 'redact',
  summary: 'Copy a case with pseudonyms in place of users, addresses and hosts',
  details: [
    'Users, hosts, mail addresses and network addresses are replaced in all fields, in messages, stack traces and notes too: the same value by the same pseudonym. The pseudonyms are HMAC-SHA-256 of the values under a key. Who has the key can test a guess, so it stays with the original case.',
    'Originals, unreadable records and jobs are not copied. The chain of hashes of the copy says that it is redacted, and names the last hash of the original.',
    'Other names stay: those of services, folders, layers and databases, and names of people in messages that are no users of any log. Read the copy before it leaves the house.',
  ],
  arguments: {
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    out: textOption('NEW', 'Case file to create; required'),
    key: textOption(
      'FILE',
      'Key file, created if missing, so that later copies have the same pseudonyms (default: a key that is not kept)',
    ),
    json: switchOption('Print the result as JSON'),
  },
  examples: [
    {
      run: 'logquarry redact incident.duckdb --out for-the-vendor.duckdb --key redact.key',
      about: 'a copy for others; the key stays here',
    },
  ],
} as const satisfies CommandSpec;
