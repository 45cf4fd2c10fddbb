import { one } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { span, text, toggle } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';

const json = toggle('Print JSON');

/** What `logquarry upgrade available` takes. */
export const upgradeAvailableSpec = {
  name: 'upgrade available',
  summary: 'List the releases and patches that the deployment can be upgraded to',
  arguments: {},
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry upgrade available --profile gis.json', about: 'the identifiers that upgrades take' },
  ],
} as const satisfies CommandSpec;

/** What `logquarry upgrade settings` takes. */
export const upgradeSettingsSpec = {
  name: 'upgrade settings',
  summary: 'Get the settings of an upgrade, to be filled in',
  details: [
    'For deployments of version 11.0 and later. "upgrade license" fills in the license, "upgrade check" says what is missing.',
  ],
  arguments: { id: one('The identifier of the release or patch') },
  options: {
    ...connectionOptions,
    out: text('FILE', 'Write them to a file that "upgrade start" takes'),
    json,
  },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade settings rel_20062023_3480 --profile gis.json --out settings.json',
      about: 'a form to fill in',
    },
  ],
} as const satisfies CommandSpec;

/** What `logquarry upgrade check` takes. */
export const upgradeCheckSpec = {
  name: 'upgrade check',
  summary: 'Say what is wrong with the settings of an upgrade before the deployment does',
  details: ['Nothing is sent anywhere. The exit code is 1 when there is an error.'],
  arguments: { file: one('The settings as JSON; "-" reads the standard input') },
  options: {
    original: text('FILE', 'The settings as the deployment gave them'),
    json: toggle('Print the findings as JSON'),
  },
  examples: [{ run: 'logquarry upgrade check settings.json', about: 'before it starts' }],
} as const satisfies CommandSpec;

/** What `logquarry upgrade license` takes. */
export const upgradeLicenseSpec = {
  name: 'upgrade license',
  summary: 'Upload a license file for an upgrade',
  arguments: { file: one('The license, a .json file') },
  options: {
    ...connectionOptions,
    description: text('TEXT', 'What the upload is for, as others see it'),
    settings: text('FILE', 'Fill the license in there, in the settings of an upgrade'),
    json,
  },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade license license.json --settings settings.json --profile gis.json',
      about: 'upload it and fill it in',
    },
  ],
} as const satisfies CommandSpec;

/** What `logquarry upgrade rollback-options` takes. */
export const upgradeRollbackOptionsSpec = {
  name: 'upgrade rollback-options',
  summary: 'List what the deployment can be rolled back to',
  arguments: {},
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade rollback-options --profile gis.json',
      about: 'nothing unless a patch is installed',
    },
  ],
} as const satisfies CommandSpec;

const watchOptions = {
  into: text('CASE', 'Load the messages into a case while they come, with what was received as evidence'),
  out: text('FILE', 'Write the messages as NDJSON, which "logquarry import" loads into a case as well'),
  every: span('TIME', 'Look this often (default: 5s)'),
  patience: span('TIME', 'Give up after this long without an answer, as 30m or 2h (default: 1h)'),
  json: toggle('Print every event as JSON, one a line'),
} as const;

/** What `logquarry upgrade start` takes. */
export const upgradeStartSpec = {
  name: 'upgrade start',
  summary: 'Upgrade the deployment by a release or a patch',
  details: [
    'Checks the settings, says what the upgrade means, asks, and starts it. It is sent once: when the answer gets lost, the deployment is asked whether it has started. During an upgrade the deployment is read-only.',
  ],
  arguments: { id: one('The identifier of the release or patch') },
  options: {
    ...connectionOptions,
    settings: text('FILE', 'The settings, filled in: required for releases from 11.0 on'),
    license: text('FILE', 'The license file, for deployments before 11.0'),
    force: toggle('Start it although the settings have errors'),
    yes: toggle('Do not ask'),
    watch: toggle('Watch the upgrade until it is over'),
    ...watchOptions,
  },
  excludes: connectionExclusions,
  requires: { into: 'watch', out: 'watch', every: 'watch', patience: 'watch' },
  examples: [
    {
      run: 'logquarry upgrade start rel_20062023_3480 --settings settings.json --watch --profile gis.json',
      about: 'a release, watched to its end',
    },
    { run: 'logquarry upgrade start pat_26032024_3831 --profile gis.json', about: 'a patch' },
  ],
} as const satisfies CommandSpec;

/** What `logquarry upgrade watch` takes. */
export const upgradeWatchSpec = {
  name: 'upgrade watch',
  summary: 'Watch the upgrade that is under way until it is over',
  details: [
    'Prints each message with what its code means. Lost connections are waited out. The exit code is 0 when the upgrade succeeded and 3 when it failed.',
    'With "--into" the case is open only while messages are loaded, so that it can be searched meanwhile. The same command goes on after an interruption: a message that the case has is not loaded again.',
  ],
  arguments: {},
  options: { ...connectionOptions, ...watchOptions },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade watch --profile gis.json --into incident.duckdb',
      about: 'watch, and keep the messages beside the logs',
    },
  ],
} as const satisfies CommandSpec;
