import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyFix } from '../../src/language/parse/finding.ts';
import { format } from '../../src/language/parse/format.ts';
import { lex } from '../../src/language/parse/lex.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { children, type Node, print } from '../../src/language/parse/tree.ts';
import { anyText, documentedQuery, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(2000) };

test('printing any text gives it back', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(print(parse(text).query)).toBe(text);
    }),
    runs,
  );
});

test('the tokens of any text are the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let position = 0;
      for (const token of lex(text)) {
        expect(token.from).toBe(position + token.before.length);
        expect(token.to).toBe(token.from + token.text.length);
        position = token.to;
      }
      expect(position).toBe(text.length);
    }),
    runs,
  );
});

test('every node lies inside its parent, behind its elder siblings', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      checkSpans(parse(text).query);
    }),
    runs,
  );
});

test('every finding lies in the text, and every fix leads to another text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const finding of parse(text).findings) {
        expect(finding.from).toBeLessThanOrEqual(finding.to);
        expect(finding.to).toBeLessThanOrEqual(text.length);
        for (const fix of finding.fixes) expect(applyFix(text, fix)).not.toBe(text);
      }
    }),
    runs,
  );
});

test.each([
  ['documented', documentedQuery],
  ['lucene', luceneQuery],
])('a generated %s query is accepted, and formatting keeps its tree', (_name, query) => {
  fc.assert(
    fc.property(query, fc.integer({ min: 5, max: 60 }), (text, width) => {
      const original = parse(text);
      expect(original.findings).toEqual([]);
      const formatted = format(original.query, { width });
      const again = parse(formatted);
      expect(shape(again.query)).toEqual(shape(original.query));
      expect(format(again.query, { width })).toBe(formatted);
    }),
    runs,
  );
});

test('formatting any text twice changes nothing more', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = format(parse(text).query);
      expect(format(parse(once).query)).toBe(once);
    }),
    runs,
  );
});

function checkSpans(node: Node): void {
  expect(node.from).toBeLessThanOrEqual(node.to);
  let position = node.from;
  for (const child of children(node)) {
    if (!child) continue;
    expect(child.from).toBeGreaterThanOrEqual(position);
    expect(child.to).toBeLessThanOrEqual(node.to);
    position = child.to;
    if (!('before' in child)) checkSpans(child);
  }
}

/** A tree without its places and its white space. */
function shape(node: Node): unknown {
  return [
    node.kind,
    ...children(node).map((child) => {
      if (!child) return null;
      return 'before' in child ? [child.kind, child.text] : shape(child);
    }),
  ];
}
