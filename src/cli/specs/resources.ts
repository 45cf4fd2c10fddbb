import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { rowLimitOption, switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';

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
