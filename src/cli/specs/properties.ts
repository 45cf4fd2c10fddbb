import { optionalArguments, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { type OptionSpec, switchOption, textOption, versionOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';

/** Not split: a value may hold commas. */
const assignments: OptionSpec<readonly string[]> = {
  value: 'PATH=VALUE',
  about: 'Change one member, as spec.replicas.max=4; can be given several times',
  read: (written) => written,
};

const removals: OptionSpec<readonly string[]> = {
  value: 'PATH',
  about: 'Remove one member, as spec.replicas.autoscaling, before "--set"; can be given several times',
  read: (written) => written,
};

/** Arguments and options of `logquarry properties list`. */
export const propertiesListSpec = {
  name: 'properties list',
  summary: 'List the default property templates',
  details: ['Templates that cannot be read are named, and the exit code is 4.'],
  arguments: {},
  options: { ...connectionOptions, json: switchOption('Print the templates as JSON') },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry properties list --profile gis.json', about: 'which kinds of microservices there are' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry properties show`. */
export const propertiesShowSpec = {
  name: 'properties show',
  summary: 'Print a default property template as JSON',
  arguments: { id: requiredArgument('The identifier of the template') },
  options: {
    ...connectionOptions,
    out: textOption('FILE', 'Write it to a file, to be edited and sent back'),
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
  summary: 'Say what is wrong with a template before the deployment does',
  details: [
    'Types, scaling, quantities and placement are checked, and against the original that nothing is changed which cannot be edited. Nothing is sent anywhere. The exit code is 1 when there is an error.',
  ],
  arguments: { file: requiredArgument('The template as JSON; "-" reads the standard input') },
  options: {
    original: textOption('FILE', 'The template as the deployment has it'),
    forVersion: versionOption('VERSION', 'Find what a deployment of this version does not know, as 11.1'),
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
  summary: 'Show how two templates differ, and what an edit would affect',
  arguments: {
    old: requiredArgument('The template as it was'),
    new: requiredArgument('The template as it is to be'),
  },
  options: { json: switchOption('Print the changes as JSON') },
  examples: [{ run: 'logquarry properties diff gp-before.json gp.json', about: 'what was changed' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry properties edit`. */
export const propertiesEditSpec = {
  name: 'properties edit',
  summary: 'Change a default property template at the deployment',
  details: [
    'Takes a template from a file, or with "--id" the one that the deployment has, changes it as "--unset" and "--set" say, checks it against the one of the deployment, shows what changes, asks, and sends it. New microservices get the new properties; those that exist keep theirs. The exit code is 1 when the template has an error or the answer is no.',
    'A finding about a value that the deployment has already is a warning. Numbers are sent back as they were written, whatever their size.',
  ],
  arguments: { file: optionalArguments('The template as JSON') },
  options: {
    ...connectionOptions,
    id: textOption('ID', 'Edit the template that the deployment has under this identifier'),
    set: assignments,
    unset: removals,
    forVersion: versionOption('VERSION', 'Find what a deployment of this version does not know'),
    force: switchOption('Send it although it has errors'),
    yes: switchOption('Do not ask'),
    dryRun: switchOption('Only show what would change'),
    json: switchOption('Print the changes as JSON'),
  },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry properties edit gp.json --profile gis.json', about: 'send an edited file' },
    {
      run: 'logquarry properties edit --id 9375dd81-30d1-41c0-a802-cabb425159b1 --set spec.replicas.min=2 --set spec.replicas.max=2 --dry-run --profile gis.json',
      about: 'see what two pods instead of one would change',
    },
  ],
} as const satisfies CommandSpec;
