import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportWindows } from '../../src/export/run/export-windows.ts';
import { filterOfText } from '../../src/language/meaning/explicit.ts';
import { match } from '../../src/language/meaning/match.ts';
import { burstyLogs, sortedTexts, startWindows, textsOf } from '../export/exporting-windows.ts';

const logs = burstyLogs(400, { spread: 0.6 });
const middle = logs[200]?.time ?? 0;

/** Conditions that the structured filters can say, in part or not at all. */
const condition = fc.constantFrom(
  ...['logLevel:SEVERE', 'logLevel:(SEVERE OR WARNING)', 'logCode:9003', 'logCode:[9005 TO 9012]'],
  ...[
    'source:Sharing',
    'source:"Rest Catalog"',
    'msg:repeated',
    'msg:request',
    '"request 7"',
    'username:ann',
  ],
  ...[`time:[* TO ${middle}]`, `time:{${middle} TO *}`],
);

/** Mixed without parentheses as well, since the engine has no precedence. */
const query = fc
  .array(
    fc.record({
      joined: fc.constantFrom(' AND ', ' OR ', ' '),
      not: fc.boolean(),
      condition,
      group: condition,
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    parts
      .map(({ joined, not, condition: one, group }, index) => {
        const text = not ? `NOT ${one}` : index % 2 === 0 ? one : `(${one} OR ${group})`;
        return index === 0 ? text : joined + text;
      })
      .join(''),
  );

test('what is exported by a query is what it selects, whoever filters and however times are asked for', async () => {
  const ways = fc.constantFrom(
    ...([
      { via: 'query', windowBy: 'auto' },
      { via: 'search', windowBy: 'auto' },
      { via: 'search', windowBy: 'query' },
    ] as const),
  );
  await fc.assert(
    fc.asyncProperty(query, ways, fc.boolean(), async (search, way, windowWithSearch) => {
      await using setting = await startWindows({ logs, cap: 60, exports: { windowWithSearch } });
      const order = setting.order({ search, ...way });
      expect(await exportWindows({ ...setting, order })).toMatchObject({ complete: true, gaps: [] });
      const selected = logs.filter((log) => match(filterOfText(search, { now: order.given }), log));
      expect(await textsOf(setting.into)).toEqual(sortedTexts(selected));
    }),
    { numRuns: 20 },
  );
});
