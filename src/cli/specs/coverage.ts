import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption } from '../command-line/option.ts';

/** Arguments and options of `logquarry coverage`. */
export const coverageSpec = {
  name: 'coverage',
  summary: 'Show which times a case was asked for, and what is missing',
  details: [
    'For each set of filters one bar of time: complete, capped (the deployment returned no more), not there yet, never asked for. The exit code is 4 when anything that was asked for is missing.',
  ],
  arguments: { case: requiredArgument('The case file, for instance incident.duckdb') },
  options: { json: switchOption('Print the stretches of time as JSON') },
  examples: [{ run: 'logquarry coverage incident.duckdb', about: 'what the case can be relied on for' }],
} as const satisfies CommandSpec;
