import { textFields } from '../../records/log.ts';
import { choiceArgument, repeatedArgument, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  choiceOption,
  countOptionWithDefault,
  durationOption,
  switchOption,
  textOption,
  textOptionWithDefault,
} from '../command-line/option.ts';
import { countFormatExclusions, countFormatOptions, formatExclusions, formatOptions } from './formats.ts';
import { engineOption, timeUnitOption } from './query-options.ts';

const sourcesAbout = 'Case files, exported zips and log files';

const zone = textOptionWithDefault(
  'UTC',
  'ZONE',
  'The zone of times in log files that name none, as +02:00 or Europe/Berlin',
);

/** Fields with countable values. */
const countable = ['logCode', 'elapsed', ...textFields] as const;

/** Arguments and options of `logquarry verify`. */
export const verifySpec = {
  name: 'verify',
  summary: 'Check a case, or a folder that was handed over',
  details: [
    'Checks that a case file holds no foreign objects, hashes all originals and their entries, reads every record again and compares it with its row, and checks all other rows against the record of actions, in which each holds the hash of the one before. What is altered, missing or not listed is named, and the exit code is 1.',
    'The last hash proves later that nothing was taken away or altered before it: keep it in another place, and give it with "--head". "logquarry seal" keeps it in a file, with the counts, a signature and a time stamp: "--seal FILE" compares that with the case.',
    'A folder of "logquarry hand-over" is checked against its manifest and its seal, and with "--case" against the case as well.',
  ],
  arguments: { case: requiredArgument('The case file, for instance incident.duckdb, or the folder') },
  options: {
    head: textOption(
      'HASH',
      'The hash that a check printed earlier; it has to be among those of the actions',
    ),
    seal: textOption('FILE', 'The seal of the case, which has to hold'),
    case: textOption('CASE', 'The case that the folder was handed over from'),
    publicKey: textOption('FILE', 'Public key in PEM that the seal has to be signed with'),
    ca: textOption(
      'FILE',
      'Certificates in PEM of authorities to trust besides the known ones, for the time stamp',
    ),
    json: switchOption('Print the result as JSON'),
  },
  excludes: { case: ['head', 'seal'] },
  examples: [
    { run: 'logquarry verify incident.duckdb', about: 'is everything as it came?' },
    {
      run: 'logquarry verify incident.duckdb --seal incident.duckdb.seal.json --public-key seal.pub',
      about: 'and as it was when it was sealed?',
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
  summary: 'Build the index of the words of a case, which makes searches fast',
  details: [
    'Searches find the same without it; in some 100,000 logs they are as fast. Logs that are added later are looked through one by one until the command is run again, which adds them. After Ctrl-C the same command goes on.',
  ],
  arguments: { case: requiredArgument('The case file, for instance incident.duckdb') },
  options: {
    rebuild: switchOption('Build it anew from the first log on'),
    remove: switchOption('Take it out of the case'),
    json: switchOption('Print what it covers as JSON'),
  },
  excludes: { rebuild: ['remove'] },
  examples: [{ run: 'logquarry index incident.duckdb', about: 'once the last file is in' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry trace`. */
export const traceSpec = {
  name: 'trace',
  summary: 'Show all logs of one request in the order of time',
  details: ['The id is compared as it is written. Each log says how long after the one before it came.'],
  arguments: { id: requiredArgument('The id of the request'), source: repeatedArgument(sourcesAbout) },
  options: { ...formatOptions, zone, timeUnit: timeUnitOption },
  excludes: formatExclusions,
  examples: [
    {
      run: 'logquarry trace 4e4f6a0e-5c1f-4a8e-9d0a-9f1f6f3b2c11 incident.duckdb',
      about: 'what a request went through',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry histogram`. */
export const histogramSpec = {
  name: 'histogram',
  summary: 'Draw how many logs there are over time',
  details: [
    'Stretches of time begin at multiples of their length, in UTC. Logs without a time are counted apart. Of a case that was exported, stretches that were never asked for are grey dots, and those of which logs are missing are marked: no log in them says nothing. More than 40 stretches without logs in a row take two lines, but in JSON.',
  ],
  arguments: { source: repeatedArgument(sourcesAbout) },
  options: {
    search: textOption('QUERY', 'Only the logs that a query selects'),
    every: durationOption(
      'TIME',
      'The length of a stretch, as 90s, 30m or 2h; unless given there are about 40',
    ),
    by: choiceOption('FIELD', 'Part each stretch by the values of a field', countable),
    engine: engineOption,
    json: switchOption('Print JSON'),
    zone,
    timeUnit: timeUnitOption,
  },
  examples: [
    { run: 'logquarry histogram incident.duckdb --by logLevel', about: 'when it began' },
    {
      run: `logquarry histogram incident.duckdb --search 'logCode:7615' --every 5m`,
      about: 'waiting requests, five minutes a line',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry top`. */
export const topSpec = {
  name: 'top',
  summary: 'Count the values of a field, the most frequent first',
  arguments: {
    field: choiceArgument('The field', countable),
    source: repeatedArgument(sourcesAbout),
  },
  options: {
    search: textOption('QUERY', 'Only the logs that a query selects'),
    limit: countOptionWithDefault(20, 'N', 'Show at most this many values', { least: 1 }),
    engine: engineOption,
    ...countFormatOptions,
    zone,
    timeUnit: timeUnitOption,
  },
  excludes: countFormatExclusions,
  examples: [
    { run: `logquarry top source incident.duckdb --search 'logLevel:SEVERE'`, about: 'who fails most' },
  ],
} as const satisfies CommandSpec;
