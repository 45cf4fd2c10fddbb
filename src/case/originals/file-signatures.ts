/**
 * Reports if the first four bytes of a file are those of a zip: a local header, or the directory of
 * an empty zip.
 */
export function isZip(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && (start[2] === 3 || start[2] === 5);
}

/** Reports if the first two bytes of a file are those of gzip. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}
