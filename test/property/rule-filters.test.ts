import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRules } from '../../src/analysis/rules/compile-rules.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countEach } from '../../src/case/searching/count-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';

/** Texts with wildcards, backslashes, cases that differ in length or context, line breaks and regular expressions. */
const piece = fc.constantFrom(
  'a',
  'B',
  'ß',
  'Σ',
  'ς',
  'İ',
  'ſ',
  '*',
  '?',
  '\\',
  '\n',
  '.',
  '1',
  '😀',
  '%',
  '_',
  "'",
  '"',
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
  fc.constantFrom('FE80::1', 'febf:0:0:0:0:0:0:0', '::10.0.0.1', '0:0::A00:1', '10.2.3.4', 'fe80:::1'),
);
const log = fc.record(
  {
    msg: text,
    source: text,
    logCode: fc.constantFrom(0, 1, 75, -1),
    elapsed: fc.constantFrom(0, 0.5, 1, 2.5),
    // Years of 52 and 53 weeks, before and after 1970, before 1 and after 9999.
    time: fc.oneof(
      fc.constantFrom(0, -1, 1_741_766_400_000, 1_609_459_200_000, 1_609_459_199_999, -62_167_219_200_001),
      fc.integer({ min: -70_000_000_000_000, max: 260_000_000_000_000 }),
    ),
  },
  { requiredKeys: [] },
);
const modifier = fc.constantFrom(
  '',
  '|contains',
  '|startswith',
  '|endswith',
  '|cased',
  '|contains|cased',
  '|neq',
  '|base64offset|contains',
);
const itemOfText = fc
  .tuple(
    fc.constantFrom('msg', 'source'),
    modifier,
    fc.oneof(text, fc.constant(null), fc.array(text, { minLength: 1, maxLength: 3 })),
  )
  .map(([field, modifiers, value]) => [`${field}${modifiers}`, value] as const);
const itemOfRegexp = fc
  .tuple(
    fc.constantFrom('msg|re', 'msg|re|i', 'msg|re|s', 'source|re|m'),
    fc.constantFrom('a.B', '^b', 'a$', '[^a]1', '(a|b)+', 'σ', '\\W', '^$', '.', '[A-Z]\\?'),
  )
  .map(([field, value]) => [field, value] as const);
const itemOfNumber = fc
  .tuple(
    fc.constantFrom('logCode', 'elapsed'),
    fc.constantFrom('', '|gt', '|gte', '|lt', '|lte'),
    fc.constantFrom(0, 1, 75, 0.5),
  )
  .filter(([field, , value]) => field === 'elapsed' || Number.isInteger(value))
  .map(([field, modifiers, value]) => [`${field}${modifiers}`, value] as const);
const itemOfFields = fc
  .tuple(fc.constantFrom('', '|contains', '|startswith', '|endswith'), fc.constantFrom('', '|cased', '|neq'))
  .map(([comparison, more]) => [`msg|fieldref${comparison}${more}`, 'source'] as const);
const itemOfTime = fc
  .tuple(
    fc.constantFrom('minute', 'hour', 'day', 'week', 'month'),
    fc.constantFrom('', '|lt', '|gte'),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([part, comparison, value]) => [`time|${part}${comparison}`, value] as const);
const itemOfNetwork = fc
  .constantFrom('fe80::/10', '::/1', '10.0.0.0/8', '::a00:1')
  .map((network) => ['msg|cidr', network] as const);
const selection = fc.oneof(
  fc
    .array(fc.oneof(itemOfText, itemOfRegexp, itemOfNumber, itemOfFields, itemOfTime, itemOfNetwork), {
      minLength: 1,
      maxLength: 3,
    })
    .map((items) => Object.fromEntries(items)),
  fc.array(
    text.filter((each) => each !== ''),
    { minLength: 1, maxLength: 2 },
  ),
);
const condition = fc.constantFrom(
  'a',
  'not a',
  'a and b',
  'a or not b',
  'not (a or b)',
  '1 of them',
  '2 of them',
  'all of them',
);
const rule = fc
  .record({ a: selection, b: selection, condition })
  // JSON is YAML.
  .map((detection) => JSON.stringify({ title: 'T', detection }));

test('the database selects the logs that a rule matches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { minLength: 1, maxLength: 20 }),
      fc.array(log, { maxLength: 12 }),
      async (texts, logs) => {
        const { rules, unsupported } = compileRules(
          texts.map((each, index) => ({ name: `${index}`, text: each })),
        );
        expect(unsupported).toEqual([]);
        const filters = rules.flatMap((each) => (each.kind === 'detection' ? [each.filter] : []));
        await using into = await openCase(':memory:', { access: 'write' });
        if (0 < logs.length) await addLogs(into, logs as readonly Log[], { part: 'test' });
        const counts = await countEach(into, filters, { among: matchAllFilter });
        // A log has no empty texts.
        const stored = logs.map((each) =>
          Object.fromEntries(Object.entries(each).filter(([, value]) => value !== '')),
        );
        const expected = filters.map((filter) => stored.filter((each) => match(filter, each)));
        expect(counts.map(({ count }) => count)).toEqual(expected.map(({ length }) => length));
        const times = expected.map((found) =>
          found.flatMap(({ time }) => (typeof time === 'number' ? [time] : [])),
        );
        expect(counts.map(({ first }) => first?.time)).toEqual(
          times.map((each) => (each.length === 0 ? undefined : Math.min(...each))),
        );
      },
    ),
    { numRuns: rounds(100) },
  );
});
