import { expect } from 'vitest';
import { lintRules } from '../../../src/language/lint/lint-rules.ts';
import { validate } from '../../../src/language/lint/validate.ts';
import {
  type Dialect,
  documentedSchema,
  type Schema,
  toSchema,
} from '../../../src/language/meaning/schema.ts';
import type { Engine } from '../../../src/language/parse/engine.ts';
import { applyFix, type Finding } from '../../../src/language/parse/finding.ts';
import { parse } from '../../../src/language/parse/parse.ts';

/** Settings of the check, where they are not the documented language with the documented fields. */
export interface Given {
  readonly dialect?: Dialect;
  readonly schema?: Schema;
  readonly engine?: Engine;
}

/** The documented fields, of which the ones with known values and the identifiers are keywords. */
export const keywords: Schema = toSchema(
  [...documentedSchema.fields.values()].map((field) =>
    ['logLevel', 'serviceTypes', 'requestID'].includes(field.name) ? { ...field, type: 'keyword' } : field,
  ),
  documentedSchema.defaults.map(({ name }) => name),
);

/** Text fields only, all of them searched by default. */
export const texts: Schema = toSchema(
  [
    { name: 'msg', type: 'text', about: 'the message' },
    { name: 'source', type: 'text', about: 'what logged it' },
  ],
  ['msg', 'source'],
);

/**
 * Checks what one rule finds in a query: the first line of the drawing is the
 * query, the others are the findings, drawn under it, each with its fixes and
 * what they lead to. What a fix leads to must be a query without that finding.
 */
export function checkFindings(code: string, drawing: string, given: Given = {}): void {
  const [text = ''] = drawing.slice(1).split('\n');
  const findings = findingsOf(code, text, given);
  expect([text, ...findings.flatMap((finding) => draw(text, finding))].join('\n')).toBe(drawing.slice(1));
  for (const { fixes } of findings) {
    for (const fix of fixes) {
      const fixed = applyFix(text, fix);
      expect(parse(fixed).findings, fixed).toEqual([]);
      expect(findingsOf(code, fixed, given).length, fixed).toBeLessThan(findings.length);
    }
  }
}

/** Checks that one rule has nothing to say about a query. */
export function checkNone(code: string, text: string, given: Given = {}): void {
  expect(findingsOf(code, text, given)).toEqual([]);
}

function findingsOf(code: string, text: string, given: Given): Finding[] {
  // All other rules are off, and this one is on even if it is off by default.
  const severities = new Map(
    lintRules.map((rule) => [rule.code, rule.code === code ? 'warning' : 'off'] as const),
  );
  return validate(parse(text).query, { ...given, now: Date.UTC(2026, 0, 1), severities });
}

function draw(text: string, { from, to, message, fixes }: Finding): string[] {
  const carets = ' '.repeat(from) + '^'.repeat(Math.max(1, to - from));
  return [`${carets} ${message}`, ...fixes.map((fix) => `  ${fix.title}: ${applyFix(text, fix)}`)];
}
