import * as v from 'valibot';
import { about, changes, coverage, pattern, patterns, poorResult } from './analyses.ts';
import { facets, histogram } from './counts.ts';
import { context, log, trace } from './one-log.ts';
import type { AnswerOperation, AsJson, Operation, StreamOperation } from './operation.ts';
import { logs } from './pages.ts';
import { sql } from './sql.ts';

/** Operations that answer with one value. */
const answers = {
  about,
  changes,
  context,
  coverage,
  histogram,
  log,
  logs,
  pattern,
  patterns,
  poorResult,
  trace,
};

/** Operations that answer with a stream of values. */
const streams = { facets, sql };

type ParametersOf<O> = O extends { readonly parameters: infer S extends v.GenericSchema }
  ? v.InferInput<S>
  : never;

/** Parameters and result of each operation that answers with one value. */
export type Answers = {
  readonly [N in keyof typeof answers]: {
    readonly parameters: ParametersOf<(typeof answers)[N]>;
    readonly result: AsJson<Awaited<ReturnType<(typeof answers)[N]['answer']>>>;
  };
};

/** Parameters and line of each operation that answers with a stream. */
export type Streams = {
  readonly [N in keyof typeof streams]: {
    readonly parameters: ParametersOf<(typeof streams)[N]>;
    readonly line: LineOf<ReturnType<(typeof streams)[N]['stream']>>;
  };
};

type LineOf<I> = I extends AsyncIterable<infer R> ? AsJson<R> : never;

function eraseAnswer<S extends v.GenericSchema, R>({ parameters, answer }: AnswerOperation<S, R>): Operation {
  return { parameters, respond: (given, context) => answer(v.parse(parameters, given), context) };
}

function eraseStream<S extends v.GenericSchema, R>({ parameters, stream }: StreamOperation<S, R>): Operation {
  return { parameters, respond: (given, context) => stream(v.parse(parameters, given), context) };
}

/** All operations by name. */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ['about', eraseAnswer(about)],
  ['changes', eraseAnswer(changes)],
  ['context', eraseAnswer(context)],
  ['coverage', eraseAnswer(coverage)],
  ['histogram', eraseAnswer(histogram)],
  ['log', eraseAnswer(log)],
  ['logs', eraseAnswer(logs)],
  ['pattern', eraseAnswer(pattern)],
  ['patterns', eraseAnswer(patterns)],
  ['poorResult', eraseAnswer(poorResult)],
  ['trace', eraseAnswer(trace)],
  ['facets', eraseStream(facets)],
  ['sql', eraseStream(sql)],
]);
