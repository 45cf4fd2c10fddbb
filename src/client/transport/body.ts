import { addressWithoutQuery, ClientError } from './client-error.ts';
import { toNetworkError } from './network-error.ts';
import type { Layer } from './transport.ts';

/** Limits of a reply that is not a file. */
export interface ReplyLimits {
  /** The largest job resources, those of an upgrade, hold some 100 kB of messages. */
  readonly bytes: number;
  /** Milliseconds from the beginning of the reply to its end. */
  readonly milliseconds: number;
}

/** 16 MB in a minute. */
export const replyLimits: ReplyLimits = { bytes: 16_000_000, milliseconds: 60_000 };

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The type of a reply that is a zip, after `wholeReplies`, whatever the deployment called it. */
const zipType = 'application/zip';

/**
 * Reads every reply whole before passing it on, except a zip, which stays a stream. A connection that
 * breaks during a reply is then a failure of its request, which outer layers can repeat.
 */
export function wholeReplies(limits: ReplyLimits = replyLimits): Layer {
  return (next) => async (request) => {
    const response = await next(request);
    // Numbers beyond those that HTTP defines reach this line, but no reply can be made with them.
    if (response.status < 200 || 599 < response.status) {
      const said = `"${addressWithoutQuery(request.url)}" answered with the status ${response.status}, which HTTP does not define`;
      throw new ClientError('BAD_REPLY', said);
    }
    const body = response.body && (await readWhole(response.body.getReader(), request, limits));
    const headers = new Headers(response.headers);
    headers.set('content-type', body instanceof ReadableStream ? zipType : 'text/plain');
    return new Response(body, { status: response.status, headers });
  };
}

/** The text of a reply, after `wholeReplies`; undefined where it is a zip. The reply can still be read. */
export async function replyText(response: Response): Promise<string | undefined> {
  return response.headers.get('content-type') === zipType ? undefined : await response.clone().text();
}

async function readWhole(reader: Reader, request: Request, limits: ReplyLimits) {
  const deadline = AbortSignal.timeout(limits.milliseconds);
  const stop = AbortSignal.any([deadline, request.signal]);
  const cancel = () => void reader.cancel().catch(() => {});
  stop.addEventListener('abort', cancel);
  try {
    return await collect(reader, stop, limits.bytes);
  } catch (error) {
    cancel();
    request.signal.throwIfAborted();
    const address = addressWithoutQuery(request.url);
    if (deadline.aborted) {
      throw new ClientError(
        'TIMED_OUT',
        `The answer of "${address}" took longer than ${limits.milliseconds / 1000} s`,
      );
    }
    if (error instanceof TooLong) {
      throw new ClientError(
        'BAD_REPLY',
        `The answer of "${address}" is longer than ${limits.bytes} bytes and is no zip`,
      );
    }
    throw toNetworkError(error, request.url);
  } finally {
    stop.removeEventListener('abort', cancel);
  }
}

class TooLong extends Error {}

async function collect(reader: Reader, stop: AbortSignal, limit: number): Promise<Buffer | ReadableStream> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let zip: boolean | undefined;
  for (;;) {
    // A cancelled reader ends like a complete one.
    const { done, value } = await reader.read();
    stop.throwIfAborted();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    bytes += value.length;
    if (zip === undefined && zipMark <= bytes) zip = isZip(Buffer.concat(chunks));
    if (zip) return streamOf(chunks, reader);
    if (limit < bytes) throw new TooLong();
  }
}

/** Length of the signature at the beginning of a zip, bytes. */
const zipMark = 4;

/** Reports if bytes begin a zip: its first entry, or the directory of an empty one. */
function isZip(start: Buffer): boolean {
  return start.readUInt32BE(0) === 0x504b0304 || start.readUInt32BE(0) === 0x504b0506;
}

function streamOf(start: readonly Uint8Array[], reader: Reader): ReadableStream<Uint8Array> {
  const ahead = [...start];
  return new ReadableStream({
    async pull(controller) {
      const next = ahead.shift();
      if (next) return controller.enqueue(next);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
