import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { watchOptions, watchRequirements } from './watch.ts';

/** Arguments and options of `logquarry upgrade rollback`. */
export const upgradeRollbackSpec = {
  name: 'upgrade rollback',
  summary: 'Roll the deployment back, which removes patches',
  details: [
    'Reads the possible rollbacks, announces the consequences, asks, and starts the rollback. Only patches can be removed. Like an upgrade, the request is sent once and searched for if its reply is lost, and the deployment is read-only during the rollback.',
    'Exit codes: 0 started, or with --watch succeeded; 1 the deployment does not offer it, or the answer was no; 3 refused or failed; 4 the outcome is unknown.',
  ],
  arguments: { id: requiredArgument('Identifier to roll back to, one of "upgrade rollback-options"') },
  options: {
    ...connectionOptions,
    settings: textOption('FILE', 'JSON object with the settings of the rollback (default: an empty one)'),
    dryRun: switchOption('Only run the checks, without sending it'),
    yes: switchOption('Do not ask for confirmation'),
    watch: switchOption('Watch the rollback to its end'),
    ...watchOptions,
  },
  excludes: connectionExclusions,
  requires: watchRequirements,
  examples: [
    {
      run: 'logquarry upgrade rollback rel_20062023_3480 --dry-run --profile gis.json',
      about: 'check if it is possible',
    },
    {
      run: 'logquarry upgrade rollback rel_20062023_3480 --watch --profile gis.json',
      about: 'run it and watch it to its end',
    },
  ],
} as const satisfies CommandSpec;
