import type * as v from 'valibot';
import type { JsonValue } from '../../store/index.ts';
import type { CallContext } from './opened.ts';

/** An operation of the API that answers with one value. */
export interface AnswerOperation<S extends v.GenericSchema, R> {
  readonly parameters: S;
  readonly answer: (parameters: v.InferOutput<S>, context: CallContext) => Promise<R>;
}

/** An operation of the API that answers with a stream of values, each a line. */
export interface StreamOperation<S extends v.GenericSchema, R> {
  readonly parameters: S;
  readonly stream: (parameters: v.InferOutput<S>, context: CallContext) => AsyncIterable<R>;
}

/** An operation of the API that writes to a case, and answers with one value. It waits for its turn itself. */
export interface WriteOperation<S extends v.GenericSchema, R> {
  readonly parameters: S;
  readonly write: (parameters: v.InferOutput<S>, context: CallContext) => Promise<R>;
}

/** Any operation, with its types erased, for the server. */
export interface Operation {
  readonly parameters: v.GenericSchema;
  readonly respond: (parameters: unknown, context: CallContext) => Promise<unknown> | AsyncIterable<unknown>;
}

/** A refusal that the page shows: a query with errors, SQL that cannot run. */
export class Refusal extends Error {
  /** HTTP status of the answer. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** A value as it arrives in the page: integers beyond 2^53 are texts. */
export type AsJson<T> = [T] extends [JsonValue]
  ? T
  : T extends bigint
    ? string
    : T extends object
      ? { readonly [K in keyof T]: AsJson<T[K]> }
      : T;
