import * as v from 'valibot';

const success = v.union([
  v.object({ status: v.literal('success') }),
  v.object({ success: v.union([v.literal(true), v.literal('true')]) }),
]);

/** True if a body reports success, in either of the forms that deployments use. */
export function isSuccess(body: unknown): boolean {
  return v.is(success, body);
}
