import * as v from 'valibot';
import { SealError } from './seal-error.ts';

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
export interface Signature {
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
  ...{ files: count, parts: count, logs: count, unreadable: count },
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
