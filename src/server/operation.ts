import * as v from 'valibot';
import type { JsonValue } from '../records/index.ts';
import { type CallContext, readingStream, runReading } from './call-context.ts';
import type { Workspace } from './workspace.ts';

/**
 * An operation of the API. `parameters` are what the page sends, `result` is what it gets: one value, or many in the
 * lines of a stream.
 */
export interface Operation<On extends 'cases' | 'sources', C, T extends OperationTypes> {
  /** Open cases, or the sources of the page. */
  readonly on: On;
  /** Responds to parameters that were not checked yet. */
  readonly respond: (parameters: unknown, context: C) => Promise<unknown> | AsyncIterable<unknown>;
  /** Never set: the page is typed by it. */
  readonly types?: T;
}

/** What the page knows of an operation. */
export interface OperationTypes {
  readonly kind: 'answer' | 'stream' | 'write';
  readonly parameters: unknown;
  readonly result: unknown;
}

/** The types of an operation with a schema. */
export interface TypesOf<K extends OperationTypes['kind'], S extends v.GenericSchema, R> {
  readonly kind: K;
  readonly parameters: v.InferInput<S>;
  readonly result: AsJson<R>;
}

export type OnCases<T extends OperationTypes> = Operation<'cases', CallContext, T>;
export type OnSources<T extends OperationTypes> = Operation<'sources', WorkspaceContext, T>;

/** Context of a call about the sources of the page rather than their logs. */
export interface WorkspaceContext {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/** An operation that reads open cases and answers with one value, whose long texts are cut. */
export function answer<S extends v.GenericSchema, R>(
  schema: S,
  work: (parameters: v.InferOutput<S>, context: CallContext) => Promise<R>,
): OnCases<TypesOf<'answer', S, R>> {
  const { respond } = wholeAnswer(schema, work);
  return { on: 'cases', respond: async (input, context) => cutLongTexts(await respond(input, context)) };
}

/** An operation that reads open cases and answers with one value, whose long texts are whole. */
export function wholeAnswer<S extends v.GenericSchema, R>(
  schema: S,
  work: (parameters: v.InferOutput<S>, context: CallContext) => Promise<R>,
): OnCases<TypesOf<'answer', S, R>> {
  return {
    on: 'cases',
    async respond(input, context) {
      const parameters = v.parse(schema, input);
      return runReading(context, () => work(parameters, context));
    },
  };
}

/** An operation that reads open cases and answers with values as they come. */
export function stream<S extends v.GenericSchema, R>(
  schema: S,
  work: (parameters: v.InferOutput<S>, context: CallContext) => AsyncIterable<R>,
): OnCases<TypesOf<'stream', S, R>> {
  return {
    on: 'cases',
    respond(input, context) {
      const parameters = v.parse(schema, input);
      return readingStream(context, () => work(parameters, context));
    },
  };
}

/** What comes of an operation that takes long: how far it is, at last its result. */
export type Progressing<P, R> =
  | { readonly kind: 'progress'; readonly progress: P }
  | { readonly kind: 'result'; readonly result: R };

/**
 * An operation that reads open cases and answers with one value, and before with how far it is. Of the progress that
 * comes faster than it is sent the latest is sent. Long texts are cut.
 */
export function progressAnswer<S extends v.GenericSchema, P, R>(
  schema: S,
  work: (parameters: v.InferOutput<S>, context: CallContext, report: (progress: P) => void) => Promise<R>,
): OnCases<TypesOf<'stream', S, Progressing<P, R>>> {
  return {
    on: 'cases',
    respond(input, context) {
      const parameters = v.parse(schema, input);
      return readingStream(context, () => withProgress<P, R>((report) => work(parameters, context, report)));
    },
  };
}

async function* withProgress<P, R>(
  work: (report: (progress: P) => void) => Promise<R>,
): AsyncGenerator<unknown, void, undefined> {
  const latest: P[] = [];
  let isDone = false;
  let wake = () => {};
  const working = work((progress) => {
    latest[0] = progress;
    wake();
  });
  const end = () => {
    isDone = true;
    wake();
  };
  // A failure is thrown where the result is asked for.
  working.then(end, end);
  for (;;) {
    for (const progress of latest.splice(0)) yield { kind: 'progress', progress: cutLongTexts(progress) };
    if (isDone) break;
    if (latest.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield { kind: 'result', result: cutLongTexts(await working) };
}

/** An operation that writes to a case, and answers with one value. It takes the lock itself. */
export function write<S extends v.GenericSchema, R>(
  schema: S,
  work: (parameters: v.InferOutput<S>, context: CallContext) => Promise<R>,
): OnCases<TypesOf<'write', S, R>> {
  return { on: 'cases', respond: async (input, context) => work(v.parse(schema, input), context) };
}

/** An operation on the sources of the page that answers with one value. */
export function sourceAnswer<S extends v.GenericSchema, R>(
  schema: S,
  work: (parameters: v.InferOutput<S>, context: WorkspaceContext) => Promise<R>,
): OnSources<TypesOf<'answer', S, R>> {
  return { on: 'sources', respond: async (input, context) => work(v.parse(schema, input), context) };
}

/** An operation on the sources of the page that answers with values as they come. */
export function sourceStream<S extends v.GenericSchema, R>(
  schema: S,
  work: (parameters: v.InferOutput<S>, context: WorkspaceContext) => AsyncIterable<R>,
): OnSources<TypesOf<'stream', S, R>> {
  return { on: 'sources', respond: (input, context) => work(v.parse(schema, input), context) };
}

/** A value as it arrives in the page: integers beyond 2^53 are texts. */
export type AsJson<T> = [T] extends [JsonValue]
  ? T
  : T extends bigint
    ? string
    : T extends object
      ? { readonly [K in keyof T]: AsJson<T[K]> }
      : T;

/** Returns an answer whose long texts are cut. Queries that are too long are left out. */
export function cutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') return longest < value.length ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) return value.map(cutLongTexts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, member]) => !isLongQuery(name, member));
  return Object.fromEntries(entries.map(([name, member]) => [name, cutLongTexts(member)]));
}

function isLongQuery(name: string, value: unknown): boolean {
  return used.has(name) && typeof value === 'string' && longest < value.length;
}

/** Longest text of an answer, in UTF-16 units. A megabyte in each bucket of a histogram is more than a browser takes. */
const longest = 10_000;

/** Members whose text is used, not shown: the beginning of a query is another query. */
const used: ReadonlySet<string> = new Set(['query', 'sql']);
