import { repeatedArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption, textOption, timeOption } from '../command-line/option.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
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
      'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
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
