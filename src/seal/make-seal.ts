import type { Seal, SealStatement } from './seal.ts';
import { signStatement } from './signature.ts';
import { checkReply, timeStampRequest } from './time-stamp.ts';

/** Options of a seal. */
export interface SealOptions {
  /** An Ed25519 key in PEM. Default: not signed. */
  readonly key?: string | undefined;
  /**
   * Sends a request (RFC 3161, DER) to a time stamp authority and returns its reply. Default: no time stamp.
   */
  readonly requestTimeStamp?: ((request: Uint8Array) => Promise<Uint8Array>) | undefined;
}

/** Seals a statement. Rejects with a `SealError`, or with the error of `requestTimeStamp`. */
export async function makeSeal(
  statement: SealStatement,
  { key, requestTimeStamp }: SealOptions,
): Promise<Seal> {
  const text = JSON.stringify(statement);
  const signature = key === undefined ? undefined : signStatement(text, key);
  const seal: Seal = { statement: text, ...(signature && { signature }) };
  if (!requestTimeStamp) return seal;
  const request = timeStampRequest(stampedBytes(seal));
  const reply = await requestTimeStamp(request.der);
  await checkReply(reply, request);
  return { ...seal, timeStamp: Buffer.from(reply).toString('base64') };
}

/** The bytes that a time stamp covers: the statement in UTF-8, followed by those of the signature. */
export function stampedBytes({ statement, signature }: Seal): Uint8Array {
  const signed = signature ? [Buffer.from(signature.value, 'base64')] : [];
  return Buffer.concat([Buffer.from(statement), ...signed]);
}
