import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { syntaxCodes } from '../../../src/language/syntax.ts';
import { rules } from '../../../src/lint/rules/index.ts';
import { ruleHeadings } from '../../../src/lint/validate.ts';

const codes = rules.map(({ code }) => code);
const testOf = (code: string) => readFileSync(new URL(`${code}.test.ts`, import.meta.url), 'utf8');

/** Rules that only tell: nobody knows what was meant. */
const withoutFixes = [
  'contradiction',
  'refused-pattern',
  'too-long',
  'too-many-clauses',
  'unmentioned-syntax',
];

/** The lines of a drawing that say what is found, and those that say where a fix leads. */
const finding = /^ *\^+ (.+?)`?,?$/gm;
const fix = /^ {2}[A-Z][^:`\n]*: \S/m;

test('each rule has a file of its own, and each file is a rule', () => {
  const files = readdirSync(new URL('../../../src/lint/rules/', import.meta.url));
  const named = files
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
    .map((file) => file.slice(0, -3));
  expect(named.sort()).toEqual([...codes].sort());
});

test('a code is that of one rule only, and none of the parser', () => {
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => code in syntaxCodes)).toEqual([]);
  expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
});

test.each(rules)('$code has a heading', ({ code, heading }) => {
  expect(ruleHeadings.get(code)).toBe(heading);
  expect(heading).toMatch(/^[A-Z].*[^.]$/);
});

test.each(codes)('%s is tested, its fixes too', (code) => {
  expect(testOf(code)).toMatch(/from 'vitest'/);
  expect(fix.test(testOf(code))).toBe(!withoutFixes.includes(code));
});

test.each(codes)('%s is worded as the house has it', (code) => {
  const messages = [...testOf(code).matchAll(finding)].map(([, message = '']) => message);
  if (code !== 'too-long' && code !== 'too-many-clauses') expect(messages).not.toEqual([]);
  for (const message of messages) {
    expect(message).toMatch(/^[A-Z"]/);
    expect(message).not.toMatch(/\byou\b|\byour\b|\.$/i);
  }
});
