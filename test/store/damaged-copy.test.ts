import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { headerLength, memberLength } from '../../src/case/originals/source.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { rounds } from '../effort.ts';
import { distinctLogs } from './distinct-logs.ts';

const original = distinctLogs(2 * memberLength + 50_000);
const first = original.subarray(0, memberLength);
const second = original.subarray(memberLength, 2 * memberLength);
const third = original.subarray(2 * memberLength);

let folder: string;
let path: string;
/** The compressed copy, and its undamaged bytes. */
let name: string;
let copy: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-damaged-'));
  path = join(folder, 'case.duckdb');
  await using into = await writable();
  const { sha256 } = await addFile(into, { name: 'a.log', bytes: original });
  name = join(`${path}.evidence`, `${sha256}.gz`);
  copy = await readFile(name);
  await chmod(name, 0o644);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(() => writeFile(name, copy));

const writable = () => openCase(path, { access: 'write', create: true });

/** Deviations of the case. */
async function found(): Promise<readonly string[]> {
  await using of = await openCase(path, { access: 'read' });
  return (await verifyCase(of)).deviations.map(({ code, message }) => `${code}: ${message}`);
}

/** A member with any lengths in its header. */
function memberOf(plain: Uint8Array, lengths: { compressed?: number; plain?: number } = {}): Buffer {
  const body = gzipSync(plain).subarray(10);
  const header = Buffer.from(`1f8b08040000000004ff0c004c510800${'00'.repeat(8)}`, 'hex');
  header.writeUInt32LE(lengths.compressed ?? headerLength + body.length, 16);
  header.writeUInt32LE(lengths.plain ?? plain.length, 20);
  return Buffer.concat([header, body]);
}

describe('verify names a compressed copy', () => {
  test('as intact that is undamaged', async () => expect(await found()).toEqual([]));

  const secondAt = () => copy.readUInt32LE(16);

  test.each<[string, () => Buffer, RegExp]>([
    ['that is empty', () => Buffer.alloc(0), /its SHA-256 is e3b0c44/],
    [
      'that ends within a header',
      () => copy.subarray(0, secondAt() + 10),
      /no header that this program writes/,
    ],
    ['that ends within a member', () => copy.subarray(0, secondAt() + 1_000), /it ends before byte \d+/],
    ['that ends with a member', () => copy.subarray(0, secondAt()), /its SHA-256 is/],
    [
      'with bytes behind it',
      () => Buffer.concat([copy, Buffer.from('x')]),
      /no header that this program writes/,
    ],
    [
      'with zeros behind it',
      () => Buffer.concat([copy, Buffer.alloc(512)]),
      /no header that this program writes/,
    ],
    [
      'with its members in another order',
      () => Buffer.concat([copy.subarray(secondAt()), copy.subarray(0, secondAt())]),
      /its SHA-256 is/,
    ],
    ['of another original', () => memberOf(distinctLogs(5_000)), /its SHA-256 is/],
    ['that is gzip of another program', () => gzipSync(original), /at byte 0 is no header/],
    ['that is no gzip', () => original, /at byte 0 is no header/],
    ['whose member is longer than stated', () => memberOf(first, { plain: 1_000 }), /cannot be inflated/],
    [
      'whose member is shorter than stated',
      () => memberOf(first.subarray(0, 9), { plain: 10 }),
      /its length is not the stated one/,
    ],
    [
      'whose member states more than a member can have',
      () => memberOf(original),
      /no header that this program writes/,
    ],
    ['whose member states nothing', () => memberOf(Buffer.alloc(0)), /no header that this program writes/],
    [
      'whose member states to be shorter than it is',
      () => memberOf(second, { compressed: 1_000 }),
      /at byte 1000 is no header/,
    ],
    ['whose member states to end at its header', () => memberOf(second, { compressed: 24 }), /no header/],
    [
      'whose member states to have no bytes',
      () => memberOf(second, { compressed: 0 }),
      /at byte 0 is no header/,
    ],
    [
      'whose member states to be longer than the file',
      () => memberOf(third, { compressed: 2_000_000 }),
      /it ends before byte 2000000/,
    ],
    [
      'whose member has zeros before the next one',
      () => {
        const padded = Buffer.concat([memberOf(first), Buffer.alloc(2)]);
        padded.writeUInt32LE(padded.length, 16);
        return Buffer.concat([padded, memberOf(second), memberOf(third)]);
      },
      /its length is not the stated one/,
    ],
    [
      'that is a bomb',
      () => memberOf(Buffer.alloc(100_000_000), { plain: memberLength }),
      /cannot be inflated: Cannot create a Buffer larger than 1048577 bytes/,
    ],
    [
      'whose member has another checksum',
      () => {
        const altered = Buffer.from(copy);
        const at = secondAt() - 8;
        altered[at] = (altered[at] ?? 0) ^ 1;
        return altered;
      },
      /member at byte 0 cannot be inflated: incorrect data check/,
    ],
  ])('%s', async (_, make, expected) => {
    await writeFile(name, make());
    const deviations = await found();
    expect(deviations[0]).toMatch(/^FILE_ALTERED: The original of "a.log" .*was altered: /);
    expect(deviations[0]).toMatch(expected);
  });

  test('with one bit changed, wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.nat(30), fc.nat(copy.length - 1)), fc.nat(7), async (at, bit) => {
        const altered = Buffer.from(copy);
        altered[at] = (altered[at] ?? 0) ^ (1 << bit);
        await writeFile(name, altered);
        const [deviation] = await found();
        // The bits between the end of a member's blocks and its next byte mean nothing (RFC 1951, 3.2.3).
        if (deviation === undefined) expect(gunzipSync(altered).equals(original)).toBe(true);
        else expect(deviation).toMatch(/^FILE_ALTERED/);
      }),
      { numRuns: rounds(200, 10) },
    );
  });

  test('beside the plain one, which is read, as unlisted', async () => {
    const plain = name.slice(0, -'.gz'.length);
    await writeFile(plain, original);
    expect(await found()).toEqual([
      expect.stringMatching(/^FILE_UNLISTED: "[0-9a-f]{64}\.gz" is in the folder/),
    ]);
    await rm(plain);
  });

  test('that is damaged, which `show` and a repeated import say', async () => {
    await writeFile(name, copy.subarray(0, -1));
    await using into = await writable();
    const damaged = {
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/^An original cannot be read: its copy "[0-9a-f]{64}\.gz" is damaged/),
    };
    await expect(readRaw(into, 5)).rejects.toMatchObject(damaged);
    await expect(addFile(into, { name: 'a.log', bytes: original })).rejects.toMatchObject(damaged);
  });
});
