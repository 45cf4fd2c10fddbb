import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatTable, uniquePrefixLength } from '../../src/cli/output/table.ts';
import { hasColours } from '../../src/cli/terminal/terminal.ts';
import { displayWidth, toStyle } from '../../src/cli/terminal/text.ts';
import { rounds, sampled } from '../effort.ts';
import { type Ran, run } from './run-in-process.ts';

const esc = String.fromCharCode(27);
const hit = (text: string) => `${esc}[7m${text}${esc}[27m`;
const note = (text: string) => `${esc}[2m${text}${esc}[22m`;
const red = (text: string) => `${esc}[31m${text}${esc}[39m`;

const long = `${'words before it '.repeat(12)}Zielort of the message`;
const logs = [
  { msg: 'Request timed out; it TIMED  OUT again', logLevel: 'SEVERE', logCode: 9003, username: 'timed' },
  { msg: 'waiting', stackTraces: 'Exception: timed out\n\tat a.b', logLevel: 'FINE', source: 'timed/Out' },
  { msg: `${esc}[31mred${esc}[0m timed\u202e out <b>`, logLevel: 'INFO' },
  { msg: long, logLevel: 'WARNING', logCode: 42 },
];

let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highlight-test-'));
  path = join(folder, 'case.duckdb');
  const file = join(folder, 'logs.ndjson');
  const lines = logs.map((log, index) => `${JSON.stringify({ time: 1741766400000 + index, ...log })}\n`);
  await writeFile(file, lines.join(''));
  await run(['import', file, '--into', path]);
});
afterAll(() => rm(folder, { recursive: true }));

function search(query: string, ...more: string[]): Promise<Ran> {
  return run(['search', query, path, '--oldest', '--color', 'always', ...more], { width: 120 });
}

describe('a hit', () => {
  test.each(
    sampled(
      [
        ['"timed out"', 'Request ', hit('timed out'), '; it ', hit('TIMED  OUT'), ' again'],
        ['msg:timed', 'Request ', hit('timed'), ' out; it ', hit('TIMED'), '  OUT again'],
        ['msg:tim*', 'Request ', hit('timed'), ' out; it ', hit('TIMED'), '  OUT again'],
        ['msg:o?t', 'timed ', hit('out'), '; it'],
        ['msg:/ti.ed/', 'Request ', hit('timed'), ' out'],
        ['msg:tined~', 'Request ', hit('timed'), ' out'],
        ['logCode:[9000 TO 9999]', `${esc}[39m  `, hit('9003')],
        ['username:timed', '  ', hit('timed'), '  Request timed out'],
        ['logLevel:SEVERE', hit('SEVERE'), '  9003'],
        ['msg:timed AND NOT msg:absent', hit('timed')],
      ],
      2,
    ),
  )('of %s is marked', async (query, ...pieces) => {
    expect((await search(query)).out).toContain(pieces.join(''));
  });

  test('in a field that is not shown is named', async () => {
    const { out } = await search('stackTraces:"timed out"');
    expect(out).toContain(`${note('[stackTraces]')} waiting\n`);
    const chosen = await search('username:timed', '--columns', 'id,msg');
    expect(chosen.out).toContain(`1  ${note('[user]')} Request timed out`);
  });

  test('in a column that a narrow terminal leaves out is named', async () => {
    const { out } = await run(['search', 'logCode:42', path, '--color', 'always'], { width: 100 });
    expect(out.split('\n')[0]).not.toContain('code');
    expect(out).toContain(`${note('[code]')} words before it`);
  });

  test('behind the end of a cut message is shown', async () => {
    const { out } = await search('Zielort');
    expect(out).toMatch(/ {2}….* it /);
    expect(out).toContain(`before it ${hit('Zielort')} of the message\n`);
  });

  test('of the options is not marked, nor one of a time', async () => {
    const { out } = await search('time:[* TO *]', '--level', 'SEVERE', '--from', '2025');
    expect(out).toContain(red('SEVERE'));
    expect(out).not.toContain('[7m');
    expect(out).not.toContain('[time]');
  });

  test.each(sampled([['--csv'], ['--json'], ['--ndjson'], ['--markdown']], 1))(
    'adds nothing to %s',
    async (format) => {
      const { out } = await search('timed', format);
      expect(out).not.toContain('[7m');
      expect(out).not.toContain('[stackTraces]');
    },
  );

  test('adds nothing to a table in a pipe', async () => {
    const { out } = await run(['search', 'timed', path, '--oldest']);
    expect(out).not.toContain(esc);
    expect(out).toContain('  waiting\n');
  });
});

