import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import {
  choiceOption,
  countOption,
  countOptionWithDefault,
  switchOption,
  textOption,
} from '../command-line/option.ts';
import { engineOption, fieldsOption } from './query-options.ts';

const query = requiredArgument('The query');

/** Arguments and options of `logquarry explain`. */
export const explainSpec = {
  name: 'explain',
  summary: 'Say in plain words what a query asks for, or why it selects a log or not',
  details: [
    'Shows each part of the query as the server takes it: required, excluded, one of several, or filtering nothing. Where the ordinary reading of AND, OR and NOT would select other logs, an example log tells the two apart.',
    'With a log, each part is marked as matching or not. The exit code is 1 when the log is not selected, or the query has errors.',
  ],
  arguments: { query },
  options: {
    log: textOption('FILE', 'JSON file with one log; "-" reads the standard input'),
    case: textOption('CASE', 'Case file that holds the log; goes with "--id"'),
    id: countOption('ID', 'The log of the case, by the id that "search --json" shows', { least: 1 }),
    engine: engineOption,
    fields: fieldsOption,
    json: switchOption('Print JSON'),
  },
  excludes: { log: ['case', 'id'] },
  requires: { case: 'id', id: 'case' },
  examples: [
    { run: `logquarry explain 'logLevel:SEVERE OR msg:timeout AND logCode:9003'`, about: 'what it asks for' },
    {
      run: `logquarry explain 'msg:timeout' --case incident.duckdb --id 17`,
      about: 'why it selects a log or not',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry compare`. */
export const compareSpec = {
  name: 'compare',
  summary: 'Say whether two queries select the same logs',
  details: [
    'Decided for all possible logs, not tried on some. Where the queries differ, a smallest example log is shown that one of them selects and the other does not. The exit code is 0 when they select the same logs, and 1 when they differ or it could not be decided.',
  ],
  arguments: { a: requiredArgument('The first query'), b: requiredArgument('The second query') },
  options: {
    reading: choiceOption(
      'READING',
      'How AND, OR and NOT are read; the server knows no precedence (default)',
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
  summary: 'Write a query in another language',
  details: [
    'What the other language cannot say is reported on the standard error, and the exit code is then 1. The text form is the one on which the server and an ordinary reader agree.',
    'Query DSL for Elasticsearch keeps boosts, and dates as "now-1d/d" as they are written. The SQL for DuckDB runs as it is on a case, with "logquarry sql" too.',
  ],
  arguments: { query },
  options: {
    to: choiceOption('TARGET', 'The language', ['elasticsearch', 'duckdb', 'text']),
    engine: engineOption,
    fields: fieldsOption,
    json: switchOption('Print JSON, with what could not be said'),
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
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry complete`. */
export const completeSpec = {
  name: 'complete',
  summary: 'Say what can stand at a place of a query: fields, operators, values of a case',
  details: [
    'Any query will do, unfinished ones above all. What begins with what is written comes first, then what has it inside. Each suggestion is shown as it would be written, quoted and escaped where it has to be.',
    'Known values of a field come in their order; those of a case with the most frequent first.',
  ],
  arguments: { query },
  options: {
    at: countOption('N', 'The place: so many UTF-16 units are in front of it; the end unless given', {
      least: 0,
    }),
    case: textOption('CASE', 'Case file whose values are offered'),
    sources: textOption(
      'FILE',
      'File with values for "source", one a line, as "catalog services --sources" prints them',
    ),
    dialect: choiceOption('DIALECT', 'What counts as allowed', ['documented', 'lucene']),
    fields: fieldsOption,
    limit: countOptionWithDefault(20, 'N', 'Show at most this many suggestions', { least: 1 }),
    json: switchOption('Print JSON: the span that each suggestion takes the place of, and the suggestions'),
  },
  examples: [
    { run: `logquarry complete 'logLevel:SEVERE AND so'`, about: 'which field was meant' },
    {
      run: `logquarry complete 'source:' --case incident.duckdb`,
      about: 'what logged, the most frequent first',
    },
    {
      run: `logquarry complete 'logLevel:se AND msg:timeout' --at 11 --json`,
      about: 'in the middle of a query, for a program',
    },
  ],
} as const satisfies CommandSpec;
