/** Codes of failures of seals. They are stable; the text explains each. */
export const sealErrorCodes = {
  BAD_SEAL: 'The file is no seal, or a damaged one',
  BAD_KEY: 'The key is no Ed25519 key in PEM',
  BAD_CERTIFICATE: 'The file holds no certificates in PEM',
  TIME_STAMP_REFUSED: 'The time stamp authority gave no time stamp, or one of something else',
} as const;

/** The stable code of a failure of a seal. */
export type SealErrorCode = keyof typeof sealErrorCodes;

/** A failure to make or read a seal. Branch on `code`; show `message`, which explains what to do. */
export class SealError extends Error {
  override readonly name = 'SealError';
  readonly code: SealErrorCode;

  constructor(code: SealErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
