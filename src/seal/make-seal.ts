import type { Seal, SealStatement } from './seal.ts';
import { signStatement } from './signature.ts';
import { checkReply, timeStampRequest } from './time-stamp.ts';

/** With what a statement is sealed. */
export interface SealOptions {
  /** An Ed25519 key in PEM. Default: not signed. */
  readonly key?: string | undefined;
  /** Sends a request (RFC 3161, DER) to a time stamp authority, and gives back its reply. Default: no time stamp. */
  readonly requestTimeStamp?: ((request: Uint8Array) => Promise<Uint8Array>) | undefined;
}

/** Seals a statement. Rejects with a `SealError`, or with what `requestTimeStamp` rejects with. */
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

/** The bytes that a time stamp covers: the statement in UTF-8, and behind it those of the signature. */
export function stampedBytes({ statement, signature }: Seal): Uint8Array {
  const signed = signature ? [Buffer.from(signature.value, 'base64')] : [];
  return Buffer.concat([Buffer.from(statement), ...signed]);
}
