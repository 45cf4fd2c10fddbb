import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { choiceOption, switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { watchOptions, watchRequirements } from './watch.ts';

const json = switchOption('Print JSON');

/** Arguments and options of `logquarry upgrade available`. */
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

/** Arguments and options of `logquarry upgrade installed`. */
export const upgradeInstalledSpec = {
  name: 'upgrade installed',
  summary: 'List the releases and patches that are installed',
  arguments: {},
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [{ run: 'logquarry upgrade installed --profile gis.json', about: 'what the deployment has' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade settings`. */
export const upgradeSettingsSpec = {
  name: 'upgrade settings',
  summary: 'Get the settings of an upgrade, to be filled in',
  details: [
    'For deployments of version 11.0 and later. "upgrade license" fills in the license, "upgrade check" says what is missing.',
  ],
  arguments: { id: requiredArgument('The identifier of the release or patch') },
  options: {
    ...connectionOptions,
    out: textOption('FILE', 'Write them to a file that "upgrade start" takes'),
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

/** Arguments and options of `logquarry upgrade check`. */
export const upgradeCheckSpec = {
  name: 'upgrade check',
  summary: 'Say what is wrong with the settings of an upgrade before the deployment does',
  details: ['Nothing is sent anywhere. The exit code is 1 when there is an error.'],
  arguments: { file: requiredArgument('The settings as JSON; "-" reads the standard input') },
  options: {
    original: textOption('FILE', 'The settings as the deployment gave them'),
    json: switchOption('Print the findings as JSON'),
  },
  examples: [{ run: 'logquarry upgrade check settings.json', about: 'before it starts' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade license`. */
export const upgradeLicenseSpec = {
  name: 'upgrade license',
  summary: 'Upload a license file for an upgrade',
  arguments: { file: requiredArgument('The license, a .json file') },
  options: {
    ...connectionOptions,
    description: textOption('TEXT', 'What the upload is for, as others see it'),
    settings: textOption('FILE', 'Fill the license in there, in the settings of an upgrade'),
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

/** Arguments and options of `logquarry upgrade rollback-options`. */
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

/** Arguments and options of `logquarry upgrade start`. */
export const upgradeStartSpec = {
  name: 'upgrade start',
  summary: 'Upgrade the deployment by a release or a patch',
  details: [
    'Checks the settings, says what the upgrade means, asks, and starts it. It is sent once: when the answer gets lost, the deployment is asked for up to two minutes whether it has started. During an upgrade the deployment is read-only.',
    'Exit codes: 0 it has started, or with "--watch" succeeded; 1 the settings have an error, or the answer was no; 3 it was refused or failed; 4 whether it has started, or how it ended, is not known: look before another try.',
  ],
  arguments: { id: requiredArgument('The identifier of the release or patch') },
  options: {
    ...connectionOptions,
    settings: textOption('FILE', 'The settings, filled in: required for releases from 11.0 on'),
    license: textOption('FILE', 'The license file, for deployments before 11.0'),
    versionManifest: textOption(
      'FILE',
      'The version manifest, for a deployment that cannot reach the internet',
    ),
    updateToLatestPatch: choiceOption(
      'CHOICE',
      'Install the latest patch of the release too, for deployments before 11.0; from then on the settings say so',
      ['true', 'false'],
    ),
    dryRun: switchOption('Only check what can be checked without sending it'),
    force: switchOption('Start it although the settings have errors'),
    yes: switchOption('Do not ask'),
    watch: switchOption('Watch the upgrade until it is over'),
    ...watchOptions,
  },
  excludes: connectionExclusions,
  requires: watchRequirements,
  examples: [
    {
      run: 'logquarry upgrade start rel_20062023_3480 --settings settings.json --watch --profile gis.json',
      about: 'a release, watched to its end',
    },
    { run: 'logquarry upgrade start pat_26032024_3831 --profile gis.json', about: 'a patch' },
    {
      run: 'logquarry upgrade start rel_20062023_3480 --settings settings.json --dry-run --profile gis.json',
      about: 'see whether it can be done',
    },
    {
      run: 'logquarry upgrade start rel_20062023_3480 --settings settings.json --version-manifest versionManifest.dat --profile gis.json',
      about: 'at a site without internet',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade watch`. */
export const upgradeWatchSpec = {
  name: 'upgrade watch',
  summary: 'Watch the upgrade that is under way until it is over',
  details: [
    'Prints each message with what its code means. Lost connections are waited out. Nothing is changed, and an upgrade goes on when the watching ends. Where none is under way, it says how the latest one ended.',
    'Exit codes: 0 the upgrade succeeded; 1 there is none and was none; 3 it failed; 4 how it ended is not known, because it could not be watched to its end; 130 interrupted.',
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
