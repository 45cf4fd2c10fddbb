import { optionalArguments, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { type OptionSpec, switchOption, textOption, versionOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';

/** Not split: a value may hold commas. */
const assignments: OptionSpec<readonly string[]> = {
  value: 'PATH=VALUE',
  about: 'Set one member, such as spec.replicas.max=4; can be repeated',
  read: (written) => written,
};

const removals: OptionSpec<readonly string[]> = {
  value: 'PATH',
  about: 'Remove one member, such as spec.replicas.autoscaling, before --set; can be repeated',
  read: (written) => written,
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
