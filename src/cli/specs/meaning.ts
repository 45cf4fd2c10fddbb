import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  choiceOption,
  countOption,
  rowLimitOption,
  switchOption,
  textOption,
} from '../command-line/option.ts';
import { engineOption, fieldsOption } from './query-options.ts';

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
    id: countOption('ID', 'Id of the log in the case, as shown by "search --json"', { least: 1 }),
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
    'The decision holds for all possible logs. If the queries differ, shows a minimal example log that only one of them selects. The exit code is 0 if they select the same logs, and 1 if they differ or the question was not decided.',
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
      least: 0,
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
