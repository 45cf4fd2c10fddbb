import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toUtf8 } from '../../src/records/encoding.ts';
import { inChunks } from './check-reading.ts';

/** Reads bytes in chunks of a length: the text, and if Windows-1252 was assumed. */
async function read(bytes: Uint8Array, chunkLength: number) {
  let isAssumed = false;
  const chunks = toUtf8(inChunks(bytes, chunkLength), () => {
    isAssumed = true;
  });
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return { text: Buffer.concat(parts).toString('utf8'), isAssumed };
}

/** Characters of Windows-1252 that are others in Latin-1, with their bytes, by the table of the Unicode Consortium. */
const windows: readonly (readonly [string, number])[] = [
  ['\u20ac', 0x80],
  ['\u201e', 0x84],
  ['\u201c', 0x93],
  ['\u2013', 0x96],
  ['\u0160', 0x8a],
  ['\u0178', 0x9f],
  ['\u2122', 0x99],
];

const ascii = 'x'.repeat(70_000);

describe('a text without a mark', () => {
  test.each<[string, Buffer, string, boolean]>([
    ['ASCII', Buffer.from('plain'), 'plain', false],
    ['UTF-8', Buffer.from('Gr\u00f6\u00dfe \u20ac \u{1f600}'), 'Gr\u00f6\u00dfe \u20ac \u{1f600}', false],
    ['Latin-1', Buffer.from('Gr\u00f6\u00dfe', 'latin1'), 'Gr\u00f6\u00dfe', true],
    [
      'Latin-1 in upper case, which looks like UTF-8',
      Buffer.from('GR\u00d6SSE \u00c4\u00d6\u00dc', 'latin1'),
      'GR\u00d6SSE \u00c4\u00d6\u00dc',
      true,
    ],
    [
      'Latin-1 far from the start',
      Buffer.from(`${ascii}\u00fc\u00df${ascii}\u00e9`, 'latin1'),
      `${ascii}\u00fc\u00df${ascii}\u00e9`,
      true,
    ],
    [
      'Windows-1252',
      Buffer.from(windows.map(([, byte]) => byte)),
      windows.map(([sign]) => sign).join(''),
      true,
    ],
    [
      'UTF-8 with one broken character',
      Buffer.concat([Buffer.from('Gr\u00f6\u00dfe '), Buffer.from([0xc3]), Buffer.from('x')]),
      'Gr\u00f6\u00dfe \ufffdx',
      false,
    ],
    [
      'UTF-8 that ends within a character',
      Buffer.from('Gr\u00f6\u00dfe').subarray(0, 5),
      'Gr\u00f6\ufffd',
      false,
    ],
    ['a byte that is hardly ever a letter', Buffer.from([0x41, 0xff, 0x42]), 'A\ufffdB', false],
    ['a byte that Windows-1252 lacks', Buffer.from([0x41, 0x81, 0x42]), 'A\ufffdB', false],
    [
      'bytes with control characters, as of an archive',
      Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xe4]),
      '\x1f\ufffd\b\0\ufffd',
      false,
    ],
  ])('%s', async (_, bytes, text, isAssumed) => {
    for (const chunkLength of [1, 7, 65_536, 1 << 20])
      if (7 <= chunkLength || bytes.length < 100)
        expect(await read(bytes, chunkLength)).toEqual({ text, isAssumed });
  });

  test('is read alike, whatever the chunks', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    const text = fc.oneof(
      bytes,
      fc.string({ unit: 'binary', maxLength: 20 }).map((value) => Buffer.from(value)),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (start, chunkLength) => {
        const whole = Buffer.concat([Buffer.from('abc'), start]);
        expect(await read(whole, chunkLength)).toEqual(await read(whole, 1_000));
      }),
    );
  });
});
