import { stampedBytes } from './make-seal.ts';
import type { Seal, SealStatement } from './seal.ts';
import { readStatement } from './seal.ts';
import { SealError } from './seal-error.ts';
import { fingerprintOf, isKeyOf, isSigned } from './signature.ts';
import { checkTimeStamp, type TimeStamp } from './time-stamp.ts';

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
