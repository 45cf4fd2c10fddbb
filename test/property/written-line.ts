import fc from 'fast-check';
import { jsonBlank, jsonKey, jsonNumber, jsonText, jsonValue } from './json-text.ts';

const member = fc
  .tuple(
    jsonBlank,
    fc.oneof(
      fc.tuple(jsonKey, jsonText),
      fc.tuple(fc.constantFrom('time', 'logCode', 'elapsed', 'code'), jsonNumber),
      fc.tuple(jsonKey, jsonNumber),
      fc.tuple(jsonKey, jsonValue),
    ),
    jsonBlank,
  )
  .map(([before, [name, value], after]) => `${before}"${name}"${after}:${before}${value}${after}`);

/**
 * A line that is nearly a log of NDJSON, or is one: with all that may be
 * strange in its keys, its values and around them. Written as Latin 1, it has
 * bytes that are no UTF-8.
 */
export const writtenLine: fc.Arbitrary<Uint8Array> = fc
  .record({
    first: fc.constantFrom('"msg":"a"', '"msg":"ab"', '"time":1', '"source":"b"'),
    more: fc.array(member, { maxLength: 3 }),
    around: fc.tuple(jsonBlank, jsonBlank),
    end: fc.oneof({ weight: 30, arbitrary: fc.constant('}') }, fc.constantFrom('', ',}', '}}', '} x', '},')),
    encoding: fc.constantFrom('utf8' as const, 'utf8' as const, 'latin1' as const),
  })
  .map(({ first, more, around, end, encoding }) =>
    Buffer.from(`${around[0]}{${[first, ...more].join(',')}${end}${around[1]}`, encoding),
  );
