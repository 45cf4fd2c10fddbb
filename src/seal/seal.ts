import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
  X509Certificate,
} from 'node:crypto';
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
import * as v from 'valibot';

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
function stampedBytes({ statement, signature }: Seal): Uint8Array {
  const signed = signature ? [Buffer.from(signature.value, 'base64')] : [];
  return Buffer.concat([Buffer.from(statement), ...signed]);
}

/** The facts that a seal states. Counts are those of the case at that time. */
export interface SealStatement {
  /** A case, or a hand-over folder from one. */
  readonly of: 'case' | 'hand-over';
  /** The file name of the case. */
  readonly case: string;
  /** The hash of the last action of the case; absent for a hand-over from a cluster, which has none. */
  readonly head?: string | undefined;
  readonly actions?: number | undefined;
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
  /** The SHA-256 of the manifest of a hand-over. */
  readonly manifest?: string | undefined;
  /** Time of the seal by the clock of its machine: ISO 8601. */
  readonly made: string;
  /** The program and its version. */
  readonly tool: string;
}

/** A signature of the UTF-8 bytes of a statement. */
interface Signature {
  readonly algorithm: 'Ed25519';
  /** The public key: SPKI in DER, as Base64. */
  readonly publicKey: string;
  /** 64 bytes as Base64. */
  readonly value: string;
}

/**
 * A statement with its signature and time stamp. The statement is stored as the exact text that is signed. The
 * time stamp covers it and the bytes of the signature after it.
 */
export interface Seal {
  readonly statement: string;
  readonly signature?: Signature | undefined;
  /** The reply of a time stamp authority (RFC 3161, `TimeStampResp` in DER) as Base64. */
  readonly timeStamp?: string | undefined;
}

const format = 'logquarry-seal';
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'));

const statedByAll = {
  case: v.string(),
  files: count,
  parts: count,
  logs: count,
  unreadable: count,
  manifest: v.optional(hash),
  made: v.pipe(v.string(), v.isoTimestamp()),
  tool: v.string(),
};

const statementShape = v.variant('of', [
  v.object({ of: v.literal('case'), head: hash, actions: count, ...statedByAll }),
  v.object({
    of: v.literal('hand-over'),
    head: v.optional(hash),
    actions: v.optional(count),
    ...statedByAll,
  }),
]);

const sealShape = v.object({
  format: v.literal(format),
  version: v.literal(1),
  statement: v.string(),
  signature: v.optional(
    v.object({
      algorithm: v.literal('Ed25519'),
      publicKey: v.pipe(v.string(), v.base64()),
      value: v.pipe(v.string(), v.base64()),
    }),
  ),
  timeStamp: v.optional(v.pipe(v.string(), v.base64())),
});

/** Writes the text of a seal file: JSON with one member on each line. */
export function writeSeal(seal: Seal): string {
  return `${JSON.stringify({ format, version: 1, ...seal }, undefined, 2)}\n`;
}

/** Reads the text of a seal file. Throws a `SealError` if it is none. */
export function readSeal(text: string): Seal {
  return parsed(sealShape, text, 'The file is no seal');
}

/** Reads the statement of a seal. Throws a `SealError` if it is malformed. */
export function readStatement({ statement }: Seal): SealStatement {
  return parsed(statementShape, statement, 'The statement of the seal is malformed');
}

function parsed<S extends v.GenericSchema>(shape: S, text: string, problem: string): v.InferOutput<S> {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(undefined, 'it is no JSON'), shape), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new SealError('BAD_SEAL', `${problem}: ${path === null ? '' : `"${path}": `}${issue.message}`);
}

/** Codes of failures of seals. They are stable; the text explains each. */
export const sealErrorCodes = {
  BAD_SEAL: 'The file is no seal, or a damaged one',
  BAD_KEY: 'The key is no Ed25519 key in PEM',
  BAD_CERTIFICATE: 'The file holds no certificates in PEM',
  TIME_STAMP_REFUSED: 'The time stamp authority gave no time stamp, or one of something else',
} as const;

/** The stable code of a failure of a seal. */
type SealErrorCode = keyof typeof sealErrorCodes;

/** A failure to make or read a seal. Branch on `code`; show `message`, which explains what to do. */
class SealError extends Error {
  override readonly name = 'SealError';
  readonly code: SealErrorCode;

  constructor(code: SealErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Signs a statement with an Ed25519 key in PEM (PKCS #8). Throws a `SealError` for any other key. */
function signStatement(statement: string, key: string): Signature {
  const secret = readKey(() => createPrivateKey(key));
  const publicKey = createPublicKey(secret).export({ type: 'spki', format: 'der' });
  const value = sign(null, Buffer.from(statement), secret);
  return { algorithm: 'Ed25519', publicKey: publicKey.toString('base64'), value: value.toString('base64') };
}

/** Checks the signature of a seal against the public key that it names. */
function isSigned({ statement }: Seal, { publicKey, value }: Signature): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(statement), key, Buffer.from(value, 'base64'));
  } catch {
    // The key or the signature is malformed.
    return false;
  }
}

