import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interrupted } from '../../src/cli/terminal/terminal.ts';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { type Served, serveDeployment } from '../../src/emulator/serve.ts';
import { largeTest } from '../large-test.ts';
import { toZip } from '../store/zips.ts';
import { run } from './run-in-process.ts';

/*
 * Output of the commands, tried without a process for each: what only a process
 * shows (signals, pipes, exit codes, what is left behind) is in test/e2e.
 */

let folder: string;
let served: Served;
let environment: Record<string, string>;
const deployment = createDeployment({
  logs: incidentLogs({ count: 300 }),
  users: [{ username: 'ann', password: 'pw' }],
  pace: { queued: 0, running: 0, perLog: 0 },
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  served = await serveDeployment(await deployment);
  environment = { LOGQUARRY_URL: served.url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'pw' };
  await writeFile(
    at('three.ndjson'),
    '{"time":1000,"logLevel":"INFO","logCode":1,"msg":"a"}\n{"time":2000,"msg":"b, \\"c\\"","username":"ann","pod":{"x":1}}\nnonsense\n{"time":3000,"msg":"a d"}\n',
  );
  // One of its lines is no log.
  expect((await run(['import', at('three.ndjson'), '--into', at('three.duckdb')])).code).toBe(4);
});
afterAll(async () => {
  await served.close();
  await (await deployment)[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function at(name: string): string {
  return join(folder, name);
}

test('a terminal gets no control characters of a query that is formatted, a pipe the very text', async () => {
  const query = 'msg:"a\u001b[31m\u202eb"';
  expect((await run(['format', query])).out).toBe(`${query}\n`);
  expect((await run(['format', query], { width: 80 })).out).toBe('msg:"a\\x1b[31m\\u202eb"\n');
});

largeTest('times that cannot be milliseconds are said, and --time-unit says what they are', async () => {
  await writeFile(at('micros.ndjson'), '{"time":1741766400123456,"msg":"a"}\n');
  const given = ['import', at('micros.ndjson'), '--into'];
  const assumed = await run([...given, at('assumed.duckdb')]);
  expect(assumed.err).toMatch(/time of 1 log is a number that cannot be milliseconds.*--time-unit/);
  const told = await run([...given, at('told.duckdb'), '--time-unit', 'us', '--log-zone', '+02:00']);
  expect(told.err).toMatch(/^The case has 1 log, /);
  const time = '"time":1741766400123';
  expect((await run(['search', '*:*', at('told.duckdb'), '--ndjson'])).out).toContain(time);
  expect((await run(['verify', at('told.duckdb')])).code).toBe(0);
  const found = await run(['search', '*:*', at('micros.ndjson'), '--time-unit', 'us', '--ndjson']);
  expect(found.out).toContain(time);
  expect((await run([...given, at('x.duckdb'), '--time-unit', 'days'])).code).toBe(2);
  expect((await run([...given, at('x.duckdb'), '--log-zone', '+99:99'])).err).toContain('-18:00 to +18:00');
});

test('a long name of an entry fills no message', async () => {
  const name = 'n'.repeat(60_000);
  await writeFile(at('long.zip'), toZip([{ name, content: 'nonsense', checksum: 7 }]));
  const { out, err } = await run(['import', at('long.zip'), '--into', at('long.duckdb')]);
  expect(err).toContain('WRONG_CRC');
  expect(out.length + err.length).toBeLessThan(2_000);
});

describe('import', () => {
  test('tells of every part', async () => {
    await writeFile(at('no-logs.txt'), 'nothing of the kind\n'.repeat(3));
    const { code, out, err } = await run([
      'import',
      at('three.ndjson'),
      at('no-logs.txt'),
      '--into',
      at('import.duckdb'),
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^file +entry +format +logs +unreadable +remark\nthree\.ndjson +three\.ndjson +ndjson +3 +1\nno-logs\.txt .* not loaded\n$/,
    );
    expect(err).toContain('"three.ndjson": 1 record could not be read; the view "unreadable" has it.');
    expect(err).toMatch(/"no-logs\.txt" was not loaded: .+ \[\w+\]/);
  });

  test('names the archive of an entry that there is something to say of', async () => {
    const zip = toZip([
      { name: 'logs.ndjson', content: '{"msg":"a"}\nnonsense\n' },
      { name: 'damaged.ndjson', content: '{"msg":"b"}\n', checksum: 7 },
    ]);
    await writeFile(at('some.zip'), zip);
    const { code, err } = await run(['import', at('some.zip'), '--into', at('zip.duckdb')]);
    expect(code).toBe(1);
    expect(err).toContain('"logs.ndjson" of "some.zip": 1 record could not be read');
    expect(err).toContain('"damaged.ndjson" of "some.zip" was not loaded: ');
  });

  test('takes no cases', async () => {
    expect(await run(['import', at('three.duckdb'), '--into', at('other.duckdb')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is already a case'),
    });
  });

  test('says that a file holds nothing', async () => {
    await writeFile(at('none.json'), '[]');
    const { code, out } = await run(['import', at('none.json'), '--into', at('none.duckdb')]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/ 0 +0 +holds no logs\n$/) });
  });

  test('leaves no case behind that nothing came into', async () => {
    await writeFile(at('broken.zip'), 'PK\u0003\u0004 and no end');
    const words = ['import', at('broken.zip'), '--into', at('broken.duckdb')];
    expect(await run(words)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /\[TRUNCATED_ZIP\]\n"[^"]*broken\.duckdb" was not created, because there was nothing to store\.\n$/,
      ),
    });
    expect(JSON.parse((await run([...words, '--json'])).out)).toEqual({ files: [], overlaps: [] });
    const signal = AbortSignal.abort(new Interrupted('Interrupted'));
    const interrupted = await run(['import', at('three.ndjson'), '--into', at('broken.duckdb')], { signal });
    expect(interrupted).toMatchObject({ code: 130, err: expect.stringContaining('was not created') });
    expect((await readdir(folder)).filter((name) => name.startsWith('broken.'))).toEqual(['broken.zip']);
  });

  largeTest('keeps a new case that says what could not be loaded, and one that was there', async () => {
    await writeFile(at('noise.bin'), 'noise\n'.repeat(3));
    await writeFile(at('cut.zip'), 'PK\u0003\u0004 and no end');
    const noise = await run(['import', at('noise.bin'), '--into', at('noise.duckdb')]);
    expect(noise).toMatchObject({ code: 1, err: expect.not.stringContaining('was not created') });
    const parts = await run(['sql', 'SELECT file, problem FROM parts', at('noise.duckdb'), '--csv']);
    expect(parts.out).toBe('file,problem\nnoise.bin,NOT_LOGS\n');
    const cut = await run(['import', at('cut.zip'), '--into', at('noise.duckdb'), '--json']);
    expect([cut.code, JSON.parse(cut.out)]).toEqual([1, { case: at('noise.duckdb'), files: [] }]);
    expect((await run(['verify', at('noise.duckdb')])).code).toBe(0);
  });

  test('requires a case', async () => {
    expect(await run(['import', at('three.ndjson')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--into CASE is required'),
    });
  });
});

describe('search', () => {
  test('prints a table', async () => {
    expect(await run(['search', 'msg:a', at('three.duckdb')])).toEqual({
      code: 0,
      out: `id  time (UTC)               level  code  source  user  message
 3  1970-01-01 00:00:03.000                             a d
 1  1970-01-01 00:00:01.000  INFO      1                a
`,
      err: '2 logs.\n',
    });
  });

  largeTest('prints a table of many logs in pieces', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => `{"time":${index},"msg":"log ${index}"}`);
    await writeFile(at('many.ndjson'), lines.join('\n'));
    await run(['import', at('many.ndjson'), '--into', at('many.duckdb')]);
    const { out, err } = await run(['search', '*:*', at('many.duckdb'), '--all', '--oldest']);
    expect(out.split('\n').length).toBe(2502);
    expect(out.match(/^ *id/gm)?.length).toBe(1);
    expect(err).toBe('2,500 logs.\n');
    const narrow = await run(['search', '*:*', at('many.duckdb'), '--all', '--oldest'], { width: 30 });
    expect(narrow.out.split('\n\n').length).toBe(2500);
    expect(narrow.out.split('\n\n')[1000]).toMatch(
      /^id +1001\ntime \(UTC\) +1970-01-01\n +00:00:01\.000\nlevel/,
    );
    const { err: cut } = await run(['search', '*:*', at('many.duckdb'), '--oldest', '--limit', '1']);
    expect(cut).toBe(
      'The oldest 1 of 2,500 logs; --limit N or --all shows more, --after 0:0:1 the next page.\n',
    );
  });

  test('prints JSON with all that is known of a log', async () => {
    const { out } = await run(['search', 'username:ann', at('three.duckdb'), '--json']);
    expect(JSON.parse(out)).toMatchObject({
      query: 'username:ann',
      order: 'newest',
      total: 1,
      logs: [
        { entry: 'three.ndjson', position: 2, log: { time: 2000, msg: 'b, "c"' }, extra: { pod: { x: 1 } } },
      ],
    });
  });

  test('counts', async () => {
    expect(await run(['search', 'msg:a', at('three.duckdb'), '--count'])).toEqual({
      code: 0,
      out: '2\n',
      err: '',
    });
    const { out } = await run(['search', 'msg:a', at('three.duckdb'), '--count', '--json']);
    expect(JSON.parse(out)).toEqual({ query: 'msg:a', count: 2 });
  });

  test('two forms exclude each other', async () => {
    for (const [first = '', ...second] of [
      ['--json', '--ndjson'],
      ['--csv', '--raw-csv'],
      ['--markdown', '--parquet', 'x'],
    ])
      expect(await run(['search', 'a', at('three.duckdb'), first, ...second])).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${first} and ${second[0]} exclude each other`),
      });
  });

  test('goes on where the page before ended', async () => {
    const ids = [];
    let after: string | undefined;
    do {
      const words = after === undefined ? [] : ['--after', after];
      const page = await run(['search', '*:*', at('three.duckdb'), '--limit', '2', '--json', ...words]);
      const { logs, after: next } = JSON.parse(page.out);
      ids.push(...logs.map(({ id }: { id: number }) => id));
      after = next;
    } while (after !== undefined);
    expect(ids).toEqual([3, 2, 1]);
    expect((await run(['search', '*:*', at('three.duckdb'), '--after', '1000:0:1'])).err).toBe(
      'There are no logs after that position.\n',
    );
    expect(await run(['search', '*:*', at('three.duckdb'), '--after', 'x'])).toMatchObject({ code: 2 });
  });

  test('runs straight on files, and says what it could not read', async () => {
    await writeFile(
      at('server.log'),
      '<Msg time="1970-01-01T02:00:02,5" type="INFO" code="7">a</Msg>\n<Msg time="1970',
    );
    const before = await readdir(folder);
    const { code, out, err } = await run([
      'search',
      'msg:a',
      at('three.ndjson'),
      at('server.log'),
      '--log-zone',
      '+02:00',
    ]);
    expect(code).toBe(0);
    expect(out).toBe(`case          id  time (UTC)               level  code  source  user  message
three.ndjson   3  1970-01-01 00:00:03.000                             a d
server.log     4  1970-01-01 00:00:02.005  INFO      7                a
three.ndjson   1  1970-01-01 00:00:01.000  INFO      1                a
`);
    expect(err).toContain('"three.ndjson": 1 record could not be read.');
    expect(err).toContain(
      '"server.log": time of 1 log names no zone and was read as +02:00; --log-zone sets another.',
    );
    expect(err).toContain('3 logs.');
    expect(await readdir(folder)).toEqual(before);
    expect(await run(['search', 'a', at('three.ndjson'), '--log-zone', 'Mars'])).toMatchObject({ code: 2 });
  });

  test('runs on a case and a file together, in one order', async () => {
    const { out, err } = await run([
      'search',
      '*:*',
      at('three.duckdb'),
      at('three.ndjson'),
      '--limit',
      '3',
      '--ndjson',
    ]);
    const logs = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(logs.map(({ case: name, id }) => `${name} ${id}`)).toEqual([
      'three.duckdb 3',
      'three.ndjson 3',
      'three.duckdb 2',
    ]);
    expect(err).toContain('The newest 3 of 6 logs');
    const [, place = ''] = /--after (\S+) /.exec(err) ?? [];
    const rest = await run([
      'search',
      '*:*',
      at('three.duckdb'),
      at('three.ndjson'),
      '--after',
      place,
      '--csv',
    ]);
    expect(
      rest.out
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual(['three.ndjson', 'three.duckdb', 'three.ndjson']);
  });

  test('shows what came before and after', async () => {
    const { out } = await run(['search', 'username:ann', at('three.duckdb'), '--context', '1', '--oldest']);
    expect(
      out
        .split('\n')
        .slice(1)
        .map((line) => line.slice(0, 6).trim()),
    ).toEqual(['1', '>   2', '3', '']);
    const { out: json } = await run([
      'search',
      'username:ann',
      at('three.duckdb'),
      '--context',
      '1',
      '--json',
    ]);
    expect(JSON.parse(json).logs.map(({ isHit }: { isHit: boolean }) => isHit)).toEqual([false, true, false]);
    expect(await run(['search', 'a', at('three.duckdb'), '--context', '1', '--parquet', 'x'])).toMatchObject({
      code: 2,
    });
  });

  test('writes CSV that a spreadsheet takes for text, Markdown without markup, and Parquet', async () => {
    await writeFile(
      at('evil.ndjson'),
      `${['=cmd|x', '+1', '-1', '@a', '\ta', '|*a*<b>'].map((msg, time) => JSON.stringify({ time, msg, logCode: -5 })).join('\n')}\n`,
    );
    const { out: csv } = await run(['search', '*:*', at('evil.ndjson'), '--oldest', '--csv']);
    const cells = csv
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(2, 5));
    expect(cells).toEqual([
      ['-5', '', "'=cmd|x"],
      ['-5', '', "'+1"],
      ['-5', '', "'-1"],
      ['-5', '', "'@a"],
      ['-5', '', "'\ta"],
      ['-5', '', '|*a*<b>'],
    ]);
    const { out: raw } = await run(['search', '*:*', at('evil.ndjson'), '--oldest', '--raw-csv']);
    expect(raw).toContain(',=cmd|x,');
    const { out: markdown } = await run(['search', '*:*', at('evil.ndjson'), '--markdown']);
    expect(markdown).toContain('| \\|\\*a\\*\\<b\\> |');
    const file = at('evil.parquet');
    const { code, out, err } = await run(['search', 'NOT msg:a', at('evil.ndjson'), '--parquet', file]);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^"evil.ndjson": time of 6 logs is implausible: 1970-01-01/);
    expect(err.split('\n').at(-2)).toBe(`3 of 3 logs written to "${file}".`);
    expect((await readFile(file)).subarray(0, 4).toString()).toBe('PAR1');
  });
});

describe('trace', () => {
  test('shows the logs of a request, and how long after one another they came', async () => {
    const lines = [
      [5, 'r-1'],
      [1, 'r-1'],
      [3, 'r-2'],
      [9, 'r-1 r-1'],
      [31_005, 'r-1'],
    ].map(([time, requestID]) => JSON.stringify({ time, requestID, msg: `m${time}` }));
    await writeFile(at('requests.ndjson'), lines.join('\n'));
    const { code, out, err } = await run(['trace', 'r-1', at('requests.ndjson')]);
    expect({ code, said: err.split('\n').at(-2) }).toEqual({ code: 0, said: '3 logs in 31 s.' });
    expect(
      out
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(/ +/).at(-1)),
    ).toEqual(['m1', 'm5', 'm31005']);
    expect(out).toMatch(/^ +offset +gap +id /);
    expect(out).toMatch(/^ +0 +2 +1970/m);
    expect(out).toMatch(/^> +31004 +31000 +5 +1970/m);
    expect((await run(['trace', 'none', at('requests.ndjson')])).err).toContain(
      '\nNo log has the request "none".\n',
    );
    const { out: json } = await run(['trace', 'r-1', at('requests.ndjson'), '--json']);
    expect(JSON.parse(json)).toMatchObject([
      { offset: 0 },
      { offset: 4, pause: 4 },
      { offset: 31_004, pause: 31_000, isSlowest: true },
    ]);
    expect(json.match(/isSlowest/g)).toHaveLength(1);
    expect((await run(['trace', 'r-1', at('requests.ndjson'), '--parquet', at('r.parquet')])).err).toContain(
      '3 logs written to',
    );
  });

  test('lists the slowest requests: from first to last log, or by elapsed time', async () => {
    const logs = [
      { time: 0, requestID: 'a', source: 'Rest', elapsed: 0.5 },
      { time: 2000, requestID: 'a', source: 'Map', logLevel: 'SEVERE', elapsed: 1 },
      { time: 5000, requestID: 'b', source: 'Map', elapsed: 9.5, username: 'ann\u001b[31m' },
      { requestID: 'c', msg: 'no time' },
      { time: 1, source: 'no request', elapsed: 99 },
    ];
    await writeFile(at('slow.ndjson'), logs.map((log) => JSON.stringify(log)).join('\n'));
    const { code, out, err } = await run(['trace', '--slowest', at('slow.ndjson'), '--json']);
    expect([code, err.split('\n').at(-2)]).toEqual([0, '3 requests.']);
    expect(JSON.parse(out)).toMatchObject([
      { request: 'b', took: 9.5, elapsed: 9.5, logs: 1 },
      { request: 'a', took: 2, elapsed: 1, logs: 2, errors: 1, source: 'Map', first: 0, last: 2000 },
      { request: 'c', took: 0, logs: 1 },
    ]);
    const table = await run(['trace', '--slowest', at('slow.ndjson'), '--limit', '1'], { width: 160 });
    expect(table.out).toMatch(
      /^seconds +elapsed +logs .*\n +9\.500 +9\.500 +1 +0 +1970.* Map .*ann\\x1b.* b\n$/,
    );
    expect(table.err).toContain('\n1 request; --limit N shows more.\n');
    expect((await run(['trace', 'a'])).err).toContain('trace requires an id and at least one source');
    expect((await run(['trace', 'a', at('slow.ndjson'), '--limit', '1'])).err).toContain(
      'requires --slowest',
    );
  });
});

describe('options that do not go together', () => {
  test.each([
    ['search *:* CASE --count --parquet x.parquet', '--count and --parquet exclude each other'],
    ['search *:* CASE --count --context 1', '--count and --context exclude each other'],
    ['search *:* CASE --count --limit 5', '--count and --limit exclude each other'],
    ['search *:* CASE --count --after :0:1', '--count and --after exclude each other'],
    ['search *:* CASE --all --limit 20', '--all and --limit exclude each other'],
    ['search *:* CASE --best --oldest', '--best and --oldest exclude each other'],
    ['sql x CASE --limit 5 --parquet x.parquet', '--limit and --parquet exclude each other'],
    ['trace x CASE --json --parquet x.parquet', '--json and --parquet exclude each other'],
    ['top source CASE --csv --markdown', '--csv and --markdown exclude each other'],
    ['format a --reading ordinary', '--reading requires --explicit'],
    ['emulate --user ann', '--user requires --password-file FILE'],
    ['emulate --engine http://127.0.0.1:9200', 'The address of a search server is opensearch://HOST:PORT'],
    ['sign-in --user ann --token-file t', '--user and --token-file exclude each other'],
    ['sign-out --token-file t --token-command c', '--token-file and --token-command exclude each other'],
    ['properties list --insecure --ca c', '--insecure and --ca exclude each other'],
    ['catalog info --anonymous --token-in-url', '--anonymous and --token-in-url exclude each other'],
    ['catalog services --all --folder x', '--all and --folder exclude each other'],
    ['upgrade start x --into CASE', '--into requires --watch'],
    ['histogram CASE --every 0s', '--every must be a duration above 0, got "0s"'],
    ['index CASE --rebuild --remove', '--rebuild and --remove exclude each other'],
    ['check a --json --sarif', '--json and --sarif exclude each other'],
  ])('%s', async (line, message) => {
    const words = line.split(' ').map((word) => word.replace('CASE', at('three.duckdb')));
    expect(await run(words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });
});

describe('options that make no difference to each other', () => {
  test.each(['--all', '--oldest', '--best', '--json'])('--count %s', async (option) => {
    const { code, out } = await run(['search', 'msg:a', at('three.duckdb'), '--count', option]);
    expect([code, out]).toEqual([0, expect.stringMatching(/\b2\b/)]);
  });

  test('--all goes with the place of a page, and with what is around logs', async () => {
    for (const [option, value] of [
      ['--after', '3000:0:3'],
      ['--context', '1'],
    ] as const)
      expect(await run(['search', 'msg:a', at('three.duckdb'), '--all', option, value])).toMatchObject({
        code: 0,
      });
  });
});

describe('histogram', () => {
  test('draws logs over time', async () => {
    const { out, err } = await run(['histogram', at('three.duckdb'), '--every', '1s', '--by', 'logLevel']);
    expect(out).toBe(`time (UTC)           logs  (none)  INFO
1970-01-01 00:00:01     1       0     1  ██████████████████████████████████████████████████
1970-01-01 00:00:02     1       1     0  ██████████████████████████████████████████████████
1970-01-01 00:00:03     1       1     0  ██████████████████████████████████████████████████
`);
    expect(err).toBe('3 logs.\n');
  });

  test('counts what a query selects, as JSON too', async () => {
    const { out } = await run([
      'histogram',
      at('three.duckdb'),
      '--search',
      'msg:a',
      '--every',
      '1s',
      '--json',
    ]);
    expect(JSON.parse(out)).toEqual({
      every: 1000,
      buckets: [
        { start: 1000, count: 1 },
        { start: 2000, count: 0 },
        { start: 3000, count: 1 },
      ],
      total: 2,
      timeless: 0,
    });
    expect(await run(['histogram', at('three.duckdb'), '--search', 'nothing'])).toEqual({
      code: 0,
      out: '',
      err: 'No log with a time matches.\n',
    });
    expect(await run(['histogram', at('three.duckdb'), '--search', '(a'])).toMatchObject({
      code: 1,
      out: '',
    });
    await writeFile(at('far.ndjson'), '{"time":0}\n{"time":253402300799999}\n');
    expect(await run(['histogram', at('far.ndjson'), '--every', '1s'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--every is too short'),
    });
  });
});

describe('top', () => {
  test('counts the values of a field', async () => {
    const { out, err } = await run(['top', 'username', at('three.duckdb')]);
    expect(out).toBe('logs   share  username\n   2  66.7 %  (none)\n   1  33.3 %  ann\n');
    expect(err).toBe('3 logs.\n');
    expect((await run(['top', 'msg', at('three.duckdb'), '--limit', '1', '--csv'])).out).toBe(
      'msg,logs\na,1\n',
    );
    expect((await run(['top', 'msg', at('three.duckdb'), '--limit', '1'])).err).toContain(
      '2 of them with other values',
    );
    expect(
      JSON.parse((await run(['top', 'logCode', at('three.duckdb'), '--search', 'msg:a', '--json'])).out),
    ).toEqual({
      field: 'logCode',
      total: 2,
      values: [{ value: 1, count: 1 }, { count: 1 }],
      others: 0,
    });
    for (const field of ['levle', 'time'])
      expect(await run(['top', field, at('three.duckdb')])).toMatchObject({
        code: 2,
        err: expect.stringContaining(`, got "${field}"`),
      });
    expect(await run(['top', 'source', at('three.duckdb'), '--parquet', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown option '--parquet'"),
    });
  });
});

describe('verify', () => {
  test('says that all is as it came, or what is not', async () => {
    await run(['import', at('three.ndjson'), '--into', at('verified.duckdb')]);
    const { code, out } = await run(['verify', at('verified.duckdb')]);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^Intact: 1 original, 1 part, 3 logs, 1 unreadable record, 3 actions\.\nLast hash: [0-9a-f]{64}\n$/,
      ),
    });
    expect(await run(['verify', at('verified.duckdb'), '--head', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('[BAD_HEAD]'),
    });
    expect(await run(['verify', at('verified.duckdb'), '--head', 'a'.repeat(64)])).toMatchObject({
      code: 1,
      out: expect.stringContaining('HEAD_UNKNOWN'),
    });
    await rm(at('verified.duckdb.evidence'), { recursive: true });
    const altered = await run(['verify', at('verified.duckdb'), '--json']);
    expect(altered.code).toBe(1);
    expect(JSON.parse(altered.out).deviations).toMatchObject([{ code: 'FILE_MISSING' }]);
  });
});

describe('sql', () => {
  const sql = `SELECT id, msg, username, time FROM logs WHERE id = 2`;

  test('prints a table', async () => {
    expect(await run(['sql', sql, at('three.duckdb')])).toEqual({
      code: 0,
      out: 'id  msg     username  time\n 2  b, "c"  ann       1970-01-01 00:00:02\n',
      err: '1 row.\n',
    });
  });

  test('prints CSV, quoted where needed, with nothing for NULL', async () => {
    const { out } = await run([
      'sql',
      'SELECT msg, username FROM logs ORDER BY id',
      at('three.duckdb'),
      '--csv',
    ]);
    expect(out).toBe('msg,username\na,\n"b, ""c""",ann\na d,\n');
  });

  test('shows lists as JSON and a missing value as NULL', async () => {
    const { out } = await run(['sql', 'SELECT [1, 2] AS list, NULL AS nothing', at('three.duckdb')]);
    expect(out).toBe('list   nothing\n[1,2]     NULL\n');
  });

  test('--json and --csv exclude each other', async () => {
    expect(await run(['sql', sql, at('three.duckdb'), '--json', '--csv'])).toMatchObject({ code: 2 });
  });
});

describe('export', () => {
  test('tells what came', async () => {
    const { code, out, err } = await run(
      ['export', '--into', at('export.duckdb'), '--search', 'logCode:9003'],
      { environment },
    );
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^Export job \S+ is running at the deployment\.\nComplete, as far as can be proved: .+\nThe case has 2 logs, /,
      ),
    });
    expect(out).toMatch(/^Added \d+ logs to ".*export\.duckdb": 1 window, 3 calls, zips of .+\.\n$/);
  });

  test('draws what is doubtful about its query and goes on', async () => {
    const { code, err } = await run(['export', '--into', at('doubtful.duckdb'), '--search', 'levle:SEVERE'], {
      environment,
    });
    expect(code).toBe(0);
    expect(err).toContain('[unknown-field]');
    expect(err).toContain('The export is empty');
  });

  test('a case without an export cannot be resumed', async () => {
    const { code, err } = await run(['export', '--resume', at('three.duckdb')], { environment });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('NOTHING_TO_RESUME') });
  });

  test('an interruption before anything is done leaves no case', async () => {
    const signal = AbortSignal.abort(new Interrupted('Interrupted'));
    const { code, err } = await run(['export', '--into', at('never.duckdb')], { environment, signal });
    expect({ code, err }).toEqual({ code: 130, err: 'Interrupted.\n' });
    expect(await run(['search', 'a', at('never.duckdb')])).toMatchObject({ code: 2 });
  });
});

describe('the deployment and the tour', () => {
  test('emulate ends when it is asked to', async () => {
    const { signal, abort } = abortable();
    const { code, out, err } = await run(['emulate', '--port', '0', '--logs', at('three.ndjson')], {
      signal,
      onPrint: (text) => text.includes('holds 3 logs') && setImmediate(abort),
    });
    expect({ code, out }).toEqual({ code: 130, out: expect.stringContaining('holds 3 logs') });
    expect(err).toContain('1 record could not be read');
  });

  largeTest('demo tells the story', async () => {
    const { code, out } = await run(['demo', '--keep', at('demo.duckdb')], { width: 100 });
    expect(code).toBe(0);
    expect(out).toContain('complete.');
    for (const line of out.split('\n').filter((each) => / (SEVERE|WARNING) /.test(each)))
      expect(line.length).toBeLessThanOrEqual(100);
    expect(out).toContain(`The case is in ${at('demo.duckdb')}`);
  });
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Interrupted('Interrupted')) };
}
