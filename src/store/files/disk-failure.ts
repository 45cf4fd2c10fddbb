/** Codes of the system for a disk that is full, and for one that is broken or may not be written to. */
const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const broken: ReadonlySet<unknown> = new Set(['EIO', 'EROFS']);

/** Messages for the same of the database, which passes no codes on. They begin with a kind, unlike the texts of others. */
const fullTexts = /^[\w -]+ Error: .*(No space left on device|Disk quota exceeded)/s;
const brokenTexts = /^[\w -]+ Error: .*(Input\/output error|Read-only file system|fsync failed)/s;

/** Kind of failure of a disk that is behind an error, found among its causes; undefined where it is something else. */
export function diskFailureOf(error: unknown): 'full' | 'broken' | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (full.has(code) || fullTexts.test(error.message)) return 'full';
  if (broken.has(code) || brokenTexts.test(error.message)) return 'broken';
  return diskFailureOf(error.cause);
}
