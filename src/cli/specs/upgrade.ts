import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { choiceOption, switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { watchOptions, watchRequirements } from './watch.ts';

const json = switchOption('Print JSON');

/** Arguments and options of `logquarry upgrade available`. */
export const upgradeAvailableSpec = {
  name: 'upgrade available',
  summary: 'List the available releases and patches',
  arguments: {},
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry upgrade available --profile gis.json', about: 'identifiers for "upgrade start"' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade installed`. */
export const upgradeInstalledSpec = {
  name: 'upgrade installed',
  summary: 'List the installed releases and patches',
  arguments: {},
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [{ run: 'logquarry upgrade installed --profile gis.json', about: 'show what is installed' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade settings`. */
export const upgradeSettingsSpec = {
  name: 'upgrade settings',
  summary: 'Get the settings of an upgrade, to complete them',
  details: [
    'For deployments of version 11.0 and later. "upgrade license" adds the license, "upgrade check" reports what is missing.',
  ],
  arguments: { id: requiredArgument('The identifier of the release or patch') },
  options: {
    ...connectionOptions,
    out: textOption('FILE', 'Write them to a file for "upgrade start"'),
    json,
  },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade settings rel_20062023_3480 --profile gis.json --out settings.json',
      about: 'a file to complete',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade check`. */
export const upgradeCheckSpec = {
  name: 'upgrade check',
  summary: 'Check the settings of an upgrade before sending them',
  details: ['Nothing is sent. The exit code is 1 if there is an error.'],
  arguments: { file: requiredArgument('The settings as JSON; "-" reads the standard input') },
  options: {
    original: textOption('FILE', 'Original settings of the deployment'),
    json: switchOption('Print the findings as JSON'),
  },
  examples: [{ run: 'logquarry upgrade check settings.json', about: 'before the start' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade license`. */
export const upgradeLicenseSpec = {
  name: 'upgrade license',
  summary: 'Upload a license file for an upgrade',
  arguments: { file: requiredArgument('The license, a .json file') },
  options: {
    ...connectionOptions,
    description: textOption('TEXT', 'Description of the upload, visible to others'),
    settings: textOption('FILE', 'Settings of an upgrade to add the license to'),
    json,
  },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade license license.json --settings settings.json --profile gis.json',
      about: 'upload it and add it to the settings',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade rollback-options`. */
export const upgradeRollbackOptionsSpec = {
  name: 'upgrade rollback-options',
  summary: 'List the possible rollbacks of the deployment',
  arguments: {},
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade rollback-options --profile gis.json',
      about: 'empty unless a patch is installed',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade start`. */
export const upgradeStartSpec = {
  name: 'upgrade start',
  summary: 'Upgrade the deployment with a release or a patch',
  details: [
    'Checks the settings, announces the consequences, asks, and starts the upgrade. The request is sent once: if its reply is lost, the upgrade is searched for up to two minutes. During an upgrade the deployment is read-only.',
    'Exit codes: 0 started, or with --watch succeeded; 1 the settings have an error, or the answer was no; 3 refused or failed; 4 the outcome is unknown: check before another try.',
  ],
  arguments: { id: requiredArgument('The identifier of the release or patch') },
  options: {
    ...connectionOptions,
    settings: textOption('FILE', 'Completed settings, required for releases from 11.0 on'),
    license: textOption('FILE', 'The license file, for deployments before 11.0'),
    versionManifest: textOption(
      'FILE',
      'The version manifest, for a deployment that cannot reach the internet',
    ),
    updateToLatestPatch: choiceOption(
      'CHOICE',
      'Also install the latest patch of the release, for deployments before 11.0; later ones have it in the settings',
      ['true', 'false'],
    ),
    dryRun: switchOption('Only run the checks, without sending it'),
    force: switchOption('Start it despite errors in the settings'),
    yes: switchOption('Do not ask for confirmation'),
    watch: switchOption('Watch the upgrade to its end'),
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
      about: 'check if it is possible',
    },
    {
      run: 'logquarry upgrade start rel_20062023_3480 --settings settings.json --version-manifest versionManifest.dat --profile gis.json',
      about: 'at a site without internet access',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry upgrade watch`. */
export const upgradeWatchSpec = {
  name: 'upgrade watch',
  summary: 'Watch the running upgrade to its end',
  details: [
    'Prints each message with the meaning of its code, and survives lost connections. Nothing is changed, and the upgrade continues when the watch ends. If no upgrade is running, reports the end of the latest one.',
    'Exit codes: 0 the upgrade succeeded; 1 there is no upgrade; 3 it failed; 4 the outcome is unknown, because the watch failed; 130 interrupted.',
    'With --into the case is open only while messages are loaded, so that it can be searched meanwhile. The same command continues after an interruption; messages in the case are not loaded again.',
  ],
  arguments: {},
  options: { ...connectionOptions, ...watchOptions },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry upgrade watch --profile gis.json --into incident.duckdb',
      about: 'watch, and store the messages with the logs',
    },
  ],
} as const satisfies CommandSpec;
