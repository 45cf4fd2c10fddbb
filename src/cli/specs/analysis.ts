import { textFields } from '../../records/index.ts';
import { optionalArguments, repeatedArgument, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { columnsOption, fieldArgument, fieldOption } from '../command-line/field-option.ts';
import { durationOption, rowLimitOption, switchOption, textOption } from '../command-line/option.ts';
import {
  columnExclusions,
  countFormatExclusions,
  countFormatOptions,
  logFormatExclusions,
  logFormatOptions,
} from './formats.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

const sourcesAbout =
  'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input';

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
    ...{ ...logFormatExclusions, ...logFilterExclusions, ...columnExclusions },
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
