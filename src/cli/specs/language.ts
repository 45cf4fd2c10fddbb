import { optionalArguments } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  addressOption,
  choiceOption,
  choiceOptionWithDefault,
  countOptionWithDefault,
  listOption,
  repeatedTextOption,
  switchOption,
} from '../command-line/option.ts';
import { engineOption, fieldsOption } from './query-options.ts';

const queries = optionalArguments('Queries; "-" reads them from the standard input, one a line');
const file = repeatedTextOption(
  'FILE',
  'Read queries from a file, one a line: a file, a folder (its .txt files), a pattern such as "queries/**/*.txt", or "-" for the standard input; can be given several times',
);
const fileSyntax =
  'In a file, blank lines and lines that begin with "#" are skipped. A comment "# name: Slow maps" names the query after it. A query that begins with "#" is written "\\#…".';

/** Arguments and options of `logquarry check`. */
export const checkSpec = {
  name: 'check',
  summary: 'Check queries before sending them to the server',
  details: [
    'Each finding is drawn under the query, with its code and fixes. Nothing is sent. The exit code is 1 if a query has an error, which the server would refuse; --fail-on sets another limit.',
    fileSyntax,
    'With --case, a query that selects no log of the case, or few, gets findings: the logs that each part selects alone, similar words, and fields, values and times that the case does not have.',
    'With --fix, safe fixes are applied: a finding has just one, and the query selects the same logs after it, or nothing else can be meant, as with typographic quotes. Files are rewritten, and the changes reported. The fixed queries of arguments and the standard input are printed, and their findings go to the standard error.',
  ],
  arguments: { query: queries },
  options: {
    file,
    dialect: choiceOption(
      'DIALECT',
      'Permitted syntax: what the deployment documents (default), or what its engine Lucene accepts',
      ['documented', 'lucene'],
    ),
    engine: engineOption,
    fields: fieldsOption,
    case: repeatedTextOption(
      'CASE',
      'Also check what the queries select in a case file; can be given several times',
    ),
    severity: listOption(
      'CODE=LEVEL',
      'Severity of a finding: error, warning, hint or off, such as unknown-field=error,loose-not=off',
    ),
    fix: switchOption('Apply safe fixes: rewrite files, print other queries'),
    failOn: choiceOptionWithDefault(
      'error',
      'SEVERITY',
      'Exit with 1 for findings of this severity or above',
      ['error', 'warning', 'hint'],
    ),
    json: switchOption('Print JSON: a list with the findings of each query'),
    sarif: switchOption('Print SARIF 2.1.0, for code hosts and editors'),
    helpUri: addressOption(
      'ADDRESS',
      'Where docs/findings.md is served; SARIF then links each rule to its section',
    ),
  },
  excludes: { json: ['sarif'] },
  requires: { helpUri: 'sarif' },
  examples: [
    { run: `logquarry check 'msg:"timed out" AND logCode:[9000 TO 9999]'`, about: 'check one query' },
    { run: 'logquarry check --file queries.txt', about: 'check every line of a file' },
    {
      run: `logquarry check 'msg:timedout' --case incident.duckdb`,
      about: 'check if it selects logs of a case',
    },
    {
      run: 'logquarry check --file queries --fix',
      about: 'check all files of a folder, and fix what is safe',
    },
    {
      run: 'logquarry check --file "queries/**/*.txt" --fail-on warning --sarif > findings.sarif',
      about: 'check them in a pipeline',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry format`. */
export const formatSpec = {
  name: 'format',
  summary: 'Format queries without changing their meaning',
  details: [
    'A query longer than the width is broken at its operators. Queries of a file or the standard input stay on one line each, and comments stay between them. A query with errors is printed unchanged, its findings go to the standard error, and the exit code is 1.',
  ],
  arguments: { query: queries },
  options: {
    file,
    explicit: switchOption(
      'Write the form that the server and an ordinary reader read alike; parts without effect are left out and reported',
    ),
    reading: choiceOption(
      'READING',
      'Meaning to keep with --explicit: that of the server (default) or of an ordinary reader',
      ['server', 'ordinary'],
    ),
    fields: fieldsOption,
    width: countOptionWithDefault(100, 'N', 'Maximum width of a line', { least: 20 }),
    json: switchOption('Print JSON: a list of the queries and their formatted texts'),
  },
  requires: { reading: 'explicit' },
  examples: [
    { run: `logquarry format 'logLevel:SEVERE   AND(msg:timeout )'`, about: 'format one query' },
    { run: `logquarry format --explicit 'a OR b AND c'`, about: 'make the reading of the server explicit' },
  ],
} as const satisfies CommandSpec;
