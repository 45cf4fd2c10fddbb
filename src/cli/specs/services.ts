import { repeatedArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { choiceListOption, choiceOption, rowLimitOption, textOption } from '../command-line/option.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

const sourcesAbout =
  'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input';

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
  arguments: { source: repeatedArgument(sourcesAbout) },
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
