import * as v from 'valibot';

/** A refusal of the deployment. Most have HTTP status 200 and are recognised by their body only. */
export interface Failure {
  /** The deployment's own code, if any: see `failureCodes`. */
  readonly code?: number;
  /** The message of the deployment; may be empty. */
  readonly message: string;
  readonly details: readonly string[];
}

/** Joins texts of a deployment, without the full stops between them. */
export function joinTexts(texts: readonly string[]): string {
  return texts.map((text, at) => (at < texts.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
}

/** The known codes of failures (field notes). */
export const failureCodes = {
  badRequest: 400,
  forbidden: 403,
  notFound: 404,
  invalidToken: 498,
  tokenRequired: 499,
} as const;

/** The shapes of a failure on the wire. */
export type FailureShape = 'error' | 'status error' | 'status failed' | 'success false';

/** Writes the body of a failure in a shape that deployments use. */
export function toFailureBody(failure: Failure, shape: FailureShape = 'error'): object {
  const { code, message, details } = failure;
  const withCode = code === undefined ? {} : { code };
  switch (shape) {
    case 'error':
      return { error: { ...withCode, message, details } };
    case 'status error':
      return { status: 'error', messages: [message, ...details], ...withCode };
    case 'status failed':
      return { status: 'failed', statusMessage: [message, ...details].join('; '), ...withCode };
    case 'success false':
      return { success: false, message, details, ...withCode };
  }
}

const code = v.fallback(
  v.optional(v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.integer())),
  undefined,
);
const failureFields = v.object({
  code,
  message: v.optional(v.unknown()),
  statusMessage: v.optional(v.unknown()),
  messages: v.optional(v.unknown()),
  details: v.optional(v.unknown()),
});
const errorBody = v.object({ error: v.union([v.string(), failureFields]) });
// The states of a job are upper case ("FAILED"), so the exact lower-case values are a refusal.
const statusBody = v.object({ ...failureFields.entries, status: v.picklist(['error', 'failed', 'failure']) });
const successBody = v.object({ ...failureFields.entries, success: v.literal(false) });

/** Reads the failure in a JSON body, in any of its shapes; undefined if the body is none. */
export function failureOf(body: unknown): Failure | undefined {
  const wrapped = v.safeParse(errorBody, body);
  if (wrapped.success) {
    const { error } = wrapped.output;
    return typeof error === 'string' ? { message: error, details: [] } : toFailure(error);
  }
  const plain = v.safeParse(v.union([statusBody, successBody]), body);
  return plain.success ? toFailure(plain.output) : undefined;
}

function toFailure(fields: v.InferOutput<typeof failureFields>): Failure {
  const [message = '', ...details] = [
    ...messageTexts(fields.message),
    ...messageTexts(fields.statusMessage),
    ...messageTexts(fields.messages),
    ...messageTexts(fields.details),
  ];
  return { ...(fields.code !== undefined && { code: fields.code }), message, details };
}

const worded = v.object({ message: v.string() });

/**
 * The texts in a value that should be a list of texts, but may be one text, objects with a `message`, or null.
 */
export function messageTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(messageTexts);
  if (v.is(worded, value)) return messageTexts(value.message);
  return typeof value === 'string' && value.trim() !== '' ? [value] : [];
}
