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
    'Asks the deployment what it can be rolled back to, says what the rollback means, asks, and starts it. Only patches can be removed. As an upgrade, it is sent once and looked for where its answer gets lost, and the deployment is read-only until it is over.',
    'Exit codes: 0 it has started, or with "--watch" succeeded; 1 the deployment does not offer it, or the answer was no; 3 it was refused or failed; 4 whether it has started, or how it ended, is not known.',
  ],
  arguments: { id: requiredArgument('The identifier to roll back to, one of "upgrade rollback-options"') },
  options: {
    ...connectionOptions,
    settings: textOption('FILE', 'JSON object with the settings of the rollback (default: an empty one)'),
    dryRun: switchOption('Only check what can be checked without sending it'),
    yes: switchOption('Do not ask'),
    watch: switchOption('Watch the rollback until it is over'),
    ...watchOptions,
  },
  excludes: connectionExclusions,
  requires: watchRequirements,
  examples: [
    {
      run: 'logquarry upgrade rollback rel_20062023_3480 --dry-run --profile gis.json',
      about: 'see whether it can be done',
    },
    {
      run: 'logquarry upgrade rollback rel_20062023_3480 --watch --profile gis.json',
      about: 'do it, watched to its end',
    },
  ],
} as const satisfies CommandSpec;
