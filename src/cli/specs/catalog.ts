import { mutuallyExclusive } from '../command-line/combinations.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { choiceOption, switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';

const catalogOptions = {
  ...connectionOptions,
  names: choiceOption('NAMES', 'Whose names the messages use', ['default', 'arcgis']),
  anonymous: switchOption('Show no token, even where there is one'),
  tokenInUrl: switchOption(
    'Put the token into the address, where logs keep it, for catalogs that take it nowhere else',
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
  summary: 'Show which versions and formats the catalog speaks, and where tokens are given',
  details: ['Works without a token as well.'],
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
  details: ['A user or a token is required only where the catalog requires one.'],
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
    'Unless told otherwise, the services that the catalog gives when it is asked for all of them; some deployments then leave out those in folders, which "--all" asks for one folder after the other.',
  ],
  arguments: {},
  options: {
    ...catalogOptions,
    folder: textOption('NAME', 'Only the services in this folder; an empty name is the root'),
    all: switchOption('Ask every folder'),
    tree: switchOption('Print them as a tree of folders'),
    sources: switchOption(
      'Print only what the logs of each have as their source: one a line, each once, sorted',
    ),
    out: textOption('FILE', 'Write them to a file'),
  },
  excludes: { ...catalogExclusions, ...mutuallyExclusive('json', 'tree', 'sources'), all: ['folder'] },
  examples: [
    { run: 'logquarry catalog services --profile gis.json --all --tree', about: 'what there is' },
    {
      run: 'logquarry catalog services --profile gis.json --all --sources --out sources.txt',
      about: 'values of "source" for queries and for "logquarry export --source"',
    },
  ],
} as const satisfies CommandSpec;
