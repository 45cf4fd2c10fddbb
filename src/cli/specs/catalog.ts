import { mutuallyExclusive } from '../command-line/combinations.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { choiceOption, switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';

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
