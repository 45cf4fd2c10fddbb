import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintRules } from '../../src/language/lint/lint-rules.ts';
import { validate } from '../../src/language/lint/validate.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { type Reading, resolve } from '../../src/language/meaning/resolve.ts';
import { type Dialect, documentedSchema } from '../../src/language/meaning/schema.ts';
import { applyFix, type Finding, type Fix } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { tokensOf } from '../../src/language/parse/tree.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { anyText, documentedQuery, doubtfulQuery, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(1000) };
const everyRule = new Map(lintRules.map(({ code }) => [code, 'warning'] as const));
const schemas = { documentedSchema, keywordSchema };

/** Names of options, so that a counterexample can be read. */
const options = fc.record({
  schema: fc.constantFrom('documentedSchema', 'keywordSchema'),
  dialect: fc.constantFrom('documented', 'lucene'),
});
type Given = { readonly schema: keyof typeof schemas; readonly dialect: Dialect };

function validateWith({ schema, dialect }: Given, text: string): Finding[] {
  return validate(parse(text).query, { schema: schemas[schema], dialect, severities: everyRule });
}

const soundQuery = fc
  .oneof(documentedQuery, luceneQuery, doubtfulQuery)
  .filter((text) => parse(text).findings.length === 0);

test('of any text the findings lie in it, in order, and their edits too', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, doubtfulQuery), options, (text, given) => {
      let position = 0;
      for (const finding of validateWith(given, text)) {
        expect(finding.from).toBeGreaterThanOrEqual(position);
        expect(finding.to).toBeGreaterThanOrEqual(finding.from);
        expect(finding.to).toBeLessThanOrEqual(text.length);
        position = finding.from;
        for (const fix of finding.fixes) checkEdits(text, fix);
      }
    }),
    runs,
  );
});

test('what a fix leads to is a query, and has the finding no more', () => {
  fc.assert(
    fc.property(fc.oneof(soundQuery, flatQuery), options, (text, given) => {
      const findings = validateWith(given, text);
      for (const finding of findings) {
        for (const fix of finding.fixes) {
          const fixed = applyFix(text, fix);
          const about = `${finding.code}: ${fix.title}: ${fixed}`;
          expect(parse(fixed).findings, about).toEqual([]);
          // A difference between readings of a level depends on the levels in it, so one may only show when these are mended.
          if (text.includes('(') && aboutLevels.has(finding.code)) continue;
          const found = text.slice(finding.from, finding.to);
          const [before, after] = [
            countAt(finding.code, found, text, given),
            countAt(finding.code, found, fixed, given),
          ];
          expect(after, about).toBeLessThan(before);
        }
      }
    }),
    runs,
  );
});

describe('the two readings', () => {
  test('writing what the server does changes nothing for the server', () => {
    checkFixes('Write what the server does', (text, fixed, given) => {
      expect(isSame(text, 'server', fixed, 'server', given)).not.toBe(false);
    });
  });

  test('writing what was probably meant changes nothing for a person', () => {
    checkFixes('Write what was probably meant', (text, fixed, given) => {
      expect(isSame(text, 'ordinary', fixed, 'ordinary', given)).not.toBe(false);
    });
  });

  test('when all that was probably meant is written, the server does it', () => {
    fc.assert(
      fc.property(plainQuery, options, (text, given) => {
        const fixed = applyAll(text, 'Write what was probably meant', given);
        expect(isSame(text, 'ordinary', fixed, 'server', given)).not.toBe(false);
      }),
      runs,
    );
  });

  test('removing a part that filters nothing, or says the same as another one, changes nothing for the server', () => {
    fc.assert(
      fc.property(soundQuery, options, (text, given) => {
        for (const finding of validateWith(given, text)) {
          if (finding.code !== 'optional-part' && finding.code !== 'repeated-part') continue;
          for (const fix of finding.fixes) {
            expect(isSame(text, 'server', applyFix(text, fix), 'server', given)).not.toBe(false);
          }
        }
      }),
      runs,
    );
  });

  test('where they differ something is said, and where nothing is said they do not', () => {
    fc.assert(
      fc.property(soundQuery, options, (text, given) => {
        // To a person a plus says nothing.
        fc.pre(!tokensOf(parse(text).query).some(({ kind }) => kind === 'Plus'));
        if (isSame(text, 'server', text, 'ordinary', given) !== false) return;
        const codes = validateWith(given, text).map(({ code }) => code);
        expect(
          codes.some((code) => aboutReadings.has(code)),
          text,
        ).toBe(true);
      }),
      runs,
    );
  });

  test('on one level something is said only where they differ', () => {
    fc.assert(
      fc.property(flatQuery, options, (text, given) => {
        const codes = validateWith(given, text).map(({ code }) => code);
        if (!codes.some((code) => aboutLevels.has(code))) return;
        expect(isSame(text, 'server', text, 'ordinary', given), text).not.toBe(true);
      }),
      runs,
    );
  });
});

