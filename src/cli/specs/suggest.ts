import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { integerListOption } from '../command-line/filter-option.ts';
import { switchOption } from '../command-line/option.ts';

/** Arguments and options of `logquarry suggest`. */
export const suggestSpec = {
  name: 'suggest',
  summary: 'Suggest a query from examples of logs',
  details: [
    'Prints the shortest query in the language of the deployment that selects all logs of --like and none of --unlike, and how many logs of the case it selects. It asks for codes, levels, sources, words and phrases, never for times and ids of requests.',
    'Logs that no query tells apart are named, and the exit code is 1; the query is for the others then.',
  ],
  arguments: {
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    like: integerListOption('IDS', 'Ids of logs to select, separated by commas, as tables show them'),
    unlike: integerListOption('IDS', 'Ids of logs not to select'),
    json: switchOption('Print JSON'),
  },
  examples: [
    { run: 'logquarry suggest incident.duckdb --like 170,200', about: 'what these have in common' },
    {
      run: 'logquarry suggest incident.duckdb --like 141 --unlike 105,3',
      about: 'what makes it different',
    },
  ],
} as const satisfies CommandSpec;