test('a log has no esc sequence of its own, whatever is marked', async () => {
  const { out } = await search('msg:"timed out" OR msg:red OR msg:b');
  expect(out).toContain('\\x1b[31m');
  expect(out.replaceAll(new RegExp(`${esc}\\[(1|2|7|22|27|31|33|39)m`, 'g'), '')).not.toContain(esc);
});

test('marks change no width, and no text but that beyond the cut', () => {
  const style = toStyle(true);
  const plain = toStyle(false);
  const pieces = fc.constantFrom('a', 'bc', ' ', '字', '👩‍🚀', 'é', `${esc}[31m`, '\n', '\u202e');
  const text = fc.array(pieces, { maxLength: 30 }).map((each) => each.join(''));
  const cell = fc.tuple(text, fc.array(fc.nat(40), { maxLength: 6 })).map(([each, places]) => {
    const sorted = [...new Set(places.map((place) => Math.min(place, each.length)))].sort((a, b) => a - b);
    const spans = sorted.flatMap((from, index) => {
      const to = sorted[index + 1];
      return index % 2 === 0 && to !== undefined ? [{ from, to }] : [];
    });
    return { text: each, spans };
  });
  const columns = [{ name: 'id' }, { name: 'a', canShrink: true }, { name: 'b', canShrink: true }];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }),
      fc.option(fc.integer({ min: 12, max: 90 }), { nil: undefined }),
      (rows, width) => {
        const cells = rows.map(([a, b], index) => [String(index), a, b]);
        const marked = formatTable(columns, cells, { style, width });
        const bare = formatTable(columns, cells, { style: plain, width });
        expect(marked.map(withoutStyle)).toEqual(bare.map((line) => line.trimEnd()));
        expect(bare.join('')).not.toContain(esc);
        if (width !== undefined)
          for (const line of bare) expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, 20));
        if (width === undefined) {
          const names = rows.map((row) => row.map((each) => ({ ...each, spans: [] })));
          const unmarked = names.map((row, index) => [String(index), ...row]);
          expect(formatTable(columns, unmarked, { style: plain })).toEqual(bare);
        }
      },
    ),
    { numRuns: rounds(300) },
  );
});

function withoutStyle(line: string): string {
  return line.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '').trimEnd();
}

test.each(
  sampled(
    [
      ['auto', true, {}, true],
      ['auto', false, {}, false],
      ['auto', true, { NO_COLOR: '1' }, false],
      ['auto', true, { NO_COLOR: '' }, true],
      ['auto', true, { TERM: 'dumb' }, false],
      ['auto', false, { FORCE_COLOR: '1' }, true],
      ['auto', true, { FORCE_COLOR: '0' }, false],
      ['auto', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
      ['always', false, { NO_COLOR: '1' }, true],
      ['never', true, { FORCE_COLOR: '1' }, false],
    ] as const,
    2,
  ),
)('colours %s, on a terminal %s, with %j: %s', (choice, isTerminal, environment, expected) => {
  expect(hasColours({ choice, isTerminal, environment })).toBe(expected);
});

describe('short ids', () => {
  test('of a table have eight characters, or as many as keep them apart', () => {
    expect(uniquePrefixLength(['0123456789', 'abcdefghij'], 8)).toBe(8);
    expect(uniquePrefixLength(['0123456789', '0123456789'], 8)).toBe(8);
    expect(uniquePrefixLength(['0123456789a', '0123456789b', 'x'], 8)).toBe(11);
    expect(uniquePrefixLength(['abcdefghijk', 'abcdefghij'], 8)).toBe(11);
    expect(uniquePrefixLength([], 8)).toBe(8);
  });

  test('stay different', () => {
    const id = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 0, maxLength: 14 });
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        const length = uniquePrefixLength(ids, 8);
        expect(new Set(ids.map((each) => each.slice(0, length))).size).toBe(new Set(ids).size);
        if (8 < length)
          expect(new Set(ids.map((each) => each.slice(0, length - 1))).size).toBeLessThan(new Set(ids).size);
      }),
      { numRuns: rounds(300) },
    );
  });
});
