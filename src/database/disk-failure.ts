/** System error codes for a full disk, and for one that is broken or read-only. */
const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const broken: ReadonlySet<unknown> = new Set(['EIO', 'EROFS']);

/**
 * Messages of the database for the same failures, which have no codes. They start with an error kind, unlike
 * texts of other origin.
 */
const fullTexts = /^[\w -]+ Error: .*(No space left on device|Disk quota exceeded)/s;
const brokenTexts = /^[\w -]+ Error: .*(Input\/output error|Read-only file system|fsync failed)/s;

/** Returns the kind of disk failure behind an error, found along its causes; undefined for any other error. */
export function diskFailureOf(error: unknown): 'full' | 'broken' | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (full.has(code) || fullTexts.test(error.message)) return 'full';
  if (broken.has(code) || brokenTexts.test(error.message)) return 'broken';
  return diskFailureOf(error.cause);
}
