import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption } from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import { displayOptions } from './query-options.ts';

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
