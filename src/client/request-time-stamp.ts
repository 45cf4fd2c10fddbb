import { addressWithoutQuery, ClientError } from './errors.ts';
import { replyLimits, type Transport, wholeReplies, withLayers } from './transport.ts';

/** The request for a time stamp. */
export interface TimeStampCall {
  /** The address of the authority. */
  readonly url: string;
  /** `TimeStampReq` in DER. */
  readonly request: Uint8Array;
  readonly send: Transport;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests a time stamp over HTTP (RFC 3161, section 3.4) and returns the bytes of the reply, unchecked.
 * Rejects with a `ClientError`.
 *
 * ```ts
 * await using network = openNetwork();
 * const stamp = (request: Uint8Array) =>
 *   requestTimeStamp({ url: 'http://tsa.example.com', request, send: network.send });
 * ```
 */
export async function requestTimeStamp({ url, request, send, signal }: TimeStampCall): Promise<Uint8Array> {
  const response = await withLayers(
    send,
    wholeReplies({ ...replyLimits, bytes: largestReply }),
  )(
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: new Uint8Array(request),
      ...(signal && { signal }),
    }),
  );
  if (response.status !== 200)
    throw new ClientError(
      'REFUSED',
      `"${addressWithoutQuery(url)}" answered with the status ${response.status} instead of a time stamp`,
    );
  return new Uint8Array(await response.arrayBuffer());
}

/** Bytes: a reply with a chain of certificates has some 10 kB. */
const largestReply = 1_000_000;
