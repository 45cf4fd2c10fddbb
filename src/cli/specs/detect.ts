import { ruleLevels } from '../../analysis/index.ts';
import { repeatedArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { choiceOption, rowLimitOption, switchOption, textOption } from '../command-line/option.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { displayOptions, engineOption, zoneOptions } from './query-options.ts';

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
      'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); "-" reads the standard input',
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
