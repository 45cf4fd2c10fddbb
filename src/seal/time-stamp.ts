import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { Integer, Null, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  id_eContentType_TSTInfo,
  id_sha256,
  MessageImprint,
  SignedData,
  SignedDataVerifyError,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { SealError } from './seal-error.ts';

/** A request for a time stamp (RFC 3161, section 2.4.1). */
export interface TimeStampRequest {
  /** `TimeStampReq` in DER. */
  readonly der: Uint8Array;
  /** The bytes to stamp. */
  readonly bytes: Uint8Array;
  readonly nonce: Uint8Array;
}

/** A time stamp with a valid signature. */
export interface TimeStamp {
  /** The time of the authority, milliseconds since the epoch. */
  readonly time: number;
  /** The subject of the signing certificate. */
  readonly authority: string;
  /** True if the certificate was valid at that time and issued by a trusted authority. */
  readonly isTrusted: boolean;
}

/** The purpose of certificates of time stamp authorities (RFC 3161, section 2.3). */
const timeStamping = '1.3.6.1.5.5.7.3.8';

/**
 * Makes a request for a time stamp of the SHA-256 of the bytes, with a nonce. It requests the certificate too.
 */
export function timeStampRequest(bytes: Uint8Array): TimeStampRequest {
  const nonce = randomBytes(8);
  // A positive number without a leading zero byte.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: sha256(bytes) }),
    }),
    nonce: new Integer({ valueHex: nonce }),
    certReq: true,
  });
  return { der: new Uint8Array(request.toSchema().toBER(false)), bytes, nonce };
}

/** Checks that a reply grants the time stamp of a request. Throws a `SealError` otherwise. */
export async function checkReply(reply: Uint8Array, { bytes, nonce }: TimeStampRequest): Promise<void> {
  const { info } = await readReply(reply, bytes);
  const its = info.nonce && Buffer.from(info.nonce.valueBlock.valueHexView);
  if (!its?.equals(nonce)) throw refused('it answers another request: the nonce differs');
}

/**
 * Checks the reply of a time stamp authority for some bytes: its imprint, its signature, the purpose of the
 * certificate, and its issuer. `trusted` are certificates in PEM. Throws a `SealError` for any problem except
 * the issuer.
 */
export async function checkTimeStamp(
  reply: Uint8Array,
  bytes: Uint8Array,
  trusted: readonly string[],
): Promise<TimeStamp> {
  const { info, signed, certificate } = await readReply(reply, bytes);
  const time = info.genTime.getTime();
  const trustedCerts = trusted.map((pem) => Certificate.fromBER(new X509Certificate(pem).raw));
  const isTrusted = await verified(signed, { bytes, trustedCerts, checkDate: info.genTime });
  return { time, authority: certificate.subject.replaceAll('\n', ', '), isTrusted };
}

/** Splits a text into its certificates in PEM. Throws a `SealError` if there is none, or an unreadable one. */
export function readCertificates(text: string): readonly string[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const each of found) new X509Certificate(each);
  } catch (error) {
    throw new SealError('BAD_CERTIFICATE', 'A certificate cannot be read', { cause: error });
  }
  if (found.length === 0) throw new SealError('BAD_CERTIFICATE', 'The file holds no certificate in PEM');
  return found;
}

interface Reply {
  readonly info: TSTInfo;
  readonly signed: SignedData;
  /** The signing certificate. */
  readonly certificate: X509Certificate;
}

async function readReply(reply: Uint8Array, bytes: Uint8Array): Promise<Reply> {
  const { info, signed } = parseReply(reply);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const isSame = Buffer.from(hashedMessage.valueBlock.valueHexView).equals(sha256(bytes));
  if (hashAlgorithm.algorithmId !== id_sha256 || !isSame)
    throw refused('it stamps something else: the hash differs');
  const certificate = await signerOf(signed, bytes);
  if (!certificate.keyUsage?.includes(timeStamping))
    throw refused('its certificate is not one for time stamps');
  return { info, signed, certificate };
}

function parseReply(reply: Uint8Array): { readonly info: TSTInfo; readonly signed: SignedData } {
  let response: TimeStampResp;
  try {
    response = TimeStampResp.fromBER(reply);
  } catch (error) {
    throw refused('the reply is not one of the protocol', error);
  }
  const { status, statusStrings } = response.status;
  const said = statusStrings?.map((each) => each.valueBlock.value).join('; ') ?? '';
  if (status !== 0 && status !== 1)
    throw refused(`its status is ${Number(status)}${said === '' ? '' : `: ${said}`}`);
  if (!response.timeStampToken) throw refused('the reply has no time stamp');
  try {
    const signed = new SignedData({ schema: response.timeStampToken.content });
    const { eContentType, eContent } = signed.encapContentInfo;
    if (eContentType !== id_eContentType_TSTInfo || !eContent) throw refused('the reply has no time stamp');
    return { info: TSTInfo.fromBER(eContent.getValue()), signed };
  } catch (error) {
    if (error instanceof SealError) throw error;
    throw refused('the time stamp is malformed', error);
  }
}

/** The signing certificate. Throws if the signature is wrong. */
async function signerOf(signed: SignedData, bytes: Uint8Array): Promise<X509Certificate> {
  try {
    const { signatureVerified, signerCertificate } = await signed.verify({
      ...{ signer: 0, data: bufferOf(bytes), checkChain: false, extendedMode: true },
    });
    if (signatureVerified && signerCertificate)
      return new X509Certificate(Buffer.from(signerCertificate.toSchema().toBER(false)));
  } catch (error) {
    throw refused('its signature is wrong', error);
  }
  throw refused('its signature is wrong');
}

async function verified(
  signed: SignedData,
  {
    bytes,
    ...options
  }: {
    readonly bytes: Uint8Array;
    readonly trustedCerts: Certificate[];
    readonly checkDate: Date;
  },
): Promise<boolean> {
  try {
    return await signed.verify({ ...options, signer: 0, data: bufferOf(bytes), checkChain: true });
  } catch (error) {
    if (error instanceof SignedDataVerifyError) return false;
    throw error;
  }
}

function refused(reason: string, cause?: unknown): SealError {
  return new SealError('TIME_STAMP_REFUSED', `The time stamp does not hold: ${reason}`, { cause });
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
