import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('explain', () => {
  test('says how the server takes each part, and where the ordinary reading differs', async () => {
    expect(await run(['explain', 'logLevel:SEVERE OR msg:timeout AND logCode:9003'])).toEqual({
      code: 0,
      out: `filters nothing  logLevel:SEVERE  the severity (logLevel) has the word "severe"
must match       msg:timeout      the message (msg) has the word "timeout"
must match       logCode:9003     the code of the message (logCode) is 9003
Read with NOT before AND and AND before OR it selects other logs; for instance the server does not select a log with logLevel: "severe"
`,
      err: '',
    });
  });

  test('says why a log is selected', async () => {
    const log = '{"message": "Request timed out", "code": 9003}';
    const explained = await run(['explain', 'msg:"timed out" AND logCode:9003', '--log', '-'], {
      input: log,
    });
    expect(explained).toEqual({
      code: 0,
      out: `found  must match  msg:"timed out"  in msg
found  must match  logCode:9003     in logCode
The log is selected
`,
      err: '',
    });
  });

  test('finds the log of a case by its id; not selected is the answer no', async () => {
    const path = join(folder, 'one.duckdb');
    {
      await using made = await openCase(path, { access: 'write', create: true });
      await addLogs(made, [{ msg: 'all is well' }], { part: 'test' });
    }
    const explained = await run(['explain', 'timeout', '--case', path, '--id', '1']);
    expect(explained).toEqual({
      code: 1,
      out: `not found  must match  timeout  a default field has the word "timeout"
The log is not selected
`,
      err: '',
    });
    expect((await run(['explain', 'timeout', '--case', path, '--id', '2'])).err).toContain(
      'has no log with the id 2',
    );
  });

  test('draws what is wrong with a broken query', async () => {
    const { code, out, err } = await run(['explain', 'a AND']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('"AND" requires something after it');
  });

  test('says first that the engine refuses a pattern, and then nothing about a log', async () => {
    const { code, out, err } = await run(['explain', 'a OR msg:/[/']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error: A character is missing at the end \[refused-pattern\]/),
    ]);
    expect(out).toContain('one of these must match  a ');
    const matched = await run(['explain', 'a OR msg:/[/', '--log', '-'], { input: '{"message": "a"}' });
    expect(matched).toMatchObject({ code: 1, out: '', err });
  });

  test.each([
    [['--log', 'x', '--case', 'y', '--id', '1'], '--log and --case exclude each other'],
    [['--case', 'y'], '--case requires --id ID'],
    [['--id', '1'], '--id requires --case CASE'],
    [['--log', '/nowhere/log.json'], 'cannot be read'],
    [['--fields', '/nowhere/fields.json'], 'cannot be read'],
  ])('%j is wrong usage', async (words, message) => {
    const { code, err } = await run(['explain', 'a', ...words]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test.each([
    ['[]', 'must hold one log: a JSON object'],
    ['{', 'must be JSON'],
  ])('%s is no log', async (input, message) => {
    const { code, err } = await run(['explain', 'a', '--log', '-'], { input });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('compare', () => {
  test('queries that select the same logs', async () => {
    expect(await run(['compare', 'a OR b AND c', 'b AND c'])).toEqual({
      code: 0,
      out: 'The queries select the same logs.\n',
      err: '',
    });
  });

  test('queries that differ, with an example', async () => {
    expect(await run(['compare', 'a OR b AND c', 'b AND c', '--reading', 'ordinary'])).toEqual({
      code: 1,
      out: 'The queries differ: the first one selects all logs of the second, and others.\nOnly the first one selects this log:\n  msg: a\nBoth select this log:\n  msg: b c\n',
      err: '',
    });
    expect(await run(['compare', 'NOT a', 'b'])).toMatchObject({
      out: 'The queries differ: some logs are selected by both, others by one of them.\nOnly the first one selects this log:\n  a log without any field\nOnly the second one selects this log:\n  msg: b a\nBoth select this log:\n  msg: b\n',
    });
  });

  test('queries with no log in common, and one that selects nothing', async () => {
    expect((await run(['compare', 'logCode:1', 'NOT logCode:1'])).out).toContain(
      'no log is selected by both.',
    );
    const { out } = await run(['compare', 'msg:*foo-bar*', 'a']);
    expect(out).toContain('The first one selects nothing.\nOnly the second one selects this log:');
    expect((await run(['compare', 'msg:*foo-bar*', 'msg:x* AND NOT msg:x*'])).out).toBe(
      'The queries select the same logs: none at all.\n',
    );
    expect(JSON.parse((await run(['compare', 'a AND b', 'a', '--json'])).out)).toMatchObject({
      same: false,
      relation: 'within',
      empty: [],
      examples: { onlyB: { msg: 'a' }, both: { msg: 'a b' } },
    });
  });

  test('the fields of a deployment decide', async () => {
    const fields = join(folder, 'fields.json');
    await writeFile(fields, '{"fields": [{"name": "logLevel", "type": "keyword"}]}');
    const words = ['compare', 'logLevel:severe', 'logLevel:SEVERE'];
    expect((await run(words)).code).toBe(0);
    expect((await run([...words, '--fields', fields])).code).toBe(1);
  });

  test('fields that are none are wrong usage, with the place', async () => {
    const fields = join(folder, 'wrong.json');
    await writeFile(fields, '{"fields": [{"name": "a", "type": "number"}]}');
    const { code, err } = await run(['compare', 'a', 'b', '--fields', fields]);
    expect(code).toBe(2);
    expect(err).toContain('is not a description of fields: At "fields.0.type": A field requires a type');
    await writeFile(fields, 'fields: a');
    expect((await run(['compare', 'a', 'b', '--fields', fields])).err).toContain('must be JSON');
  });

  test('a broken query is the answer no', async () => {
    const { code, err } = await run(['compare', 'a', '(b']);
    expect(code).toBe(1);
    expect(err).toContain('This parenthesis is not closed');
  });

  test('so is one with a pattern that the engine refuses', async () => {
    for (const two of [
      ['msg:/[/', 'a'],
      ['a', 'a OR msg:/[/'],
    ] as const)
      expect(await run(['compare', ...two])).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/^error: A character is missing at the end \[refused-pattern\]/),
      });
  });

  test('JSON has the queries and an example of each part', async () => {
    const { out } = await run(['compare', 'a', 'b', '--json']);
    expect(JSON.parse(out)).toEqual({
      a: 'a',
      b: 'b',
      same: false,
      relation: 'overlapping',
      empty: [],
      examples: { onlyA: { msg: 'a' }, onlyB: { msg: 'b' }, both: { msg: 'a b' } },
    });
  });
});

describe('translate', () => {
  test('to the Query DSL', async () => {
    const { code, out } = await run(['translate', 'msg:timeout', '--to', 'elasticsearch']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ query: { term: { msg: { value: 'timeout' } } } });
  });

  test('to SQL that runs as it is', async () => {
    expect(await run(['translate', 'msg:"timed out" AND logCode:[9000 TO *]', '--to', 'duckdb'])).toEqual({
      code: 0,
      out: `SELECT * FROM logs WHERE ((contains(lower("msg"), 'timed') AND contains(lower("msg"), 'out') AND contains(words("msg"), ' timed out ')) AND "logCode" >= 9000)
`,
      err: '',
    });
  });

  test('to text on which both readings agree', async () => {
    expect((await run(['translate', 'msg:a OR msg:b AND NOT msg:c', '--to', 'text'])).out).toBe(
      'msg:b AND NOT msg:c\n',
    );
  });

  test('says what is lost, and the answer is then no', async () => {
    const { code, out, err } = await run(['translate', 'msg:/a|b/', '--to', 'text']);
    expect(code).toBe(1);
    expect(out).not.toBe('');
    expect(err).toContain('Not translated exactly: ');
  });

  test('to text in the fields of a deployment', async () => {
    const fields = join(folder, 'tenants.json');
    await writeFile(fields, '{"fields": [{"name": "tenant", "type": "keyword"}]}');
    expect(await run(['translate', 'tenant:"North West"', '--to', 'text', '--fields', fields])).toEqual({
      code: 0,
      out: 'tenant:"North West"\n',
      err: '',
    });
  });

  test('says what DuckDB alone cannot do', async () => {
    const { code, out, err } = await run(['translate', 'msg:"timed out"~2', '--to', 'duckdb']);
    expect(code).toBe(1);
    const word = (text: string) =>
      `(contains(lower("msg"), '${text}') AND contains(words("msg"), ' ${text} '))`;
    expect(out).toContain(`(${word('timed')} AND ${word('out')})`);
    expect(err).toContain('DuckDB has no condition for this phrase on "msg"');
  });

  test('keeps boosts and dates counted from now for Elasticsearch', async () => {
    const query = 'msg:a^2 AND time:[now-1d/d TO now]';
    const { code, out } = await run(['translate', query, '--to', 'elasticsearch', '--json']);
    expect(code).toBe(0);
    const time = { gte: 'now-1d/d', lte: 'now', format: 'epoch_millis' };
    expect(JSON.parse(out)).toMatchObject({
      query: { bool: { must: [{ term: { msg: { value: 'a', boost: 2 } } }, { range: { time } }] } },
      losses: [],
    });
  });

  test.each(['duckdb', 'text'])('says to %s that a boost is lost', async (target) => {
    const { code, err } = await run(['translate', 'msg:a^2', '--to', target]);
    expect([code, err]).toEqual([1, expect.stringContaining('Its boost 2 is left out')]);
  });

  test('says to DuckDB that now is frozen, and keeps it as text', async () => {
    const query = 'time:[now-1d/d TO *]';
    expect((await run(['translate', query, '--to', 'duckdb'])).err).toContain('"now-1d/d" is fixed at ');
    expect(await run(['translate', query, '--to', 'text'])).toEqual({ code: 0, out: `${query}\n`, err: '' });
  });

  test('reads and writes for the engine that is named', async () => {
    const lucene = ['--to', 'text', '--engine', 'lucene'];
    expect((await run(['translate', 'msg:a AND NOT msg:b', ...lucene])).out).toBe(
      'msg:a AND (*:* AND NOT msg:b)\n',
    );
    const elastic = ['--to', 'elasticsearch', '--engine', 'elasticsearch', '--json'];
    const { out } = await run(['translate', 'msg:tile~ AND msg:*', ...elastic]);
    expect(JSON.parse(out)).toMatchObject({
      query: {
        bool: {
          must: [
            { fuzzy: { msg: { value: 'tile', fuzziness: 1, max_expansions: 50 } } },
            { exists: { field: 'msg' } },
          ],
        },
      },
      losses: [],
    });
  });

  test('requires a target and a sound query', async () => {
    expect((await run(['translate', 'a'])).code).toBe(2);
    expect((await run(['translate', 'a AND', '--to', 'text'])).code).toBe(1);
  });
});

describe('--engine', () => {
  test('says what the engine refuses', async () => {
    const { code, out } = await run(['check', 'msg:*out', '--dialect', 'lucene', '--engine', 'lucene']);
    expect([code, out]).toEqual([1, expect.stringContaining('[refused-pattern]')]);
    expect((await run(['check', 'msg:*out', '--dialect', 'lucene'])).code).toBe(0);
  });

  test('compares and explains queries as the engine reads them', async () => {
    expect((await run(['compare', 'msg:*', 'msg:[* TO *]'])).code).toBe(0);
    const { code, out } = await run(['compare', 'msg:*', 'msg:[* TO *]', '--engine', 'elasticsearch']);
    expect([code, out]).toEqual([1, expect.stringContaining('Only the first one selects this log')]);
    const explained = await run(['explain', 'msg:tile~', '--engine', 'elasticsearch']);
    expect(explained.out).toContain('one of the 50 nearest of the index, at most 1 edit away from "tile"');
  });

  test('searches, counts and asks SQL as the engine does', async () => {
    const path = join(folder, 'engines.duckdb');
    {
      await using made = await openCase(path, { access: 'write', create: true });
      await addLogs(
        made,
        [
          { msg: '---', time: 1 },
          { msg: 'a', time: 2 },
        ],
        { part: 'test' },
      );
    }
    const engine = ['--engine', 'elasticsearch'];
    expect((await run(['search', 'msg:*', path, '--count'])).out).toBe('1\n');
    expect((await run(['search', 'msg:*', path, '--count', ...engine])).out).toBe('2\n');
    expect((await run(['top', 'msg', path, '--search', 'msg:*', ...engine, '--json'])).out).toContain(
      '"---"',
    );
    expect((await run(['histogram', path, '--search', 'msg:*', ...engine, '--json'])).out).toContain(
      '"total": 2',
    );
    const sql = `SELECT count(*) AS n FROM logs WHERE matches('msg:*')`;
    expect((await run(['sql', sql, path, '--raw-csv', ...engine])).out).toContain('2');
    const refused = await run(['search', '*a', path, '--engine', 'lucene']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('[refused-pattern]')]);
    expect((await run(['search', 'a', path, '--engine', 'solr'])).code).toBe(2);
  });
});

describe('format --explicit', () => {
  test('writes what the server makes of a query, and says what is left out', async () => {
    expect(
      await run(['format', '--explicit', 'logLevel:SEVERE OR msg:timeout AND NOT msg:"---" source:a']),
    ).toEqual({
      code: 0,
      out: 'msg:timeout\n',
      err: `Left out: logLevel:SEVERE filters nothing.
Left out: NOT msg:"---" disappears, because analysis leaves no word of it.
Left out: source:a filters nothing.
`,
    });
  });

  test('or what an ordinary reader means', async () => {
    const words = ['format', '--explicit', '--reading', 'ordinary', 'a OR b AND NOT c'];
    expect(await run(words)).toMatchObject({ code: 0, out: 'a OR (b AND NOT c)\n', err: '' });
  });

  test('JSON lists what is left out', async () => {
    const { out } = await run(['format', '--explicit', '--json', 'a OR b AND c']);
    expect(JSON.parse(out)).toMatchObject([
      { formatted: 'b AND c', dropped: [{ from: 0, to: 1, reason: 'filters-nothing' }] },
    ]);
  });
});

describe('check', () => {
  test('takes findings as seriously as asked', async () => {
    expect(await run(['check', 'nosuch:a', '--severity', 'unknown-field=error'])).toMatchObject({ code: 1 });
    expect(await run(['check', 'nosuch:a', '--severity', 'unknown-field=off'])).toEqual({
      code: 0,
      out: '',
      err: 'No findings in 1 query.\n',
    });
  });

  test.each([
    ['nosuch-code=off', 'must name the code of a configurable finding'],
    ['unknown-field=loud', 'must have one of error, warning, hint, off after "unknown-field="'],
  ])('%s is wrong usage', async (severity, message) => {
    const { code, err } = await run(['check', 'a', '--severity', severity]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('writes SARIF with the place of each finding', async () => {
    const path = join(folder, 'queries.txt');
    await writeFile(path, 'timeout\nmsg:timeout AND\n');
    const { code, out } = await run(['check', '--file', path, '--sarif']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          results: [
            {
              ruleId: 'missing-operand',
              level: 'error',
              locations: [{ physicalLocation: { region: { startLine: 2, startColumn: 13, endColumn: 16 } } }],
            },
          ],
        },
      ],
    });
  });
});