/** Rules that tell of a level that is taken otherwise than meant. */
const aboutLevels = new Set(['mixed-operators', 'loose-not', 'not-among-words']);

/** Rules that tell of that, or of what has to be mended before it can be told. */
const aboutReadings = new Set([
  ...aboutLevels,
  'optional-part',
  'wrong-quotes',
  'field-without-colon',
  'range-without-brackets',
  'slash-pair',
  'unknown-field',
]);

const operand = fc.constantFrom('a', 'b', 'c', 'd', '"a b"', 'msg:a', 'logCode:9003', '9003', '"--"');
const joint = fc.constantFrom(' ', ' AND ', ' OR ');
const sign = fc.constantFrom('', '', 'NOT ');

/** Queries of one level. */
const flatQuery = fc
  .tuple(fc.tuple(sign, operand), fc.array(fc.tuple(joint, sign, operand), { maxLength: 4 }))
  .map(([first, rest]) => [...first, ...rest.flat()].join(''));

/** Queries of operators, groups and little else. */
const plainQuery = fc
  .tuple(
    flatQuery,
    fc.array(
      fc.tuple(
        joint,
        sign,
        fc.oneof(
          operand,
          flatQuery.map((text) => `(${text})`),
        ),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([first, rest]) => [first, ...rest.flat()].join(''));

function checkFixes(title: string, check: (text: string, fixed: string, given: Given) => void): void {
  fc.assert(
    fc.property(fc.oneof(plainQuery, soundQuery), options, (text, given) => {
      for (const { fixes } of validateWith(given, text)) {
        for (const fix of fixes) if (fix.title === title) check(text, applyFix(text, fix), given);
      }
    }),
    runs,
  );
}

/** A text with every fix of a title made, one after the other. */
function applyAll(text: string, title: string, given: Given): string {
  let fixed = text;
  for (let round = 0; round < 50; round += 1) {
    const fix = validateWith(given, fixed)
      .flatMap(({ fixes }) => fixes)
      .find((each) => each.title === title);
    if (!fix) return fixed;
    fixed = applyFix(fixed, fix);
  }
  throw new Error(`"${text}" is never done with`);
}

/** Reports if two queries select the same logs in these readings; undefined when it was not decided. */
function isSame(
  a: string,
  readingA: Reading,
  b: string,
  readingB: Reading,
  given: Given,
): boolean | undefined {
  const filter = (text: string, reading: Reading) =>
    resolve(parse(text).query, { schema: schemas[given.schema], reading });
  return compare(filter(a, readingA), filter(b, readingB)).same;
}

function checkEdits(text: string, { edits }: Fix): void {
  let position = 0;
  for (const { from, to } of edits) {
    expect(from).toBeGreaterThanOrEqual(position);
    expect(to).toBeGreaterThanOrEqual(from);
    expect(to).toBeLessThanOrEqual(text.length);
    position = to;
  }
  expect(edits).not.toEqual([]);
}

/** Number of findings of a rule in a piece of a text. */
function countAt(code: string, piece: string, text: string, given: Given): number {
  return validateWith(given, text).filter(
    (each) => each.code === code && text.slice(each.from, each.to) === piece,
  ).length;
}
