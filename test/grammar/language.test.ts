import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CountedValue, complete } from '../../src/language/assist/complete.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';

const manual = readFileSync(new URL('../../grammar/language.md', import.meta.url), 'utf8');

/** The logs of the table at the top of the page. */
const logs = [...manual.matchAll(/^\| \d \|(.*)\|$/gm)].map(([, row = '']) => {
  const [logLevel, logCode, source, elapsed, msg] = row.split('|').map((cell) => cell.trim());
  return {
    logLevel,
    logCode: Number(logCode),
    source,
    msg,
    ...(elapsed && { elapsed: Number(elapsed) }),
  };
});

const examples = [...manual.matchAll(/^```query\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.trimEnd().split('\n'))
  .map((line) => {
    const [, query = '', selected = ''] = /^(.*\S) {2,}(none|[\d ]+)$/.exec(line) ?? [];
    return { query, selected };
  });

test('the page has its logs and examples', () => {
  expect(logs).toHaveLength(6);
  expect(examples.length).toBe(58);
});

test.each(examples)('$query selects $selected', ({ query, selected }) => {
  const { query: tree, findings } = parse(query);
  expect(findings).toEqual([]);
  const filter = resolve(tree);
  const found = [...logs.entries()].filter(([, log]) => match(filter, log)).map(([index]) => index + 1);
  expect(found.join(' ') || 'none').toBe(selected);
});

const completions = [...manual.matchAll(/^```complete\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.trimEnd().split('\n'))
  .map((line) => {
    const [, query = '', first = ''] = /^(.*\|.*?) {2,}(.+)$/.exec(line) ?? [];
    return { query, first };
  });

/** The values that the fields of the logs have, the most frequent first. */
const values = new Map(
  ['source', 'elapsed'].map(
    (field) => [field, countedValues(logs.map((log) => Object(log)[field]))] as const,
  ),
);

function countedValues(all: readonly (string | number | undefined)[]): CountedValue[] {
  const counts = new Map<string | number, number>();
  for (const value of all) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compare(a, b));
}

function compare({ value: a }: CountedValue, { value: b }: CountedValue): number {
  return a < b ? -1 : 1;
}

test('the page has its completions', () => expect(completions).toHaveLength(12));

test.each(completions)('$query is completed by $first', ({ query, first }) => {
  const cursor = query.indexOf('|');
  const { suggestions } = complete(query.replace('|', ''), cursor, { values });
  const inserts = suggestions.map(({ insert }) => insert.trim());
  expect(inserts.slice(0, first.split(', ').length).join(', ')).toBe(first);
});
