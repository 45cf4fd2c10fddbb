import { isGzip, isZip } from './file-signatures.ts';
import { compressMember, memberLength } from './gzip-member.ts';

/** Writes the copy of an original, compressed if that saves room. */
export interface CopyWriter {
  /** Appends bytes of the original, which must not change until it resolves. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Writes the rest; resolves with whether the copy is compressed. */
  readonly finish: () => Promise<boolean>;
}

/** Bytes from which a file is compressed: a shorter one takes a block of the disk in either form. */
const minLength = 4096 + 1;

/** Maximum share of its length that the start of a file may take compressed; images and archives take nearly all. */
const maxShare = 0.8;

/** Members that are compressed side by side: as many threads as leave others to files and the database. */
const maxConcurrent = 2;

const noBytes = new Uint8Array(0);

/** Starts a copy. Its first bytes decide its form. `append` receives the bytes of the copy in order. */
export function openCopyWriter(append: (bytes: Uint8Array) => Promise<void>): CopyWriter {
  let form: 'undecided' | 'plain' | 'compressed' = 'undecided';
  let block: Uint8Array = noBytes;
  let filled = 0;
  const spare: Uint8Array[] = [];
  const compressing: { readonly block: Uint8Array; readonly member: Promise<Uint8Array> }[] = [];
  return { write, finish };

  async function write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; 0 < rest.length; ) {
      if (form === 'plain') return await append(rest);
      const taken = rest.subarray(0, memberLength - filled);
      block = withRoom(filled + taken.length);
      block.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled === memberLength) await writeBlock();
    }
  }

  /** Returns the block, or a larger one with its bytes. A small file arrives in one chunk, and needs no more. */
  function withRoom(length: number): Uint8Array {
    if (length <= block.length) return block;
    const isFirst = form === 'undecided' && filled === 0;
    const larger = spare.pop() ?? new Uint8Array(isFirst ? length : memberLength);
    larger.set(block.subarray(0, filled));
    return larger;
  }

  async function writeBlock(): Promise<void> {
    const full = block;
    const bytes = full.subarray(0, filled);
    [block, filled] = [noBytes, 0];
    if (form === 'undecided') {
      const member = await compressStart(bytes);
      form = member ? 'compressed' : 'plain';
      return await append(member ?? bytes);
    }
    const member = compressMember(bytes);
    // Its turn throws a failure; no unhandled rejection until then.
    member.catch(() => undefined);
    compressing.push({ block: full, member });
    if (maxConcurrent <= compressing.length) await writeMember();
  }

  async function writeMember(): Promise<void> {
    const oldest = compressing.shift();
    if (!oldest) return;
    await append(await oldest.member);
    spare.push(oldest.block);
  }

  async function finish(): Promise<boolean> {
    if (0 < filled) await writeBlock();
    while (0 < compressing.length) await writeMember();
    return form === 'compressed';
  }
}

/** Compresses the start of a file; undefined if the file is a zip or compressed, or this saves too little. */
async function compressStart(start: Uint8Array): Promise<Uint8Array | undefined> {
  if (start.length < minLength || isZip(start) || isGzip(start)) return undefined;
  const member = await compressMember(start);
  return member.length <= maxShare * start.length ? member : undefined;
}
