import { StoreError } from '../../database/index.ts';
import type { OpenFile } from './file-entry.ts';
import { isGzip, isZip } from './file-signatures.ts';
import { type Limits, sizeCheck } from './limits.ts';
import { openRandomAccess } from './random-access.ts';
import { readFully } from './read-fully.ts';
import { type ByteSource, readSource, readStart, sourceLength } from './source.ts';
import { openZip } from './zip.ts';

/**
 * Opens a file. Its first bytes decide if it is a zip; the name counts only if it is empty. Rejects
 * with `TRUNCATED_ZIP`, `BAD_ZIP`, or `TOO_BIG` if nested zips inflate beyond the limits.
 */
export async function openEntries(
  name: string,
  source: ByteSource,
  limits?: Partial<Limits>,
): Promise<OpenFile> {
  const start = await readStart(source, 4);
  if (isZip(start)) return openZip(name, source, sizeCheck(name, await sourceLength(source), limits));
  if (start.length === 0 && /\.zip$/i.test(name))
    throw new StoreError('TRUNCATED_ZIP', `"${name}" is empty: it was not transferred. Get it again`);
  const size = isGzip(start) ? { claim: await gzipClaim(source) } : { bytes: await sourceLength(source) };
  return { entries: [{ number: 0, name, ...size, read: () => readSource(source) }], close: () => undefined };
}

/** Reports if the bytes of a file are its only entry: it is neither a zip nor compressed. */
export async function isBareFile(source: ByteSource): Promise<boolean> {
  const start = await readStart(source, 4);
  return !isZip(start) && !isGzip(start);
}

/** Returns the inflated size of gzip bytes, as claimed by the last four (RFC 1952, section 2.3.1). */
async function gzipClaim(source: ByteSource): Promise<number> {
  await using access = await openRandomAccess(source);
  const end = await readFully(access.read, Math.max(0, access.length - 4), 4);
  const [first = 0, second = 0, third = 0, fourth = 0] = end;
  return first + second * 2 ** 8 + third * 2 ** 16 + fourth * 2 ** 24;
}
