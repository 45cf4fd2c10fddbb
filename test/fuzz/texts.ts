import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { anyText, documentedQuery, luceneQuery, nearQuery } from '../../src/testing/query-text.ts';
import { analyzerText } from '../property/analyzer-text.ts';
import { largeRegexp, largeWildcard, regexpJunk, regexpText } from '../property/pattern-text.ts';
import { largeQueries } from './large-queries.ts';

/** A text to try, and how it was made. */
export interface Trial {
  readonly kind: string;
  readonly text: string;
}

/**
 * Texts of all kinds: from generators, and real queries of which something was
 * changed. The folder is the one of the measured answers, which has the real ones.
 */
export function trials(folder: string): fc.Arbitrary<Trial> {
  const known = knownQueries(folder);
  const kinds: readonly [kind: string, weight: number, text: fc.Arbitrary<string>][] = [
    ['documented', 2, documentedQuery],
    ['lucene', 2, luceneQuery],
    ['nearly a query', 3, nearQuery],
    ['anything', 2, fc.oneof(anyText, analyzerText)],
    ['patterns', 1, withPatterns],
    ['bytes changed', 6, mutated(known)],
    ['spliced', 3, spliced(known)],
    ['repeated', 1, repeated(known)],
    ['large', 1, large],
  ];
  return fc.oneof(
    ...kinds.map(([kind, weight, text]) => ({
      weight,
      arbitrary: text.map((each) => ({ kind, text: each })),
    })),
  );
}

function knownQueries(folder: string): readonly string[] {
  const files = ['syntax.ndjson', 'booleans.ndjson', 'searches-documented.ndjson', 'searches-lucene.ndjson'];
  return files.flatMap((file) => {
    const lines = readFileSync(`${folder}/${file}`, 'utf8').trimEnd().split('\n');
    return lines.map((line): string => {
      const answer = JSON.parse(line);
      return answer.query ?? answer.q;
    });
  });
}

const slashed = (text: fc.Arbitrary<string>) => text.map((written) => `/${written}/`);
const pattern = fc.oneof(
  { arbitrary: slashed(regexpText), weight: 10 },
  { arbitrary: slashed(regexpJunk), weight: 10 },
  // These take up to a second each.
  { arbitrary: fc.oneof(slashed(largeRegexp), largeWildcard), weight: 1 },
);
const withPatterns = fc
  .array(fc.oneof(pattern, nearQuery), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(' '));

/** One change of some bytes; what it does where is decided by numbers between 0 and 1. */
const change = fc.record({
  kind: fc.constantFrom<ChangeKind>('flip', 'insert', 'remove', 'double', 'replace'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.integer({ min: 1, max: 12 }),
  byte: fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(...'+-!():^[]"{}~*?\\/&|<>=, \tTO'.split('').map((each) => each.charCodeAt(0))),
  ),
});

type ChangeKind = 'flip' | 'insert' | 'remove' | 'double' | 'replace';
type Change = typeof change extends fc.Arbitrary<infer Each> ? Each : never;

/** Changes bytes of UTF-8, so that what comes out may have broken characters. */
function mutated(known: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...known), fc.array(change, { minLength: 1, maxLength: 6 }))
    .map(([text, changes]) =>
      new TextDecoder().decode(changes.reduce(changed, new TextEncoder().encode(text))),
    );
}

function changed(bytes: Uint8Array, { kind, at, length, byte }: Change): Uint8Array {
  const from = Math.floor(at * bytes.length);
  const to = Math.min(bytes.length, from + length);
  const head = bytes.subarray(0, from);
  switch (kind) {
    case 'flip':
      return bytes.map((each, place) => (place === from ? each ^ (1 << (byte % 8)) : each));
    case 'replace':
      return bytes.map((each, place) => (place === from ? byte : each));
    case 'insert':
      return Uint8Array.from([...head, byte, ...bytes.subarray(from)]);
    case 'remove':
      return Uint8Array.from([...head, ...bytes.subarray(to)]);
    case 'double':
      return Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(from)]);
  }
}

/** A part of something large. Most of the work on it grows faster than the text, so few are as long as they can be. */
const large = fc
  .tuple(fc.constantFrom(...largeQueries), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([[, text], share]) => text.slice(0, Math.ceil(share * share * text.length)));

/** The beginning of one query and the end of another. */
function spliced(known: readonly string[]): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  return fc
    .tuple(fc.constantFrom(...known), place, fc.constantFrom(...known), place)
    .map(([a, end, b, start]) => a.slice(0, end * a.length) + b.slice(start * b.length));
}

/** Something short very often, around something else: deep, long and quadratic texts. */
function repeated(known: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    nearQuery.map((text) => text.slice(0, 12)),
    fc.constantFrom(
      '(',
      ')',
      'a OR (',
      '(a AND ',
      'NOT (',
      '"',
      '\\',
      '[',
      '[a TO ',
      '/',
      ':',
      'a:',
      '~',
      '*',
      '-',
    ),
  );
  return fc
    .tuple(
      fc.constantFrom('', ...known),
      piece,
      fc.oneof(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 300, max: 3000 })),
      fc.constantFrom('', ...known),
    )
    .map(([before, each, times, after]) => before + each.repeat(times) + after);
}
