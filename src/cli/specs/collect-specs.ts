import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption } from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import { displayOptions } from './query-options.ts';

const configurationAbout = 'Configuration file, for instance collect.json (docs/collect.md)';

/** Arguments and options of `logquarry collect`. */
export const collectSpec = {
  name: 'collect',
  summary: 'Collect the logs of deployments for ever, into a folder of cases',
  details: [
    'Runs until it is ended. Each turn asks the deployments for their newest logs, again for the last minutes and once a day for the last day, for what is missing, and for older logs until it has all that they keep. The store has one case a day, week or month, which is indexed and sealed when it is over.',
    'SIGTERM and Ctrl-C end it with the exit code 0: what is stored stays, and what was begun is gone on with at the next start. SIGHUP reads the configuration again. A second collector of the same source ends with the exit code 3, and says who has it.',
    'With --once the exit code is 3 if a turn failed, and 4 if logs are missing or lost. "collect check CONFIG" checks the configuration, "collect status CONFIG" shows how the sources stand.',
  ],
  arguments: { config: requiredArgument(configurationAbout) },
  options: { once: switchOption('Ask once for all that is missing, and end: for a timer') },
  examples: [
    { run: 'logquarry collect collect.json', about: 'until it is ended' },
    { run: 'logquarry collect --once collect.json', about: 'all that is there now' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry collect check`. */
export const collectCheckSpec = {
  name: 'collect check',
  summary: 'Check a configuration of collect without calling anyone',
  details: ['Names each wrong key with what is expected. The exit code is 2 if there is one.'],
  arguments: { config: requiredArgument(configurationAbout) },
  options: { json: switchOption('Print the configuration as it is read, as JSON') },
  examples: [{ run: 'logquarry collect check collect.json', about: 'before a start' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry collect status`. */
export const collectStatusSpec = {
  name: 'collect status',
  summary: 'Show how the sources of a configuration stand',
  details: [
    'Reads the files of the store alone, so it works beside a running collector. The exit code is 4 if logs are missing or lost, and 1 if a source had no success within three intervals.',
  ],
  arguments: { config: requiredArgument(configurationAbout) },
  options: { json: switchOption('Print JSON'), zone: zoneOption, ...displayOptions },
  examples: [{ run: 'logquarry collect status collect.json', about: 'what is covered, missing and at risk' }],
} as const satisfies CommandSpec;