/** The fingerprint of the key of a signature: SHA-256 of its SPKI in DER, hexadecimal. */
function fingerprintOf({ publicKey }: Signature): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
}

/**
 * True if a signature has this key: a public key, or the public half of a private one, in PEM. Throws a
 * `SealError` if that is no Ed25519 key.
 */
function isKeyOf({ publicKey }: Signature, pem: string): boolean {
  const key = readKey(() => createPublicKey(pem));
  return key.export({ type: 'spki', format: 'der' }).equals(Buffer.from(publicKey, 'base64'));
}

function readKey(read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    throw new SealError('BAD_KEY', unreadable, { cause: error });
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new SealError(
    'BAD_KEY',
    `The key must be an Ed25519 key, unlike ${key.asymmetricKeyType}; ${advice}`,
  );
}

const advice = '"openssl genpkey -algorithm ed25519 -out seal.key" makes one';
const unreadable = `The key cannot be read: it must be an Ed25519 key in PEM without a passphrase; ${advice}`;

/** A request for a time stamp (RFC 3161, section 2.4.1). */
interface TimeStampRequest {
  /** `TimeStampReq` in DER. */
  readonly der: Uint8Array;
  /** The bytes to stamp. */
  readonly bytes: Uint8Array;
  readonly nonce: Uint8Array;
}

/** A time stamp with a valid signature. */
interface TimeStamp {
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
    for (const certificate of found) new X509Certificate(certificate);
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
  const said = statusStrings?.map((statusString) => statusString.valueBlock.value).join('; ') ?? '';
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
      signer: 0,
      data: bufferOf(bytes),
      checkChain: false,
      extendedMode: true,
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

/** Codes of problems with a seal. They are stable; the text explains each. */
export const sealProblemCodes = {
  SIGNATURE_WRONG: 'The signature is not that of the statement',
  SIGNER_WRONG: 'It is signed with another key than the given one, or not at all',
  TIME_STAMP_WRONG: 'The time stamp is not one of this seal, or its signature is wrong',
  SEALED_OTHERWISE: 'What is sealed differs from what is there',
} as const;

/** A problem with a seal. */
export interface SealProblem {
  readonly code: keyof typeof sealProblemCodes;
  readonly message: string;
}

/** The statement of a seal, and the proofs of it. */
export interface SealCheck {
  readonly statement: SealStatement;
  /** Absent without a signature. */
  readonly signer?: { readonly fingerprint: string; readonly isKnown: boolean };
  /** Absent without a valid time stamp. */
  readonly timeStamp?: TimeStamp;
  readonly problems: readonly SealProblem[];
}

/** Options of the check of a seal. */
export interface SealCheckOptions {
  /**
   * The required key of the signature, in PEM. Default: any key, which proves only that the statement is
   * unaltered.
   */
  readonly publicKey?: string | undefined;
  /** Certificates of trusted authorities, in PEM, that issue to time stamp authorities. */
  readonly trusted: readonly string[];
}

/** Checks the signature and the time stamp of a seal. Rejects with a `SealError` if it cannot be read. */
export async function checkSeal(seal: Seal, { publicKey, trusted }: SealCheckOptions): Promise<SealCheck> {
  const statement = readStatement(seal);
  const { signer, problems } = checkSigner(seal, publicKey);
  if (seal.timeStamp === undefined) return { statement, ...(signer && { signer }), problems };
  try {
    const reply = Buffer.from(seal.timeStamp, 'base64');
    const timeStamp = await checkTimeStamp(reply, stampedBytes(seal), trusted);
    return { statement, ...(signer && { signer }), timeStamp, problems };
  } catch (error) {
    if (!(error instanceof SealError) || error.code !== 'TIME_STAMP_REFUSED') throw error;
    const problem = { code: 'TIME_STAMP_WRONG', message: error.message } as const;
    return { statement, ...(signer && { signer }), problems: [...problems, problem] };
  }
}

function checkSigner(seal: Seal, publicKey: string | undefined): Pick<SealCheck, 'signer' | 'problems'> {
  const { signature } = seal;
  if (!signature) {
    if (publicKey === undefined) return { problems: [] };
    return { problems: [{ code: 'SIGNER_WRONG', message: 'The seal is not signed' }] };
  }
  const isKnown = publicKey !== undefined && isKeyOf(signature, publicKey);
  const fingerprint = fingerprintOf(signature);
  const problems: SealProblem[] = [];
  if (!isSigned(seal, signature))
    problems.push({
      code: 'SIGNATURE_WRONG',
      message: 'The signature is not that of the statement: one of them was altered',
    });
  if (publicKey !== undefined && !isKnown)
    problems.push({
      code: 'SIGNER_WRONG',
      message: `The seal is signed with another key than the given one: its SHA-256 is ${fingerprint}`,
    });
  return { signer: { fingerprint, isKnown }, problems };
}
