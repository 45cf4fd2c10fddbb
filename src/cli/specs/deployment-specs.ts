import { deploymentLogLevels } from '../../protocol/index.ts';
import { choiceArgument, optionalArguments, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { filterListOption, filterOption, upperCaseChoiceOption } from '../command-line/log-options.ts';
import {
  choiceOption,
  countOption,
  countOptionWithDefault,
  durationOption,
  listOption,
  mutuallyExclusive,
  type OptionSpec,
  rowLimitOption,
  switchOption,
  textOption,
  timeOption,
  versionOption,
} from '../command-line/option.ts';
import { logZoneOption, zoneOption } from '../command-line/zone-option.ts';
import {
  connectionExclusions,
  connectionOptions,
  listedLogFormatExclusions,
  listedLogFormatOptions,
  watchOptions,
  watchRequirements,
} from './options.ts';
import { displayOptions } from './query-options.ts';

/** Arguments and options of `logquarry logs settings`. */
export const logsSettingsSpec = {
  name: 'logs settings',
  summary: 'Show or change the log level and the log retention of a deployment',
  details: [
    'Shows the settings without --level and --max-age. With one of them, shows the change, asks and sends it; the other setting stays unchanged. A new level applies to later logs only, so set it before reproducing an incident. A lower --max-age makes the deployment delete older logs permanently.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    level: textOption('LEVEL', 'Log at this level and more severe ones: SEVERE to DEBUG'),
    maxAge: countOption('DAYS', 'Retention of logs in days; for deployments of version 11.2 and later', {
      min: 1,
      max: 999,
    }),
    yes: switchOption('Do not ask for confirmation'),
    dryRun: switchOption('Only show what would change'),
    json: switchOption('Print the settings, or the changes, as JSON'),
  },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry logs settings --profile gis.json', about: 'show the settings' },
    {
      run: 'logquarry logs settings --level VERBOSE --max-age 90 --profile gis.json',
      about: 'log more and for longer before reproducing an incident',
    },
  ],
} as const satisfies CommandSpec;

const listing = {
  stackTraces: switchOption('Include stack traces'),
  limit: rowLimitOption(20, 'logs', 10_000),
  count: switchOption('Print only the number of logs, as counted by the deployment'),
  ...listedLogFormatOptions,
  zone: zoneOption,
  logZone: logZoneOption,
  ...displayOptions,
};

// A count has no format and no limit.
const listingExclusions = {
  ...connectionExclusions,
  ...listedLogFormatExclusions,
  count: ['limit', 'stackTraces', 'csv', 'rawCsv', 'markdown', 'ecs', 'otlp'],
};

