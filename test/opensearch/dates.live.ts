import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FieldValues, matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { numRuns, seed } from '../live/settings.ts';
import { type IndexedCorpus, indexCorpus } from './search-node.ts';
import { type SearchNode, startNode } from './start-node.ts';

const schema = documentedSchema;
const hour = 3_600_000;

/** The moments around which logs and queries are: ends of years, months, days, leap days, and before the epoch. */
const moments = [
  ...['2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00.000Z', '2024-01-05T10:20:30.405Z'],
  ...['2024-02-28T23:30:00.000Z', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ...['2024-12-30T00:00:00.000Z', '2025-01-31T12:00:00.000Z', '1969-12-31T23:59:59.999Z'],
  ...['1970-01-01T00:00:00.000Z', '0999-05-06T07:08:09.010Z', '2038-01-19T03:14:07.000Z'],
].map(Date.parse);

/** Logs beside the moments, and each hour around now. */
function makeLogs(now: number): readonly FieldValues[] {
  const steps = [
    -32 * 24 * hour,
    -24 * hour,
    -hour,
    -60_000,
    -1000,
    -1,
    0,
    1,
    999,
    1000,
    60_000,
    hour,
    24 * hour,
  ];
  const fixed = moments.flatMap((moment) => steps.map((step) => moment + step));
  const recent = Array.from({ length: 24 * 80 }, (_, index) => now + (index - 24 * 40) * hour + hour / 2);
  return [...fixed, ...recent].map((time) => ({ time }));
}

const part = fc.constantFrom(4, 7, 10, 13, 16, 19, 21, 22, 23);
const iso = fc
  .tuple(fc.constantFrom(...moments), part)
  .map(([moment, length]) => new Date(moment).toISOString().slice(0, length));
const zoned = fc
  .tuple(
    iso,
    fc.constantFrom('', '', '', 'Z', '+02:00', '-0530', '+01', 'T', '+18:00', '+19:00', ' ', '[UTC]', 'z'),
  )
  .map(([date, zone]) => date + zone);
const whole = fc.oneof(
  fc.constantFrom(...moments).map(String),
  fc.constantFrom(
    '0',
    '-1',
    '999',
    '10000',
    '2024',
    '12345',
    '-2024',
    '1e12',
    '1704067200000.5',
    '99999999999999999',
  ),
);
const rare = fc.constantFrom(
  ...[
    '2024-1-5',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '20240105',
    '2024-01-05 10:20:30',
    '2024-01-05T24:00:00',
  ],
  ...[
    '2024-01-05T10:20:60',
    '2024-W01',
    '2024-366',
    '12024-01-01',
    '+12024-01-01',
    '+2024-01-01',
    '-0001-01-01',
  ],
  ...[
    '2024-01-05T10:20:30,405',
    '2024-01-05T10:20:30.405123456Z',
    '2024-01-05T10:20:30.4051234567Z',
    'yesterday',
    '',
  ],
  ...[
    '2024-01-05T',
    '2024-01-05Z',
    '2024-01Z',
    '2024-01-05T10Z',
    '2024-01-05T10:20:30.',
    'NOW',
    'now',
    '24-01-05',
    '0000',
  ],
);
const math = fc
  .array(
    fc.tuple(
      fc.constantFrom('+', '-', '/'),
      fc.constantFrom('', '', '1', '2', '40', '0'),
      fc.constantFrom('y', 'M', 'w', 'd', 'h', 'H', 'm', 's', 'q', 'ms', 'Y', 'D'),
    ),
    { maxLength: 3 },
  )
  .map((steps) => steps.map(([sign, count, unit]) => sign + (sign === '/' ? '' : count) + unit).join(''));
const date = fc.oneof(
  { arbitrary: zoned, weight: 5 },
  { arbitrary: whole, weight: 1 },
  { arbitrary: rare, weight: 1 },
  { arbitrary: math.map((each) => `now${each}`), weight: 2 },
  { arbitrary: fc.tuple(zoned, math).map(([anchor, each]) => `${anchor}||${each}`), weight: 2 },
);
const bound = fc.oneof(
  { arbitrary: date.map((each) => `"${each}"`), weight: 5 },
  { arbitrary: fc.constant('*'), weight: 1 },
);
const clause = fc.oneof(
  date.map((each) => `time:"${each}"`),
  fc
    .tuple(fc.constantFrom('[', '{'), bound, bound, fc.constantFrom(']', '}'))
    .map(([open, lower, upper, close]) => `time:${open}${lower} TO ${upper}${close}`),
  fc
    .tuple(fc.constantFrom('>', '>=', '<', '<='), date)
    .map(([sign, each]) => `time:${sign}${each.replace(/[-+:/ [\]]/g, '\\$&')}`),
);
const query = fc.oneof(
  { arbitrary: clause, weight: 4 },
  { arbitrary: clause.map((each) => `NOT ${each}`), weight: 1 },
  { arbitrary: fc.tuple(clause, clause).map((both) => both.join(' AND ')), weight: 1 },
);

let node: SearchNode;
let indexed: IndexedCorpus;
let logs: readonly FieldValues[];
beforeAll(async () => {
  node = await startNode();
  logs = makeLogs(Date.now());
  indexed = await indexCorpus(node, 'dates', { schema, logs, defaultOperator: 'or' });
});
afterAll(async () => node[Symbol.asyncDispose]());

/**
 * Whether this version of the server reads a date as its documentation says. It takes milliseconds before the epoch for one
 * millisecond earlier at some ends, and a year with an hour at once, `2024T10`, for that hour of 1970 (docs/engines.md).
 */
const isRead = (text: string) =>
  !/(?:^|[^\dT:.])\\?-(?!\d{4}(?!\d))\d+(?![\dA-Za-z])/.test(text.replace(/now\S*|\|\|\S*/g, '')) &&
  !/(?:^|[^-\d])-?\d{4}T\d/.test(text);

const queries = [...new Set(fc.sample(query, { numRuns, seed }))].filter(isRead);

/** The logs that a query selects here if it is asked at a moment. */
function hitsOf(text: string, now: number): readonly number[] {
  const filter = resolve(parse(text).query, { schema, engine: engines.opensearch, now });
  return logs.flatMap((log, id) => (matchDocument(filter, toDocument(log)) ? [id] : []));
}

test(`${numRuns} dates and ranges of them (seed ${seed})`, async () => {
  const asked = queries.filter((text) => parse(text).findings.every(({ severity }) => severity !== 'error'));
  const differences: unknown[] = [];
  for (let at = 0; at < asked.length; at += 200) {
    const some = asked.slice(at, at + 200);
    const before = Date.now();
    const answers = await indexed.search(some);
    const after = Date.now();
    for (const [index, text] of some.entries()) {
      const answer = answers[index];
      const found = answer && 'hits' in answer ? answer.hits.join() : JSON.stringify(answer);
      // An hour, a day or a month may begin while the server answers.
      if (found !== hitsOf(text, before).join() && found !== hitsOf(text, after).join())
        differences.push({
          text,
          ours: hitsOf(text, before).length,
          server: found.split(',').length,
          found: found.slice(0, 100),
        });
    }
  }
  expect([asked.length > numRuns / 2, differences.length, differences.slice(0, 40)]).toEqual([true, 0, []]);
});
