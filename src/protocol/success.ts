import * as v from 'valibot';

const success = v.union([
  v.object({ status: v.literal('success') }),
  v.object({ success: v.union([v.literal(true), v.literal('true')]) }),
]);

/** True if a body says that an operation succeeded, in either of the words that deployments have for it. */
export function isSuccess(body: unknown): boolean {
  return v.is(success, body);
}
