import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { lintRules } from '../../../src/language/lint/lint-rules.ts';
import { ruleHeadings } from '../../../src/language/lint/validate.ts';
import { syntaxCodes } from '../../../src/language/parse/syntax.ts';

const codes = lintRules.map(({ code }) => code);
const sources = new URL('../../../src/language/lint/', import.meta.url);
const tests = new URL('./', import.meta.url);
const filesIn = (folder: URL) => readdirSync(folder, { encoding: 'utf8', recursive: true });
const testFiles = new Map(filesIn(tests).map((file) => [basename(file, '.test.ts'), file]));
const testOf = (code: string) => readFileSync(new URL(`${testFiles.get(code)}`, tests), 'utf8');

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

test('each rule has a file of its own', () => {
  const files = new Set(filesIn(sources).map((file) => basename(file, '.ts')));
  expect(codes.filter((code) => !files.has(code))).toEqual([]);
});

test('a code is that of one rule only, and none of the parser', () => {
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => code in syntaxCodes)).toEqual([]);
  expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
});

test.each(lintRules)('$code has a heading', ({ code, heading }) => {
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
