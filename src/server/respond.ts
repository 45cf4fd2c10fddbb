import type { Asset } from './assets.ts';

/**
 * Headers of every response. Scripts and styles come from this server alone, nothing is embedded,
 * stored or told to others.
 */
const always = {
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // Without an own referrer, a browser names no origin for a form.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** A file of the page. */
export function assetResponse(
  { bytes, type }: Asset,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(bytes, { headers: { ...always, 'content-type': type, ...headers } });
}

/** A JSON value. Integers that a double does not hold are texts. */
export function jsonResponse(value: unknown, status = 200): Response {
  const headers = { ...always, 'content-type': 'application/json; charset=utf-8' };
  return new Response(toJsonText(value), { status, headers });
}

/** Options of a response of lines. */
interface LinesOptions {
  /** Describes a failure for the last line. */
  readonly failureOf: (error: unknown) => unknown;
  /** Called once, when all is sent or nobody reads on. */
  readonly onEnd: () => void;
}

/** Values as lines of JSON, each sent when it is there. A failure on the way is the last line, as `error`. */
export function linesResponse(values: AsyncIterable<unknown>, { failureOf, onEnd }: LinesOptions): Response {
  async function* lines(): AsyncGenerator<string, void, undefined> {
    try {
      for await (const value of values) yield `${toJsonText({ value })}\n`;
    } catch (error) {
      yield `${toJsonText({ error: failureOf(error) })}\n`;
    }
  }
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
  return textResponse(lines(), { headers, onEnd });
}

/** Options of a response in pieces. */
interface TextOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Called when all is sent, at a failure, or when nobody reads on. */
  readonly onEnd: () => void;
}

/** A text in pieces, for instance a file to download. */
export function textResponse(
  pieces: AsyncIterable<string | Uint8Array>,
  { headers, onEnd }: TextOptions,
): Response {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next().catch((error: unknown) => {
        onEnd();
        throw error;
      });
      if (next.done) onEnd();
      if (next.done) controller.close();
      else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
    },
    async cancel() {
      await iterator.return?.();
      onEnd();
    },
  });
  return new Response(body, { headers: { ...always, ...headers } });
}

function toJsonText(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? 'null';
}
