import { repeatedArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { durationOption, rowLimitOption, textOption } from '../command-line/option.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

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
      'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
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
