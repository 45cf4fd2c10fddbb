import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { rowLimitOption, switchOption, textOption } from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';
import { logFilterOptions } from './log-filters.ts';
import { engineOption } from './query-options.ts';

const caseArgument = requiredArgument('Case file, for instance incident.duckdb');
const nameArgument = requiredArgument('Name of the search');
const author = textOption('NAME', 'Author (default: the user of this computer)');
const { from, to } = logFilterOptions;

/** Arguments and options of `logquarry saved add`. */
export const savedAddSpec = {
  name: 'saved add',
  summary: 'Save a search in a case under a name',
  details: [
    'The case keeps the query and its times with author and time in the record of actions, a chain of hashes. A search of the same name is replaced. The page of "logquarry ui" opens it.',
  ],
  arguments: {
    case: caseArgument,
    name: nameArgument,
    query: requiredArgument('Query in the search language'),
  },
  options: { from, to, author, engine: engineOption, json: switchOption('Print JSON') },
  examples: [
    {
      run: `logquarry saved add incident.duckdb timeouts 'msg:"timed out"' --from 2025-03-12`,
      about: 'a query from a day on',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry saved list`. */
export const savedListSpec = {
  name: 'saved list',
  summary: 'List the saved searches of a case',
  details: ['Removed and replaced ones are left out; "logquarry sql" shows them in the view actions.'],
  arguments: { case: caseArgument },
  options: { limit: rowLimitOption(50, 'searches'), zone: zoneOption, ...countFormatOptions },
  excludes: countFormatExclusions,
  examples: [{ run: 'logquarry saved list incident.duckdb', about: 'names and queries' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry saved remove`. */
export const savedRemoveSpec = {
  name: 'saved remove',
  summary: 'Remove a saved search from the list',
  details: ['The removal is a new action; the record of actions keeps the search.'],
  arguments: { case: caseArgument, name: nameArgument },
  options: { author, json: switchOption('Print JSON') },
  examples: [
    { run: 'logquarry saved remove incident.duckdb timeouts', about: 'a search of no use any more' },
  ],
} as const satisfies CommandSpec;
