import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openEntries } from '../../src/case/originals/entries.ts';
import { BlockReader, type RandomAccess } from '../../src/case/originals/source.ts';
import { rounds } from '../effort.ts';
import { type RawEntry, toZip } from './zips.ts';

const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 251);

/** Gives at most some bytes at a time, as a file system may. */
function sparing(most: number): RandomAccess {
  const read = async (target: Uint8Array, position: number) => {
    const given = bytes.subarray(position, position + Math.min(most, target.length));
    target.set(given);
    return given.length;
  };
  return { length: bytes.length, read, [Symbol.asyncDispose]: async () => undefined };
}

test('any bytes are read as they are, in any order, however few a read gives', async () => {
  const range = fc.tuple(fc.nat(bytes.length), fc.nat(100_000));
  await fc.assert(
    fc.asyncProperty(
      fc.array(range, { maxLength: 8 }),
      fc.integer({ min: 1_000, max: 300_000 }),
      async (ranges, most) => {
        const reader = new BlockReader(sparing(most));
        const found = await Promise.all(
          ranges.map(([from, length]) =>
            reader.bytesAt(from, length).catch((error: unknown) => String(error)),
          ),
        );
        // As texts, which are compared in a thousandth of the time of bytes.
        const textOf = (of: Uint8Array) => Buffer.from(of).toString('latin1');
        expect(found.map((each) => (typeof each === 'string' ? each : textOf(each)))).toEqual(
          ranges.map(([from, length]) =>
            from + length <= bytes.length
              ? textOf(bytes.subarray(from, from + length))
              : 'Error: it ends before its list of entries does',
          ),
        );
      },
    ),
    { numRuns: rounds(200, 30) },
  );
});

/** Random text, which deflating leaves large. */
const noise = (length: number) =>
  Array.from({ length }, (_, at) =>
    String.fromCharCode(33 + ((at * at * 31 + at * 17 + (at >> 3)) % 90)),
  ).join('');

describe.each([
  ['small', noise(300)],
  ['large', noise(270_000)],
])('an entry that is %s', (_, content) => {
  /** Result of reading the middle one of three entries. */
  async function outcomeOf(how: Partial<RawEntry>) {
    const others = ['before', 'after'].map((name) => ({ name, content: name }));
    const [before, after] = others;
    const zip = toZip([before, { name: 'it', content, ...how }, after].flatMap((each) => each ?? []));
    const { entries, close } = await openEntries('a.zip', { bytes: zip });
    try {
      const read = entries.map(async (entry) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of entry.read()) chunks.push(chunk);
        return Buffer.concat(chunks).toString();
      });
      const [first, middle, last] = await Promise.allSettled(read);
      expect([first, last]).toMatchObject(others.map(({ content: value }) => ({ value })));
      return middle?.status === 'fulfilled' ? middle.value : middle?.reason.problem.code;
    } finally {
      close();
    }
  }

  test.each<[string, Partial<RawEntry>, string | undefined]>([
    ['deflated', {}, undefined],
    ['stored', { method: 0 }, undefined],
    ['written as a stream', { descriptor: 'signed' }, undefined],
    ['in Zip64', { zip64: true }, undefined],
    ['with a byte more than it says', { size: content.length - 1 }, 'WRONG_SIZE'],
    ['stored, with a byte more than it says', { method: 0, size: content.length - 1 }, 'WRONG_SIZE'],
    ['with a byte fewer than it says', { size: content.length + 1 }, 'WRONG_SIZE'],
    ['that says it is empty', { size: 0 }, 'WRONG_SIZE'],
    ['with another checksum', { checksum: 1 }, 'WRONG_CRC'],
    ['with bytes that cannot be inflated', { stored: Buffer.from(content) }, 'BAD_DATA'],
    ['without any bytes', { stored: new Uint8Array(0) }, 'BAD_DATA'],
  ])('%s', async (_, how, problem) => {
    expect(await outcomeOf(how)).toBe(problem ?? content);
  });
});
