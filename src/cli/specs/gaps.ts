import { repeatedArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { durationOption, rowLimitOption } from '../command-line/option.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { displayOptions, zoneOptions } from './query-options.ts';

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
      'Case files, exported zips, log files, and addresses of clusters (clickhouse://…)',
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
