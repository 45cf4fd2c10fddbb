import * as v from 'valibot';
import { ExactNumber } from '../records/index.ts';

/** The kind and content of a reply to a request for JSON. */
export type ParsedReply =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** A page instead of JSON, with the text of its title or first heading. */
  | { readonly kind: 'html'; readonly title: string }
  /** Anything else, with its first words. */
  | { readonly kind: 'other'; readonly start: string };

/**
 * Parses the text of a reply. Every reply of an operation passes here, because errors have HTTP status 200 too.
 */
export function parseReplyText(text: string, parse: (text: string) => unknown = JSON.parse): ParsedReply {
  const body = jsonOf(text, parse);
  if (body === undefined) {
    return looksLikeHtml(text)
      ? { kind: 'html', title: titleOf(text) }
      : { kind: 'other', start: firstWords(text) };
  }
  const failure = failureOf(body);
  return failure ? { kind: 'failure', failure } : { kind: 'json', body };
}

function jsonOf(text: string, parse: (text: string) => unknown): unknown {
  if (nestsTooDeeply(text)) return undefined;
  try {
    return parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/**
 * Limit of nested levels. Replies have some ten; more than a thousand would overflow the stack of recursive
 * readers.
 */
const deepest = 1000;

function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (deepest < depth) return true;
  }
  return false;
}

/** The end of the quoted text that starts here. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function looksLikeHtml(text: string): boolean {
  return /^\uFEFF?\s*<(!doctype\s+html|html|head|body|!--)/i.test(text.slice(0, 1000));
}

function titleOf(html: string): string {
  const [, text = ''] = /<(?:title|h1)[^>]*>([^<]{1,200})/i.exec(html.slice(0, 100_000)) ?? [];
  return firstWords(text);
}

/** The beginning of a text on one line, without control characters; an ellipsis marks a cut. */
export function firstWords(text: string, longest = 80): string {
  const line = text
    .slice(0, 5 * longest)
    .replace(/[\s\p{Cc}\p{Cf}\uFFFD]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

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

/** The formats of a reply, the default first (section 4.2 of the interface document). */
export const replyFormats = ['html', 'json', 'pjson'] as const;

/** The format of a reply: a page for people, or JSON, plain or indented. */
export type ReplyFormat = (typeof replyFormats)[number];

/** The format that a form requests: `html` by default, undefined for an unknown one. */
export function replyFormatOf(form: URLSearchParams): ReplyFormat | undefined {
  const requested = form.get('f') || 'html';
  return replyFormats.find((format) => format === requested);
}

const success = v.union([
  v.object({ status: v.literal('success') }),
  v.object({ success: v.union([v.literal(true), v.literal('true')]) }),
]);

/** True if a body reports success, in either of the forms that deployments use. */
export function isSuccess(body: unknown): boolean {
  return v.is(success, body);
}

const withMessages = v.object({ messages: v.unknown() });

/** The messages of a reply, also of a success: they may be reservations. Empty without any. */
export function messagesOfReply(body: unknown): readonly string[] {
  if (!v.is(withMessages, body)) return [];
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [body.messages];
  return messages.flatMap((message) => {
    const texts = messageTexts(message);
    // One without a text that is known by its name is shown as it came.
    return 0 < texts.length || !isFilled(message) ? texts : [JSON.stringify(message)];
  });
}

function isFilled(message: unknown): boolean {
  if (typeof message === 'string') return message.trim() !== '';
  return typeof message === 'object' ? 0 < Object.keys(message ?? {}).length : message !== undefined;
}

/** A problem with a message of the interface, described for its sender. A value: never thrown. */
export interface MessageFinding {
  /** The parameter or key that is wrong. */
  readonly parameter: string;
  /** One sentence without a final stop. Never quotes a password or a token. */
  readonly message: string;
}

/**
 * Lenient readers of members in replies: deployments write numbers as texts and texts as numbers, and omit
 * members without a value.
 */

/** A number of a reply in any form in which deployments write one. */
export type Numeric = number | string | ExactNumber;

/**
 * Reads a number, also from a text; undefined if there is no finite one.
 *
 * ```ts
 * lenientNumber(' 12 '); // 12
 * lenientNumber('12 GB'); // undefined
 * ```
 */
export function lenientNumber(value: unknown): number | undefined {
  if (value instanceof ExactNumber) return lenientNumber(Number(value.text));
  if (typeof value === 'string') return isNumeral(value) ? lenientNumber(Number(value)) : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isNumeral(text: string): boolean {
  return /^\s*-?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(text);
}

/** Reads a text, also from a number; undefined if there is none. */
export function lenientText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The largest number of milliseconds since the epoch that is a date. */
const maxTime = 8.64e15;

/**
 * Reads a time, milliseconds since the epoch; undefined if there is none. Deployments write 0 or -1 for a
 * missing time.
 */
export function lenientTime(value: unknown): number | undefined {
  const time = lenientNumber(value);
  return time !== undefined && 0 < time && time <= maxTime ? time : undefined;
}

/** Reads a truth value, also from a text; undefined if there is none. */
export function lenientFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** Optional members of a schema, undefined if they hold another kind of value. */
export const optionalMember = {
  text: v.optional(v.pipe(v.unknown(), v.transform(lenientText))),
  number: v.optional(v.pipe(v.unknown(), v.transform(lenientNumber))),
  time: v.optional(v.pipe(v.unknown(), v.transform(lenientTime))),
  flag: v.optional(v.pipe(v.unknown(), v.transform(lenientFlag))),
} as const;
