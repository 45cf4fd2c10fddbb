import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { countArgument } from '../command-line/count-argument.ts';
import { switchOption } from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import { displayOptions } from './query-options.ts';

/** Arguments and options of `logquarry show`. */
export const showSpec = {
  name: 'show',
  summary: 'Show one log whole, with its record and its evidence',
  details: [
    'Shows all fields, the stack trace, the record as it was written, and where it comes from: file, entry and position, with the SHA-256 of the original. A long stack trace is folded unless --full is given.',
  ],
  arguments: {
    id: countArgument('Id of the log, as tables show it'),
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    full: switchOption('Show the whole stack trace'),
    json: switchOption('Print JSON, never folded'),
    zone: zoneOption,
    ...displayOptions,
  },
  examples: [{ run: 'logquarry show 42 incident.duckdb', about: 'the log with the id 42' }],
} as const satisfies CommandSpec;