/** Arguments and options of `logquarry logs query`. */
export const logsQuerySpec = {
  name: 'logs query',
  summary: 'Show the newest logs of a deployment, by structured filters',
  details: [
    'For a quick look: the deployment lists them immediately, without a job, and nothing is stored. "export" gets all logs as evidence.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    logLevel: upperCaseChoiceOption(
      'LEVEL',
      'This level and more severe ones (default: all)',
      deploymentLogLevels,
    ),
    from: timeOption('TIME', 'Oldest time, such as 2025-03-12, 2025-03-12T08:00+02:00, yesterday or now-2h'),
    to: timeOption('TIME', 'Newest time; a day counts from its beginning (default: now)'),
    logCode: filterListOption('CODES', 'Only these codes, separated by commas'),
    users: filterOption('NAME', 'Only logs of this user'),
    requestIds: filterListOption('IDS', 'Only these requests, separated by commas'),
    serviceTypes: filterOption('TYPE', 'Only this type of service, for instance MapServer'),
    source: filterOption('SOURCE', 'Only this source, for instance Sharing or Folder/Service.MapServer'),
    ...listing,
  },
  excludes: listingExclusions,
  examples: [
    { run: 'logquarry logs query --log-level SEVERE --profile gis.json', about: 'the newest severe logs' },
    {
      run: 'logquarry logs query --from now-10m --source Sharing --limit 100 --profile gis.json',
      about: 'the last ten minutes of the sharing API',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry logs search`. */
export const logsSearchSpec = {
  name: 'logs search',
  summary: 'Show the logs of a deployment that match a query',
  details: [
    'For a quick look: the deployment searches immediately, without a job, and nothing is stored. "export --search" gets all logs as evidence. Times must be part of the query. A query with errors is sent only with --force.',
  ],
  arguments: { query: requiredArgument('Query in the search language of the deployment') },
  options: {
    ...connectionOptions,
    oldest: switchOption('Oldest first (default: newest first)'),
    best: switchOption('Most relevant first, as ranked by the deployment'),
    force: switchOption('Send the query despite errors'),
    ...listing,
  },
  excludes: { ...listingExclusions, best: ['oldest'] },
  examples: [
    {
      run: `logquarry logs search 'msg:"timed out" AND logLevel:SEVERE' --profile gis.json`,
      about: 'the newest ones',
    },
    { run: `logquarry logs search 'logCode:9003' --count --profile gis.json`, about: 'how many' },
  ],
} as const satisfies CommandSpec;

const json = switchOption('Print JSON');

/** Arguments and options of `logquarry jobs list`. */
export const jobsListSpec = {
  name: 'jobs list',
  summary: 'List the jobs of a deployment, such as exports of logs',
  details: [
    'The deployment lists identifiers only, so each job is read separately, in the order of the list. Jobs cannot be cancelled: no operation for it is documented.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    limit: rowLimitOption(50, 'jobs', 1000),
    ids: switchOption('Print only all identifiers, one a line'),
    json,
  },
  excludes: { ...connectionExclusions, ids: ['limit', 'json'] },
  examples: [{ run: 'logquarry jobs list --profile gis.json', about: 'recent exports' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry jobs show`. */
export const jobsShowSpec = {
  name: 'jobs show',
  summary: 'Show the status and the result address of a job',
  arguments: { id: requiredArgument('The identifier of the job') },
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry jobs show j2bcbcd49-83a4-4cc1-a034-40e4a266e96d --profile gis.json',
      about: 'one job',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry uploads list`. */
export const uploadsListSpec = {
  name: 'uploads list',
  summary: 'List the uploads of a deployment, results of exports among them',
  arguments: {},
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [{ run: 'logquarry uploads list --profile gis.json', about: 'all of them' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry uploads show`. */
export const uploadsShowSpec = {
  name: 'uploads show',
  summary: 'Show an upload',
  arguments: { id: requiredArgument('The identifier of the upload') },
  options: { ...connectionOptions, json },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry uploads show i3aecbde6-3f2c-4f4c-9d0c-5b0f3b1c7a55 --profile gis.json',
      about: 'one upload',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry uploads add`. */
export const uploadsAddSpec = {
  name: 'uploads add',
  summary: 'Upload a file, and print its identifier',
  details: [
    'The permitted file extensions depend on the version of the deployment; .json, .zip and .csv are permitted.',
  ],
  arguments: { file: requiredArgument('The file') },
  options: {
    ...connectionOptions,
    description: textOption('TEXT', 'Description of the file, visible to others'),
    json: switchOption('Print the item as JSON'),
  },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry uploads add license.json --description "License of 11.2" --profile gis.json',
      about: 'a license for an upgrade',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry uploads delete`. */
export const uploadsDeleteSpec = {
  name: 'uploads delete',
  summary: 'Delete an upload of a deployment permanently',
  details: [
    'Shows the upload, asks and deletes it, for example to free the space of an export result. The exit code is 1 if the answer is no.',
  ],
  arguments: { id: requiredArgument('The identifier of the upload') },
  options: {
    ...connectionOptions,
    yes: switchOption('Do not ask for confirmation'),
    dryRun: switchOption('Only show what would be deleted'),
    json: switchOption('Print the item as JSON'),
  },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry uploads delete i3aecbde6-3f2c-4f4c-9d0c-5b0f3b1c7a55 --profile gis.json',
      about: 'free its space',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry health`. */
export const healthSpec = {
  name: 'health',
  summary: 'Show the state and the ready pods of the microservices',
  details: [
    'The exit code is 1 if a microservice is not started, has too few ready pods, or returns no status.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    unready: switchOption('Show only microservices that are not ready'),
    json,
  },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry health --profile gis.json', about: 'all microservices' },
    { run: 'logquarry health --unready --profile gis.json', about: 'only problems' },
  ],
} as const satisfies CommandSpec;

const catalogOptions = {
  ...connectionOptions,
  names: choiceOption('NAMES', 'Naming of the messages', ['default', 'arcgis']),
  anonymous: switchOption('Send no token, even if there is one'),
  tokenInUrl: switchOption(
    'Put the token into the address, which logs record, for catalogs that accept it only there',
  ),
  json: switchOption('Print JSON'),
} as const;

/** Without a token, options of credentials have no effect. */
const catalogExclusions = {
  ...connectionExclusions,
  anonymous: ['user', 'passwordFile', 'tokenFile', 'tokenCommand', 'referer', 'tokenInUrl'],
} as const;

/** Arguments and options of `logquarry catalog info`. */
export const catalogInfoSpec = {
  name: 'catalog info',
  summary: 'Show the versions and formats of the catalog, and its token service',
  details: ['Works without a token.'],
  arguments: {},
  options: catalogOptions,
  excludes: catalogExclusions,
  examples: [
    {
      run: 'logquarry catalog info --url https://gis.example.com/arcgis',
      about: 'before the first sign-in',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry catalog folders`. */
export const catalogFoldersSpec = {
  name: 'catalog folders',
  summary: 'List the folders of the services',
  details: ['A user or a token is required only if the catalog requires one.'],
  arguments: {},
  options: catalogOptions,
  excludes: catalogExclusions,
  examples: [{ run: 'logquarry catalog folders --profile gis.json', about: 'one a line' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry catalog services`. */
export const catalogServicesSpec = {
  name: 'catalog services',
  summary: 'List the services',
  details: [
    'By default, the services that the catalog returns in its complete list. Some deployments omit services in folders there; --all requests each folder separately.',
  ],
  arguments: {},
  options: {
    ...catalogOptions,
    folder: textOption('NAME', 'Only the services of this folder; an empty name is the root'),
    all: switchOption('Request every folder separately'),
    tree: switchOption('Print a tree of folders'),
    sources: switchOption('Print only the distinct log sources, sorted, one a line'),
    out: textOption('FILE', 'Write to a file'),
  },
  excludes: { ...catalogExclusions, ...mutuallyExclusive('json', 'tree', 'sources'), all: ['folder'] },
  examples: [
    { run: 'logquarry catalog services --profile gis.json --all --tree', about: 'an overview' },
    {
      run: 'logquarry catalog services --profile gis.json --all --sources --out sources.txt',
      about: 'values of "source" for queries and for "logquarry export --source"',
    },
  ],
} as const satisfies CommandSpec;

/** Not split: a value may hold commas. */
const assignments: OptionSpec<readonly string[]> = {
  value: 'PATH=VALUE',
  about: 'Set one member, such as spec.replicas.max=4; can be repeated',
  read: (args) => args,
};

const removals: OptionSpec<readonly string[]> = {
  value: 'PATH',
  about: 'Remove one member, such as spec.replicas.autoscaling, before --set; can be repeated',
  read: (args) => args,
};

/** Arguments and options of `logquarry properties list`. */
export const propertiesListSpec = {
  name: 'properties list',
  summary: 'List the default property templates',
  details: ['Unreadable templates are named, and the exit code is 4.'],
  arguments: {},
  options: { ...connectionOptions, json: switchOption('Print the templates as JSON') },
  excludes: connectionExclusions,
  examples: [{ run: 'logquarry properties list --profile gis.json', about: 'the kinds of microservices' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry properties show`. */
export const propertiesShowSpec = {
  name: 'properties show',
  summary: 'Print a default property template as JSON',
  arguments: { id: requiredArgument('The identifier of the template') },
  options: {
    ...connectionOptions,
    out: textOption('FILE', 'Write it to a file for editing'),
  },
  excludes: connectionExclusions,
  examples: [
    {
      run: 'logquarry properties show 9375dd81-30d1-41c0-a802-cabb425159b1 --profile gis.json --out gp.json',
      about: 'get one to edit',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry properties check`. */
export const propertiesCheckSpec = {
  name: 'properties check',
  summary: 'Check a template before sending it to the deployment',
  details: [
    'Checks types, scaling, quantities and placement. With the original, also checks that only editable members changed. Nothing is sent. The exit code is 1 if there is an error.',
  ],
  arguments: { file: requiredArgument('The template as JSON; "-" reads the standard input') },
  options: {
    original: textOption('FILE', 'Template of the deployment'),
    forVersion: versionOption(
      'VERSION',
      'Also report members unknown to a deployment of this version, such as 11.1',
    ),
    json: switchOption('Print the findings as JSON'),
  },
  examples: [
    {
      run: 'logquarry properties check gp.json --original gp-before.json --for-version 11.2',
      about: 'all checks',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry properties diff`. */
export const propertiesDiffSpec = {
  name: 'properties diff',
  summary: 'Show the differences of two templates, and what an edit would affect',
  arguments: {
    old: requiredArgument('Old template'),
    new: requiredArgument('New template'),
  },
  options: { json: switchOption('Print the changes as JSON') },
  examples: [{ run: 'logquarry properties diff gp-before.json gp.json', about: 'show the changes' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry properties edit`. */
export const propertiesEditSpec = {
  name: 'properties edit',
  summary: 'Change a default property template at the deployment',
  details: [
    'Reads a template from a file, or with --id from the deployment, applies --unset and --set, checks it against the template of the deployment, shows the changes, asks, and sends it. New microservices get the new properties; existing ones keep theirs. The exit code is 1 if the template has an error or the answer is no.',
    'Findings about unchanged values of the deployment are warnings. Numbers are sent back exactly as written.',
  ],
  arguments: { file: optionalArguments('The template as JSON') },
  options: {
    ...connectionOptions,
    id: textOption('ID', 'Edit the template of the deployment with this identifier'),
    set: assignments,
    unset: removals,
    forVersion: versionOption('VERSION', 'Also report members unknown to a deployment of this version'),
    force: switchOption('Send it despite errors'),
    yes: switchOption('Do not ask for confirmation'),
    dryRun: switchOption('Only show what would change'),
    json: switchOption('Print the changes as JSON'),
  },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry properties edit gp.json --profile gis.json', about: 'send an edited file' },
    {
      run: 'logquarry properties edit --id 9375dd81-30d1-41c0-a802-cabb425159b1 --set spec.replicas.min=2 --set spec.replicas.max=2 --dry-run --profile gis.json',
      about: 'preview a change from one pod to two',
    },
  ],
} as const satisfies CommandSpec;

/** Option of commands that save a secret in a named profile. */
const keyRingOption = switchOption(
  'Store the secret in the file of the profile, which only its owner may read, even if there is a key ring',
);

/** Arguments and options of `logquarry sign-in`. */
export const signInSpec = {
  name: 'sign-in',
  summary: 'Get a token and save it in a profile',
  details: [
    'The profile is a file that only its owner may read. Every other command accepts it as --profile FILE. It holds the address, the user, the token and its expiry, but no password.',
    'With --save NAME it becomes a named profile, accepted as --profile NAME, and the token goes to the key ring of the system if there is one. An existing profile of this name provides the connection settings, and its secret is replaced.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    out: textOption('FILE', 'Profile to write, replacing an existing one'),
    save: textOption('NAME', 'Save the token in the profile of this name'),
    noKeyRing: keyRingOption,
    minutes: countOptionWithDefault(
      60,
      'N',
      'Requested lifetime of the token; the deployment may grant less',
      {
        min: 1,
      },
    ),
    json: switchOption('Print the expiry of the token as JSON'),
  },
  excludes: { ...connectionExclusions, out: ['save'] },
  requires: { noKeyRing: 'save' },
  examples: [
    {
      run: 'logquarry sign-in --url https://gis.example.com/arcgis --user admin --minutes 480 --out gis.json',
      about: 'a token for a working day',
    },
    {
      run: 'logquarry sign-in --url https://gis.example.com/arcgis --user admin --save prod',
      about: 'a token for "--profile prod"',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry sign-out`. */
export const signOutSpec = {
  name: 'sign-out',
  summary: 'Revoke a token',
  details: [
    'If the deployment cannot revoke it, the token stays valid until it expires, and the exit code is 1.',
  ],
  arguments: {},
  options: connectionOptions,
  excludes: connectionExclusions,
  examples: [{ run: 'logquarry sign-out --profile gis.json', about: 'revoke the token of a profile' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry profile list`. */
export const profileListSpec = {
  name: 'profile list',
  summary: 'List the profiles of this user',
  details: ['Shows no secrets and does not access the key ring.'],
  arguments: {},
  options: { json: switchOption('Print the profiles as JSON') },
  examples: [{ run: 'logquarry profile list', about: 'show all profiles' }],
} as const satisfies CommandSpec;

const { url, user, passwordFile, tokenFile, referer, ca, cert, key, proxy } = connectionOptions;

/** Arguments and options of `logquarry profile add`. */
export const profileAddSpec = {
  name: 'profile add',
  summary: 'Save the connection settings of a deployment or a cluster under a name',
  details: [
    'Every other command accepts it as --profile NAME. The secret goes to the key ring of the system if there is one ("secret-tool" on Linux, "security" on macOS), else to a file that only its owner may read. It is sent to the address of the profile only.',
    'The address may be that of a cluster. With "?profile=NAME" behind it, the user and the password are those of the profile.',
    'For tokens prefer "logquarry sign-in --save NAME", which also stores the expiry.',
  ],
  arguments: { name: requiredArgument('Name of the new profile') },
  options: {
    url,
    user,
    passwordFile,
    tokenFile,
    referer,
    ca,
    cert,
    key,
    proxy,
    askPassword: switchOption('Ask for the password'),
    noKeyRing: keyRingOption,
  },
  excludes: {
    passwordFile: ['tokenFile', 'askPassword'],
    tokenFile: ['askPassword'],
    user: ['tokenFile'],
  },
  requires: { passwordFile: 'user', askPassword: 'user', key: 'cert' },
  examples: [
    {
      run: 'logquarry profile add prod --url https://gis.example.com/arcgis --user admin --password-file pw',
      about: 'a user and a password',
    },
    {
      run: 'logquarry profile add logs --url clickhouse://logs.example.com/gis --user ann --password-file pw',
      about: 'a cluster; its address then has "?profile=logs" behind it',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry profile use`. */
export const profileUseSpec = {
  name: 'profile use',
  summary: 'Make a profile the default',
  details: ['It applies unless an option or the environment says otherwise.'],
  arguments: { name: requiredArgument('The name of the profile') },
  options: {},
  examples: [{ run: 'logquarry profile use prod', about: 'no need for "--profile prod" any more' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry profile remove`. */
export const profileRemoveSpec = {
  name: 'profile remove',
  summary: 'Remove a profile and its secret',
  details: ['The token stays valid at the deployment until it expires or "logquarry sign-out" revokes it.'],
  arguments: { name: requiredArgument('The name of the profile') },
  options: {},
  examples: [{ run: 'logquarry profile remove prod', about: 'its file, and its secret in the key ring' }],
} as const satisfies CommandSpec;

const upgradeJson = switchOption('Print JSON');

/** Arguments and options of `logquarry upgrade available`. */
export const upgradeAvailableSpec = {
  name: 'upgrade available',
  summary: 'List the available releases and patches',
  arguments: {},
  options: { ...connectionOptions, json: upgradeJson },
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
  options: { ...connectionOptions, json: upgradeJson },
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
    json: upgradeJson,
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
    json: upgradeJson,
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
  options: { ...connectionOptions, json: upgradeJson },
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

/** Arguments and options of `logquarry config`. */
export const configSpec = {
  name: 'config',
  summary: 'Show the default options of the configuration files',
  details: [
    'Defaults of options by command, such as {"search": {"limit": 50}}, come from ".logquarry.json" in the working folder or the nearest one above, then from "config.json" in the folder of the user\'s settings. An option of the command line wins over both, and the project file over that of the user.',
    'LOGQUARRY_CONFIG names another file for the user; "none" reads neither, for scripts.',
    'Connections and secrets belong in profiles: "logquarry profile add". A project file may set neither paths nor options of commands that call a deployment.',
  ],
  arguments: {},
  options: { json: switchOption('Print JSON') },
  examples: [{ run: 'logquarry config', about: 'which defaults apply here, and why' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry emulate`. */
export const emulateSpec = {
  name: 'emulate',
  summary: 'Run the reference deployment on this machine',
  details: [
    'A deployment for trials, training and tests: it signs users in, exports logs through jobs, describes its services in SOAP, stores default properties and upgrades itself, like the real one. Without --logs it holds the logs of an invented incident. It also logs its own activity. Ctrl-C stops it.',
  ],
  arguments: {},
  options: {
    logs: textOption('FILE', 'Zip or log file with its logs'),
    engine: textOption(
      'ADDRESS',
      'Search server that answers queries, opensearch://HOST:PORT (default: this program)',
    ),
    now: switchOption('Let the incident end now, so that exports of the last hours contain it'),
    scenario: textOption(
      'FILE',
      'JSON file with its behaviour: logs, limits, how it reads times and users, faults',
    ),
    port: countOptionWithDefault(7080, 'PORT', 'Port to listen on; 0 takes any free port', {
      min: 0,
      max: 65_535,
    }),
    host: textOption('HOST', 'Address to listen on, reachable by others (default: loopback)'),
    allowHost: listOption('NAMES', 'Additional host names in requests, such as the name of this machine'),
    user: textOption('NAME', 'Name of the user (default: admin)'),
    passwordFile: textOption(
      'FILE',
      'File with the password of the user (default: a random password, which is shown)',
    ),
    release: textOption('VERSION', 'Initial version: 10.9, 10.9.1, 11.0, 11.1, 11.2 (default) or 11.3'),
    names: choiceOption('NAMES', 'Naming of the catalog and the properties', ['default', 'arcgis']),
    state: textOption('FILE', 'Store properties, upgrades and uploads there (default: in memory only)'),
    upgradeTime: durationOption('TIME', 'Duration of an upgrade, such as 30s or 1h'),
    json: switchOption('Print the address and the user as JSON'),
  },
  requires: { user: 'passwordFile' },
  excludes: { now: ['logs'] },
  examples: [
    { run: 'logquarry emulate --release 11.0 --upgrade-time 5m', about: 'a deployment to be upgraded' },
    { run: 'logquarry emulate', about: 'a deployment after an incident of 12 March 2025' },
    { run: 'logquarry emulate --now', about: 'a deployment whose incident is just over' },
    { run: 'logquarry emulate --logs samples/incident.ndjson --port 0', about: 'with logs of a file' },
    { run: 'logquarry emulate --scenario samples/scenarios/bad-day.json', about: 'to rehearse an export' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry demo`. */
export const demoSpec = {
  name: 'demo',
  summary: 'Run a demo: export an incident, search it, query it in SQL',
  details: [
    'Starts the reference deployment on a free loopback port, exports the last hours of an invented incident through HTTP, and finds its cause. Takes less than a minute and leaves no files.',
  ],
  arguments: {},
  options: {
    keep: textOption('CASE', 'Path to keep the case file at'),
    ui: switchOption('Look at the incident in a browser instead'),
    json: switchOption('Print the results as JSON'),
  },
  examples: [
    { run: 'logquarry demo --ui', about: 'look at the incident in a browser' },
    { run: 'logquarry demo --keep incident.duckdb', about: 'keep the case for further trials' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry completion`. */
export const completionSpec = {
  name: 'completion',
  summary: 'Print a shell completion script for commands, options, queries and files',
  details: [
    'With the script, Tab completes queries too: fields, values and operators. A case or small log file on the command line, also behind the cursor, gives the values of a field.',
  ],
  arguments: { shell: choiceArgument('The shell', ['bash', 'zsh', 'fish']) },
  options: {
    line: textOption(
      'TEXT',
      'Print completions of the query at the end of this command line, as the script does',
    ),
    rest: textOption('TEXT', 'Command line after the cursor; names cases with values to suggest'),
    word: textOption('TEXT', 'End of the word that bash replaces'),
  },
  requires: { rest: 'line', word: 'line' },
  examples: [
    {
      run: 'logquarry completion bash > ~/.local/share/bash-completion/completions/logquarry',
      about: 'once, for bash',
    },
    {
      run: 'logquarry completion fish > ~/.config/fish/completions/logquarry.fish',
      about: 'once, for fish',
    },
  ],
} as const satisfies CommandSpec;
