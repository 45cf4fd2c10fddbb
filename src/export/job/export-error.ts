/** Failures of an export that are not failures of a call. The codes are stable. */
export const exportErrorCodes = {
  STILL_RUNNING: 'The job has not ended in the time allowed; it goes on',
  NOTHING_TO_RESUME: 'The case holds no export that is not finished',
  DAMAGED_ZIP: 'The zip cannot be read, however often it is downloaded',
  INCOMPLETE_REPLY: 'A reply lacks logs that are known to be there',
  WINDOW_IGNORED: 'The deployment returns logs of other times than were asked for',
  PROBE_FAILED: 'A call that was to find out something brought nothing',
} as const;

export type ExportErrorCode = keyof typeof exportErrorCodes;

/** An export failed. Branch on `code`, which is stable; show `message`, which is not. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly code: ExportErrorCode;

  constructor(code: ExportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
