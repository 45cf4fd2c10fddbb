import * as v from 'valibot';
import type { JsonValue } from '../../records/index.ts';
import type { CallContext } from './opened.ts';
import type { Workspace } from './workspace.ts';

/** An operation of the API that answers with one value; on open cases unless another context is named. */
export interface AnswerOperation<S extends v.GenericSchema, R, C = CallContext> {
  readonly parameters: S;
  readonly answer: (parameters: v.InferOutput<S>, context: C) => Promise<R>;
}

/** An operation of the API that answers with a stream of values, each a line. */
export interface StreamOperation<S extends v.GenericSchema, R, C = CallContext> {
  readonly parameters: S;
  readonly stream: (parameters: v.InferOutput<S>, context: C) => AsyncIterable<R>;
}

/** An operation of the API that writes to a case, and answers with one value. It waits for its turn itself. */
export interface WriteOperation<S extends v.GenericSchema, R> {
  readonly parameters: S;
  readonly write: (parameters: v.InferOutput<S>, context: CallContext) => Promise<R>;
}

/** Any operation, with its types erased, for the server. */
export interface PageOperation<C = CallContext> {
  readonly parameters: v.GenericSchema;
  readonly respond: (parameters: unknown, context: C) => Promise<unknown> | AsyncIterable<unknown>;
}

/** Context of a call about the sources of the page rather than their logs. */
export interface WorkspaceContext {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

/** Erases the types of an operation on the sources of the page with one answer. */
export function eraseSourceAnswer<S extends v.GenericSchema, R>({
  parameters,
  answer,
}: AnswerOperation<S, R, WorkspaceContext>): PageOperation<WorkspaceContext> {
  return { parameters, respond: (given, context) => answer(v.parse(parameters, given), context) };
}

/** Erases the types of an operation on the sources of the page with a stream. */
export function eraseSourceStream<S extends v.GenericSchema, R>({
  parameters,
  stream,
}: StreamOperation<S, R, WorkspaceContext>): PageOperation<WorkspaceContext> {
  return { parameters, respond: (given, context) => stream(v.parse(parameters, given), context) };
}

/** A value as it arrives in the page: integers beyond 2^53 are texts. */
export type AsJson<T> = [T] extends [JsonValue]
  ? T
  : T extends bigint
    ? string
    : T extends object
      ? { readonly [K in keyof T]: AsJson<T[K]> }
      : T;
