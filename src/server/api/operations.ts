import * as v from 'valibot';
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
import { detections } from './detections.ts';
import { cutLongTexts } from './long-texts.ts';
import { addNote, changeNote, notes, removeNote, removeSearch, saveSearch, searches } from './notes.ts';
import { context, log, trace } from './one-log.ts';
import {
  type AnswerOperation,
  type AsJson,
  eraseSourceAnswer,
  eraseSourceStream,
  type PageOperation,
  type StreamOperation,
  type WorkspaceContext,
  type WriteOperation,
} from './operation.ts';
import { logs } from './pages.ts';
import { readingStream, runReading } from './reading.ts';
import { exportStatus, offers, open, startExport, stopExport } from './sources.ts';
import { sql } from './sql.ts';

/** Operations that answer with one value. */
const answers = {
  about,
  changes,
  context,
  coverage,
  detections,
  exportStatus,
  histogram,
  log,
  logs,
  notes,
  offers,
  pattern,
  patterns,
  investigate,
  poorResult,
  searches,
  services,
  startExport,
  stopExport,
  trace,
};

/** Operations that write to a case. */
const writes = { addNote, changeNote, removeNote, removeSearch, saveSearch };

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

/** Parameters and result of each operation that writes. */
export type Writes = {
  readonly [N in keyof typeof writes]: {
    readonly parameters: ParametersOf<(typeof writes)[N]>;
    readonly result: AsJson<Awaited<ReturnType<(typeof writes)[N]['write']>>>;
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

function eraseAnswer<S extends v.GenericSchema, R>(operation: AnswerOperation<S, R>): PageOperation {
  const { parameters, respond } = eraseWholeAnswer(operation);
  return { parameters, respond: async (given, context) => cutLongTexts(await respond(given, context)) };
}

/** Erases the types of an operation whose long texts are shown whole. */
function eraseWholeAnswer<S extends v.GenericSchema, R>({
  parameters,
  answer,
}: AnswerOperation<S, R>): PageOperation {
  return {
    parameters,
    async respond(given, context) {
      const asked = v.parse(parameters, given);
      return runReading(context, () => answer(asked, context));
    },
  };
}

function eraseStream<S extends v.GenericSchema, R>({
  parameters,
  stream,
}: StreamOperation<S, R>): PageOperation {
  return {
    parameters,
    respond(given, context) {
      const asked = v.parse(parameters, given);
      return readingStream(context, () => stream(asked, context));
    },
  };
}

function eraseWrite<S extends v.GenericSchema, R>({
  parameters,
  write,
}: WriteOperation<S, R>): PageOperation {
  return {
    parameters,
    respond: async (given, context) => write(v.parse(parameters, given), context),
  };
}

/** Operations on open cases by name. */
export const operations: ReadonlyMap<string, PageOperation> = new Map([
  ['about', eraseAnswer(about)],
  ['changes', eraseAnswer(changes)],
  ['context', eraseAnswer(context)],
  ['coverage', eraseAnswer(coverage)],
  ['detections', eraseAnswer(detections)],
  ['histogram', eraseAnswer(histogram)],
  ['log', eraseWholeAnswer(log)],
  ['logs', eraseAnswer(logs)],
  ['notes', eraseAnswer(notes)],
  ['pattern', eraseAnswer(pattern)],
  ['patterns', eraseAnswer(patterns)],
  ['poorResult', eraseAnswer(poorResult)],
  ['investigate', eraseAnswer(investigate)],
  ['searches', eraseAnswer(searches)],
  ['services', eraseAnswer(services)],
  ['trace', eraseAnswer(trace)],
  ['facets', eraseStream(facets)],
  ['sql', eraseStream(sql)],
  ['addNote', eraseWrite(addNote)],
  ['changeNote', eraseWrite(changeNote)],
  ['removeNote', eraseWrite(removeNote)],
  ['saveSearch', eraseWrite(saveSearch)],
  ['removeSearch', eraseWrite(removeSearch)],
]);

/** Operations on the sources of the page by name: they need no open case. */
export const sourceOperations: ReadonlyMap<string, PageOperation<WorkspaceContext>> = new Map([
  ['exportStatus', eraseSourceAnswer(exportStatus)],
  ['offers', eraseSourceAnswer(offers)],
  ['open', eraseSourceStream(open)],
  ['startExport', eraseSourceAnswer(startExport)],
  ['stopExport', eraseSourceAnswer(stopExport)],
]);
