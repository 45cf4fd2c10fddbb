import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from '../../src/language/parse.ts';
import { match } from '../../src/meaning/match.ts';
import { resolve } from '../../src/meaning/resolve.ts';

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
