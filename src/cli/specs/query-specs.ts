import { optionalArguments, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  addressOption,
  choiceOption,
  choiceOptionWithDefault,
  countOption,
  countOptionWithDefault,
  listOption,
  repeatedTextOption,
  rowLimitOption,
  switchOption,
  textOption,
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
    width: countOptionWithDefault(100, 'N', 'Maximum width of a line', { min: 20 }),
    json: switchOption('Print JSON: a list of the queries and their formatted texts'),
  },
  requires: { reading: 'explicit' },
  examples: [
    { run: `logquarry format 'logLevel:SEVERE   AND(msg:timeout )'`, about: 'format one query' },
    { run: `logquarry format --explicit 'a OR b AND c'`, about: 'make the reading of the server explicit' },
  ],
} as const satisfies CommandSpec;

const query = requiredArgument('The query');

/** Arguments and options of `logquarry explain`. */
export const explainSpec = {
  name: 'explain',
  summary: 'Explain a query in plain words, or why it matches a log or not',
  details: [
    'Shows each part of the query as the server reads it: required, excluded, alternative, or without effect. If the ordinary reading of AND, OR and NOT would select other logs, shows an example log.',
    'With a log, each part is marked as matching or not. The exit code is 1 if the log does not match or the query has errors.',
  ],
  arguments: { query },
  options: {
    log: textOption('FILE', 'JSON file with one log; "-" reads the standard input'),
    case: textOption('CASE', 'Case file or cluster with the log; requires --id'),
    id: countOption('ID', 'Id of the log in the case, as shown by "search --json"', { min: 1 }),
    engine: engineOption,
    fields: fieldsOption,
    json: switchOption('Print JSON'),
  },
  excludes: { log: ['case', 'id'] },
  requires: { case: 'id', id: 'case' },
  examples: [
    { run: `logquarry explain 'logLevel:SEVERE OR msg:timeout AND logCode:9003'`, about: 'explain a query' },
    {
      run: `logquarry explain 'msg:timeout' --case incident.duckdb --id 17`,
      about: 'why it matches a log or not',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry compare`. */
export const compareSpec = {
  name: 'compare',
  summary: 'Decide if two queries select the same logs',
  details: [
    'The decision holds for all possible logs. If the queries differ, says how: one selects all logs of the other, both have logs in common, or none. A minimal example log shows each part. The exit code is 0 if they select the same logs, and 1 if they differ or the question was not decided.',
  ],
  arguments: { a: requiredArgument('The first query'), b: requiredArgument('The second query') },
  options: {
    reading: choiceOption(
      'READING',
      'Reading of AND, OR and NOT: that of the server, without precedence (default), or the ordinary one',
      ['server', 'ordinary'],
    ),
    engine: engineOption,
    fields: fieldsOption,
    json: switchOption('Print JSON'),
  },
  examples: [{ run: `logquarry compare 'a OR b AND c' 'b AND c'`, about: 'the server reads them alike' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry translate`. */
export const translateSpec = {
  name: 'translate',
  summary: 'Translate a query into another language',
  details: [
    'Parts without an exact translation are reported on the standard error, and the exit code is 1. The text form is read alike by the server and an ordinary reader.',
    'Query DSL for Elasticsearch keeps boosts, and dates such as "now-1d/d" as written. The SQL for DuckDB runs unchanged on a case, also with "logquarry sql"; that for ClickHouse runs in clickhouse-client on a cluster, with its values as parameters.',
  ],
  arguments: { query },
  options: {
    to: choiceOption('TARGET', 'Target language', ['elasticsearch', 'duckdb', 'clickhouse', 'text']),
    engine: engineOption,
    fields: fieldsOption,
    json: switchOption('Print JSON, with the parts lost in translation'),
  },
  examples: [
    {
      run: `logquarry translate 'msg:"timed out" AND NOT logLevel:FINE' --to elasticsearch`,
      about: 'Query DSL',
    },
    {
      run: `logquarry translate 'msg:"timed out"' --to duckdb`,
      about: 'SQL that "logquarry sql" runs on a case',
    },
    {
      run: `logquarry translate 'msg:"timed out"' --to clickhouse`,
      about: 'SQL and parameters for clickhouse-client',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry complete`. */
export const completeSpec = {
  name: 'complete',
  summary: 'Suggest completions at a position of a query: fields, operators, values',
  details: [
    'Works for any query, also an unfinished one. Suggestions that begin with the written text come first, then those that contain it. Each suggestion is quoted and escaped as required.',
    'Known values of a field keep their order; values of a case are sorted by frequency.',
  ],
  arguments: { query },
  options: {
    at: countOption('N', 'Position in the query, in UTF-16 units (default: its end)', {
      min: 0,
    }),
    case: textOption('CASE', 'Case file or cluster with values to suggest'),
    sources: textOption(
      'FILE',
      'File with values of "source", one a line, as printed by "catalog services --sources"',
    ),
    dialect: choiceOption('DIALECT', 'Permitted syntax', ['documented', 'lucene']),
    fields: fieldsOption,
    limit: rowLimitOption(20, 'suggestions'),
    json: switchOption('Print JSON: the span to replace, and the suggestions'),
  },
  examples: [
    { run: `logquarry complete 'logLevel:SEVERE AND so'`, about: 'complete a field' },
    {
      run: `logquarry complete 'source:' --case incident.duckdb`,
      about: 'values of a case, most frequent first',
    },
    {
      run: `logquarry complete 'logLevel:se AND msg:timeout' --at 11 --json`,
      about: 'in the middle of a query, for a program',
    },
  ],
} as const satisfies CommandSpec;
