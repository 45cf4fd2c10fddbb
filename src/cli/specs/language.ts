import { optionalArguments } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  choiceOption,
  countOptionWithDefault,
  listOption,
  switchOption,
  textOption,
} from '../command-line/option.ts';
import { engineOption, fieldsOption } from './query-options.ts';

const queries = optionalArguments('The queries; "-" reads them from the standard input, one a line');
const file = textOption('FILE', 'Read queries from a file, one a line; "-" is the standard input');

/** Arguments and options of `logquarry check`. */
export const checkSpec = {
  name: 'check',
  summary: 'Say what is wrong with queries before the server does',
  details: [
    'Each finding is drawn under the query, with its code and the edits that resolve it. Nothing is sent anywhere. The exit code is 1 when a query has an error, which the server would refuse.',
  ],
  arguments: { query: queries },
  options: {
    file,
    dialect: choiceOption(
      'DIALECT',
      'What counts as allowed; the deployment documents less (default) than its engine, Lucene, takes',
      ['documented', 'lucene'],
    ),
    engine: engineOption,
    fields: fieldsOption,
    severity: listOption(
      'CODE=LEVEL',
      'Take a finding for an error, a warning or a hint, or turn it off, as unknown-field=error,loose-not=off',
    ),
    json: switchOption('Print JSON: a list with the findings of each query'),
    sarif: switchOption('Print SARIF 2.1.0, which code hosts and editors read'),
  },
  excludes: { json: ['sarif'] },
  examples: [
    { run: `logquarry check 'msg:"timed out" AND logCode:[9000 TO 9999]'`, about: 'check one query' },
    { run: 'logquarry check --file queries.txt', about: 'check every line of a file' },
    { run: 'logquarry check --file queries.txt --sarif > findings.sarif', about: 'check them in a pipeline' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry format`. */
export const formatSpec = {
  name: 'format',
  summary: 'Write queries in the usual layout without changing what they ask for',
  details: [
    'A query that is longer than the width is broken into lines where its operators are; what comes from a file or the standard input stays one query a line. A query with errors is printed as it is, its findings go to the standard error, and the exit code is 1.',
  ],
  arguments: { query: queries },
  options: {
    file,
    explicit: switchOption(
      'Write the form that the server and an ordinary reader read alike; what filters nothing is left out, and said',
    ),
    reading: choiceOption(
      'READING',
      'With "--explicit", what it keeps: what the server selects (default), or what an ordinary reader means',
      ['server', 'ordinary'],
    ),
    fields: fieldsOption,
    width: countOptionWithDefault(100, 'N', 'Break queries that are longer than this', { least: 20 }),
    json: switchOption('Print JSON: a list with each query and how it is written'),
  },
  requires: { reading: 'explicit' },
  examples: [
    { run: `logquarry format 'logLevel:SEVERE   AND(msg:timeout )'`, about: 'write one query' },
    { run: `logquarry format --explicit 'a OR b AND c'`, about: 'write what the server makes of it' },
  ],
} as const satisfies CommandSpec;
