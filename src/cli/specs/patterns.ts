import { repeatedArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  type OptionSpec,
  rowLimitOption,
  switchOption,
  textOption,
  timeOption,
} from '../command-line/option.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

const sourcesAbout =
  'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input';

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
  read(written, flag) {
    const last = written.at(-1);
    if (last === undefined || last === 'last') return last;
    if (/^[1-9]\d{0,8}$/.test(last)) return Number(last);
    throw new UsageError(`${flag} must be "last" or a whole number of at least 1, got "${last}"`);
  },
};

/** Arguments and options of `logquarry diff`. */
export const diffSpec = {
  name: 'diff',
  summary: 'Show what is new, gone, more or less between two sets of logs',
  details: [
    'BEFORE and AFTER are two sources; or, with sources behind them, two intervals FROM..TO or two queries. Patterns of messages and values of fields are compared by their rates: per time for intervals, else per log. Listed are differences that chance explains less than once in a hundred, corrected for the number of comparisons, and at least by a factor of two. Differences of mostly the same logs are one group.',
    'Elapsed times are compared for each source, method and code by the Mann-Whitney test, corrected in the same way. --upgrade compares all logs before an upgrade in the case with those after it, up to the next one.',
  ],
  arguments: {
    source: repeatedArgument(
      'BEFORE AFTER [SOURCE...]: two sources, or two intervals or queries and their sources',
    ),
  },
  options: {
    upgrade: upgradeOption,
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
