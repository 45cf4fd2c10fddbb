import type * as v from 'valibot';
import {
  about,
  changes,
  coverage,
  investigate,
  pattern,
  patterns,
  poorResult,
  services,
} from './analyses.ts';
import { facets, histogram } from './counts.ts';
import { context, log, trace } from './one-log.ts';
import { type AsJson, eraseAnswer, eraseStream, type Operation, type WorkspaceContext } from './operation.ts';
import { logs } from './pages.ts';
import { exportStatus, offers, open, startExport, stopExport } from './sources.ts';
import { sql } from './sql.ts';

/** Operations that answer with one value. */
const answers = {
  about,
  changes,
  context,
  coverage,
  exportStatus,
  histogram,
  log,
  logs,
  offers,
  pattern,
  patterns,
  investigate,
  poorResult,
  services,
  startExport,
  stopExport,
  trace,
};

/** Operations that answer with a stream of values. */
const streams = { facets, open, sql };

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

/** Operations on open cases by name. */
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
  ['investigate', eraseAnswer(investigate)],
  ['services', eraseAnswer(services)],
  ['trace', eraseAnswer(trace)],
  ['facets', eraseStream(facets)],
  ['sql', eraseStream(sql)],
]);

/** Operations on the sources of the page by name: they need no open case. */
export const sourceOperations: ReadonlyMap<string, Operation<WorkspaceContext>> = new Map([
  ['exportStatus', eraseAnswer(exportStatus)],
  ['offers', eraseAnswer(offers)],
  ['open', eraseStream(open)],
  ['startExport', eraseAnswer(startExport)],
  ['stopExport', eraseAnswer(stopExport)],
]);
