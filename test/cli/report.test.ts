import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CellObject, read, utils } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleReport } from '../../src/analysis/report.ts';
import { saveExportChanges } from '../../src/case/contents/exports.ts';
import { addNote } from '../../src/case/contents/notes.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { firstPage } from '../../src/cli/report/first-page.ts';
import { reportPage } from '../../src/cli/report/report-page.ts';
import { reportMarkdown } from '../../src/cli/report/report-tables.ts';
import { reportWorkbook } from '../../src/cli/report/workbook.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { utcZone } from '../../src/records/time.ts';
import { largeTest } from '../large-test.ts';
import { hostileLogs, hostileTexts } from '../report/hostile.ts';
import { run } from './run-in-process.ts';

let folder = '';
let incident = '';
let hostile = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-test-'));
  incident = join(folder, 'incident.duckdb');
  await run(['import', 'samples/incident.ndjson', '--into', incident, '--no-index']);
  hostile = join(folder, 'hostile.duckdb');
  await using into = await openCase(hostile, { access: 'write', create: true });
  await addLogs(into, hostileLogs(Date.UTC(2025, 2, 11, 12)), { part: '=cmd' });
  await addNote(into, { logs: [1], text: '=1+1', tags: ['@tag'], author: '-ada' });
  await addNote(into, { logs: [1, 2], text: '', tags: ['seen'], author: 'bob' });
});
afterAll(() => rm(folder, { recursive: true }));

async function written(source: string, name: string, ...options: string[]): Promise<Buffer> {
  const path = join(folder, name);
  const { code, err } = await run(['report', source, '--out', path, ...options]);
  // A slow one shows its progress before.
  expect([code, err.split('\n')]).toEqual([0, expect.arrayContaining([`Written to "${path}".`])]);
  return await readFile(path);
}

describe('a workbook', () => {
  largeTest('opens in another library, with a sheet for each table and typed counts', async () => {
    const book = read(await written(incident, 'incident.xlsx'));
    expect(book.SheetNames).toEqual([
      ...[
        'Summary',
        'Timeline',
        'What changed',
        'Detections',
        'Services',
        'Errors',
        'Times of requests',
        'Waiting times',
        'Response times',
        'Slowest requests',
        'Patterns',
        'Logs',
        'Evidence',
      ],
    ]);
    const { Services: services, Timeline: timeline } = book.Sheets;
    expect([services?.A1, services?.B1, services?.A2, services?.B2].map((cell) => cell?.v)).toEqual([
      ...['source', 'logs', 'Utilities/Water.FeatureServer', 35],
    ]);
    expect([services?.A2?.t, services?.B2?.t]).toEqual(['s', 'n']);
    // A date as numbers of days since 1900, which a spreadsheet sorts and subtracts.
    expect(timeline?.A2).toMatchObject({
      t: 'n',
      v: expect.closeTo(45_727 + 30 / 1440, 8),
      w: '2025-03-11 00:30:00.000',
    });
    expect([timeline?.A1?.v, services?.F1?.v]).toEqual(['from (UTC)', 'first (UTC)']);
  });

  test('has no formula and no link, and no text begins as a formula', async () => {
    const book = read(await written(hostile, 'hostile.xlsx'));
    const cells = Object.values(book.Sheets).flatMap((sheet) =>
      Object.entries(sheet).flatMap(([place, cell]) => (place.startsWith('!') ? [] : [cell as CellObject])),
    );
    expect(cells.length).toBeGreaterThan(500);
    expect(cells.filter(({ f, l }) => f !== undefined || l !== undefined)).toEqual([]);
    const texts = cells.flatMap(({ v }) => (typeof v === 'string' ? [v] : []));
    expect(texts.filter((text) => /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text))).toEqual([]);
    expect(texts.join('')).not.toMatch(/[\u0000-\u001f\u202a-\u202e\u200b\u2066-\u2069]/);
    expect(texts).toContain("'=1+1");
  });
});

describe('Markdown', () => {
  test('has the sections, and escapes markup and addresses', async () => {
    const { out } = await run(['report', incident, '--to', 'md']);
    expect(out.match(/^## .+$/gm)).toEqual([
      ...[
        '## What this report covers',
        '## What the data cannot say',
        '## What changed',
        '## Detections',
        '## Services',
        '## Errors',
        '## Times of requests',
        '## Waiting times',
        '## Response times',
        '## Slowest requests',
        '## Patterns',
        '## Logs',
        '## Evidence',
      ],
    ]);
    const { out: odd } = await run(['report', hostile, '--to', 'md']);
    expect(/(?<!\\)[<>`]|(?<!\\)\]\(|(?<!\\):\/\/|www\.|[\u001b\u202e\u0000]/.exec(odd)?.[0]).toBeUndefined();
    // A row of each table has as many cells as its heading.
    for (const line of odd.split('\n').filter((each) => each.startsWith('| ')))
      expect(line.split(/(?<!\\)\|/).length).toBeGreaterThan(4);
  });
});

test('JSON has all of it, without a control character', async () => {
  const { out } = await run(['report', hostile, '--to', 'json', '--logs', '5']);
  const report = JSON.parse(out);
  expect(report.logs).toBe(hostileTexts.length + 2);
  // Five logs, and one with a note that is not among the most severe ones.
  expect(report.sample).toHaveLength(6);
  expect(report.notes).toMatchObject([{ text: '=1+1' }, { tags: ['seen'] }]);
  expect(out).not.toMatch(/[\u001b\u202e]/);
});

test('Timesketch gets every log with a time, oldest first, with tags and comments of notes', async () => {
  const { out, err } = await run(['report', hostile, '--to', 'timesketch']);
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toHaveLength(hostileTexts.length + 1);
  expect(err).toBe('1 log without a time left out: Timesketch requires one.\n');
  expect(events[0]).toMatchObject({
    message: hostileTexts[0],
    datetime: '2025-03-11T12:00:00.000+00:00',
    timestamp_desc: 'Log time',
    tag: ['@tag', 'seen'],
    comment: '-ada: =1+1',
    logLevel: 'SEVERE',
  });
  expect(events.every((event) => 'message' in event && 'datetime' in event)).toBe(true);
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u200b\u2066-\u2069]/);
});

largeTest('a report shows and reads times in a zone, in every format', async () => {
  const zone = ['--zone', '-03:30'];
  const { out } = await run(['report', incident, '--to', 'md', ...zone, '--from', '2025-03-12 04:00']);
  expect(out).toMatch(/^Made \S+ \S+ -03:30\. All times are in -03:30\.$/m);
  expect(out).toMatch(/^- logs: .* from 2025-03-12 04:10 -03:30 to 2025-03-12 \d\d:\d\d -03:30\.$/m);
  const [, logs = ''] = out.split('\n## Logs\n');
  const times = [...logs.matchAll(/^\| (20\S+ \S+ \S+) \|/gm)].map(([, time = '']) => time);
  expect(times[0]).toMatch(/^2025-03-12 04:\d\d:\d\d\.\d{3} -03:30$/);
  const zoneless = out.split('\n').filter((line) => / \d\d:\d\d(:[\d.]+)?(?! -03:30)(?![\d:.])/.test(line));
  expect(zoneless.filter((line) => !line.includes('1970'))).toEqual([]);

  const { Timeline, Summary } = read(await written(incident, 'zone.xlsx', ...zone)).Sheets;
  // A bar of half an hour begins at a half or full hour of the zone's clocks.
  expect([Timeline?.A1?.v, Timeline?.A2?.w]).toEqual(['from (-03:30)', '2025-03-10 21:00:00.000']);
  const texts = Object.values<CellObject>(Summary ?? {}).map(({ v }) => String(v));
  expect(texts.find((text) => text.startsWith('logs: '))).toContain(' -03:30 to ');

  const page = String(await written(incident, 'zone.html', ...zone));
  expect(page).toContain('From (-03:30)');
  expect(page.match(/<title>20[^<]*/g)?.every((title) => title.includes(' -03:30: '))).toBe(true);
});

largeTest('bars of days begin at midnight of the zone, and JSON keeps times as numbers', async () => {
  const source = join(folder, 'days.duckdb');
  {
    await using into = await openCase(source, { access: 'write', create: true });
    const start = Date.parse('2025-03-01T12:00:00Z');
    const logs = Array.from({ length: 120 }, (_, day) => ({ time: start + day * 86_400_000, msg: 'x' }));
    await addLogs(into, logs, { part: 'days' });
  }
  const timelineIn = async (zone: string) => {
    const { out } = await run(['report', source, '--to', 'json', '--zone', zone]);
    return JSON.parse(out).timeline;
  };
  expect(await timelineIn('UTC')).toMatchObject({
    start: Date.parse('2025-03-01T00:00Z'),
    every: 86_400_000,
  });
  expect(await timelineIn('Europe/Berlin')).toMatchObject({ start: Date.parse('2025-02-28T23:00Z') });
});

test('a report covers the logs of its options', async () => {
  const { out } = await run([
    ...['report', incident, '--to', 'json', '--from', '2025-03-12T08', '--until', '2025-03-12T09'],
    ...['--level', 'SEVERE', '--search', 'NOT msg:pool'],
  ]);
  const { logs, sample } = JSON.parse(out);
  const { out: counted } = await run([
    ...['search', 'NOT msg:pool', incident, '--from', '2025-03-12T08', '--to', '2025-03-12T09'],
    ...['--level', 'SEVERE', '--count'],
  ]);
  expect(logs).toBe(Number(counted));
  expect(sample).toHaveLength(logs);
});

test('search writes a workbook of all hits, with typed cells and no formula', async () => {
  const path = join(folder, 'logs.xlsx');
  const ran = await run(['search', 'logLevel:SEVERE', incident, '--oldest', '--xlsx', path], { width: 80 });
  expect([ran.code, ran.out, ran.err]).toEqual([0, '', expect.stringContaining(`Written to "${path}".`)]);
  const rows = utils.sheet_to_json<Record<string, unknown>>(read(await readFile(path)).Sheets.Logs ?? {});
  const { out } = await run(['search', 'logLevel:SEVERE', incident, '--oldest', '--ndjson']);
  const logs = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.map(({ id, logCode, msg }) => [id, logCode, msg])).toEqual(
    logs.map(({ id, log }) => [id, log.logCode, log.msg]),
  );
  // Times are dates: days since 1899-12-30, of which 1970-01-01 is number 25,569.
  expect(rows.map(({ time }) => Math.round((Number(time) - 25_569) * 86_400_000))).toEqual(
    logs.map(({ log }) => log.time),
  );
  // Logs hold personal data.
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  await run(['search', '*:*', hostile, '--xlsx', path]);
  const cells = Object.values(read(await readFile(path)).Sheets.Logs ?? {}) as CellObject[];
  expect(cells.filter(({ f, l }) => f !== undefined || l !== undefined)).toEqual([]);
  expect((await run(['search', '*:*', incident, '--xlsx', path, '--csv'])).code).toBe(2);
  expect((await run(['search', '*:*', incident, '--xlsx', incident])).err).toMatch(
    /is a case and is not replaced/,
  );
});

largeTest('every format has the figures of "services"', async () => {
  const { groups, responses, slowest } = JSON.parse((await run(['services', incident, '--json'])).out);
  const named = ['mean', 'p50', 'p75', 'p90', 'p95', 'p99', 'max', 'sum'] as const;
  const [first] = groups;
  const book = read(await written(incident, 'services.xlsx'));
  const rows = utils.sheet_to_json<Record<string, number>>(book.Sheets['Times of requests'] ?? {});
  expect(rows.length).toBe(groups.filter(({ elapsed }: { elapsed?: object }) => elapsed).length);
  expect(named.map((name) => rows[0]?.[name.startsWith('p') ? name.toUpperCase() : name])).toEqual(
    named.map((name) => first.elapsed[name]),
  );
  expect(rows[0]).toMatchObject({ share: first.share, service: first.key.service, errors: first.errors });
  const ranges = utils.sheet_to_json<Record<string, number>>(book.Sheets['Response times'] ?? {});
  expect(ranges.map(({ requests }) => requests)).toEqual(
    responses.map(({ count }: { count: number }) => count),
  );
  const { out: json } = await run(['report', incident, '--to', 'json']);
  expect(JSON.parse(json).services.slowest.slice(0, slowest.length)).toEqual(slowest);
  const { out: markdown } = await run(['report', incident, '--to', 'md']);
  expect(markdown).toContain(`| ${first.elapsed.p99.toFixed(3)} |`);
  expect(markdown).toContain(slowest[0].request);
});

test('a report of a cluster says that there is no record of actions to lose', async () => {
  await using of = await openCase(':memory:', { access: 'write' });
  await addLogs(of, [{ time: 1, msg: 'a' }], { part: 'p' });
  const report = await assembleReport(of, { filter: matchAllFilter, requested: [], rules: [], sample: 1 });
  const face = { name: 'incident', zone: utcZone };
  expect(reportMarkdown(report, { ...face, isCluster: true })).toContain(
    'A cluster keeps no record of actions; a case has one.',
  );
  expect(reportMarkdown(report, { ...face, isCluster: false })).toContain('There is no record of actions');
});

test('a report without measured times says so', async () => {
  const { out } = await run(['report', hostile, '--to', 'md']);
  expect(out).toContain('No elapsed time at this level');
  expect(out).not.toContain('## Slowest requests');
});

test('a format that a terminal cannot show requires a file', async () => {
  const said = async (...words: string[]) => (await run(['report', incident, ...words], { width: 80 })).err;
  expect(await said()).toMatch(/--out FILE is required for html/);
  expect(await said('--to', 'xlsx')).toMatch(/--out FILE is required for xlsx/);
  expect(await said('--to', 'pdf')).toMatch(/--out FILE is required for pdf/);
  expect(await said('--to', 'odt')).toMatch(
    /--to must be one of html, pdf, xlsx, md, json, timesketch, got "odt"/,
  );
  expect((await run(['report', incident, '--to', 'xlsx'])).code).toBe(2);
});

describe('the first page', () => {
  const pinned = ['--title', 'Outage <b>', '--author', 'Ada', '--note', 'Restart the *store*.\nCall nobody.'];

  test('has the title, the author and the note, then what happened, how long and whom it affects', async () => {
    const { out } = await run(['report', incident, '--to', 'md', ...pinned]);
    const [head = ''] = out.split('\n## What changed');
    expect(head).toMatch(
      /^# Outage \\<b\\>\n\nMade by Ada of incident\.duckdb \S+ \S+\. All times are in UTC\.\n/,
    );
    expect(head).toContain('\n> Restart the \\*store\\*.\n> Call nobody.\n');
    expect(head).toContain('2025-03-12 02:15 Rotation of secrets completed');
    expect(head).toContain('- begin: 2025-03-12 02:41 (UTC)\n- duration: 7 h 20 min\n');
    expect(head).toContain(
      '- users affected: not known: no failure names one\n- services affected: 5 of 11 active\n',
    );
    expect(head).toContain(
      '- selection: All logs of the case.\n- filter: Not known: the logs come from files.\n',
    );
    expect(head).toContain('- levels: SEVERE 9, WARNING 38, INFO 72, FINE 79, VERBOSE 14, DEBUG 8.\n');
    const page = String(await written(incident, 'pinned.html', ...pinned));
    expect(page).toContain('<h1>Outage &lt;b&gt;</h1>');
    expect(page).toContain('<p class="note">Restart the *store*.\nCall nobody.</p>');
    expect(page.match(/<circle /g)).toHaveLength(2);
    const { out: json } = await run(['report', incident, '--to', 'json', ...pinned]);
    expect(JSON.parse(json)).toMatchObject({ title: 'Outage <b>', author: 'Ada' });
  });

  test('says which logs were selected, and the most detailed level', async () => {
    const { out } = await run([
      ...[
        'report',
        incident,
        '--to',
        'md',
        '--level',
        'SEVERE',
        '--level',
        'WARNING',
        '--search',
        'NOT msg:pool',
      ],
    ]);
    expect(out).toContain(
      '- selection: Only logs of the case with the query NOT msg:pool, --level SEVERE --level WARNING.\n',
    );
    expect(out).toMatch(/- levels: SEVERE \d+, WARNING \d+\. Nothing more detailed than WARNING\.\n/);
  });

  test.each([0, 45, -20])(
    'tells begin and end by the clock of most, if one is %i minutes ahead',
    async (ahead) => {
      const [begin, minute] = [Date.UTC(2025, 2, 11), 60_000];
      const names = ['gate', 'Roads', 'Water', 'Parcels'];
      const traffic = Array.from({ length: 1440 }, (_, at) => at).flatMap((at) =>
        names.map((source, index) => ({
          time: begin + at * minute + index * (40 + (at % 7)) + (source === 'Roads' ? ahead * minute : 0),
          logLevel: 'FINE',
          source,
          requestID: `r${at}`,
          msg: 'Request was handled.',
        })),
      );
      // From 13:07 to 15:06 by the clock of all others.
      const failures = Array.from({ length: 120 }, (_, at) => ({
        time: begin + (787 + ahead + at) * minute,
        logLevel: 'SEVERE',
        logCode: 8252,
        source: 'Roads',
        msg: 'The store does not answer.',
      }));
      await using of = await openCase(':memory:', { access: 'write' });
      await addLogs(of, [...traffic, ...failures], { part: 'p' });
      const report = await assembleReport(of, {
        filter: matchAllFilter,
        requested: [],
        rules: [],
        sample: 1,
      });
      const { figures } = firstPage(report, { name: 'x', isCluster: false, zone: utcZone });
      expect(figures.slice(0, 2)).toEqual([
        { name: 'begin', text: '2025-03-11 13:07 (UTC)' },
        { name: 'duration', text: '1 h 59 min' },
      ]);
      expect(report.investigation.clocks).toMatchObject(ahead === 0 ? [] : [{ value: 'Roads' }]);
    },
  );

  test('of a quiet case says that nothing changed', async () => {
    await using of = await openCase(':memory:', { access: 'write' });
    await addLogs(of, [{ time: 1, msg: 'a' }], { part: 'p' });
    const report = await assembleReport(of, { filter: matchAllFilter, requested: [], rules: [], sample: 1 });
    const page = firstPage(report, { name: 'x', isCluster: false, zone: utcZone });
    expect(page.lead).toMatch(/^Nothing: no code, pattern/);
    expect([page.figures, page.steps]).toEqual([[{ name: 'severe logs', text: '0' }], []]);
  });

  test.each([
    [1, 'Not proved of export 1: x.'],
    [0, 'Export 1 is complete as far as can be proved: x.'],
  ])('calls no export complete that lacks %i logs', async (missing, text) => {
    const path = join(folder, `lacks-${missing}.duckdb`);
    {
      await using into = await openCase(path, { access: 'write', create: true });
      await addLogs(into, [{ time: 5 }], { part: 'all' });
      const stored = {
        export: 1,
        deployment: 'https://gis.example.com/admin',
        request: {},
        learnt: { doubts: JSON.stringify([{ code: 'AT_RANDOM', message: 'x' }]) },
        started: 0,
        settings: { via: 'search', windowBy: 'auto', timeField: 'time', from: '', to: '' },
        oldest: 0,
        newest: 9,
      };
      const window = { window: 1, export: 1, oldest: 0, newest: 9, attempts: 0, updated: 0, missing };
      await saveExportChanges(into, () => ({ export: stored, windows: [{ ...window, state: 'loaded' }] }));
    }
    const report = String(await written(path, `lacks-${missing}.md`));
    expect(report.split('\n').filter((line) => line.includes('prove'))).toEqual([`- ${text}`]);
  });

  test('of a filtered case says in no format that every interval is complete', async () => {
    await using of = await openCase(':memory:', { access: 'write' });
    await addLogs(of, [{ time: 1000, logLevel: 'SEVERE', msg: 'a' }], { part: 'p' });
    const requested = [{ oldest: 0, newest: 5000, state: 'complete' as const }];
    const options = { filter: matchAllFilter, requested, rules: [], sample: 1 };
    const whole = await assembleReport(of, options);
    const style = { name: 'x', isCluster: false, zone: utcZone };
    expect(reportMarkdown(whole, style)).toContain(
      'Every requested interval is complete: 1970-01-01 00:00:00.000',
    );
    const only = 'only logs that match logLevel:SEVERE were exported';
    const filtered = {
      ...whole,
      exportedOnly: only,
      investigation: { ...whole.investigation, exportedOnly: only },
    };
    for (const text of [
      reportMarkdown(filtered, style),
      reportPage(filtered, style),
      ...Object.values(read(await reportWorkbook(filtered, style)).Sheets).map((sheet) =>
        utils.sheet_to_csv(sheet),
      ),
    ])
      expect(text).not.toMatch(
        /intervals? (is|are) complete|<title>complete<|All was exported|all logs exported/i,
      );
    expect(firstPage(filtered, style).scope).toContainEqual({
      name: 'filter',
      text: 'Only logs that match logLevel:SEVERE were exported.',
    });
  });
});

test('times that a spreadsheet has not as dates are texts: before 1900, and readings that occur twice', async () => {
  const times = [
    '1850-01-01T00:00Z',
    '2025-10-26T00:30Z',
    '2025-10-26T01:30Z',
    '2025-10-26T02:30Z',
    '2025-03-30T01:00Z',
  ];
  const source = join(folder, 'odd-times.duckdb');
  {
    await using into = await openCase(source, { access: 'write', create: true });
    const logs = times.map((time) => ({ time: Date.parse(time), logLevel: 'SEVERE', msg: time }));
    await addLogs(into, logs, { part: 'p' });
  }
  const book = read(await written(source, 'odd-times.xlsx', '--zone', 'Europe/Berlin'));
  const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets.Logs ?? {}, { raw: false });
  expect(rows.map((row) => [row.message, row['time (Europe/Berlin)']])).toEqual([
    ['1850-01-01T00:00Z', '1850-01-01 01:00:00.000 +01:00'],
    ['2025-03-30T01:00Z', '2025-03-30 03:00:00.000'],
    ['2025-10-26T00:30Z', '2025-10-26 02:30:00.000 +02:00'],
    ['2025-10-26T01:30Z', '2025-10-26 02:30:00.000 +01:00'],
    ['2025-10-26T02:30Z', '2025-10-26 03:30:00.000'],
  ]);
});

describe('a PDF', () => {
  const out = () => join(folder, 'report.pdf');

  test('needs a Chromium: without one a clear refusal before anything is read', async () => {
    const environment = { PATH: folder };
    const { code, err } = await run(['report', incident, '--out', out()], { environment });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        'A PDF requires Chromium or Chrome, and none is on the PATH: name one with --chromium',
      ),
    ]);
    const named = await run(['report', incident, '--out', out(), '--chromium', join(folder, 'none')]);
    expect([named.code, named.err]).toEqual([2, expect.stringContaining('--chromium must be a program')]);
  });

  test.skipIf(process.platform === 'win32')(
    'is what the program prints, and a program that fails is quoted',
    async () => {
      const program = async (name: string, script: string) => {
        await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
        return ['--chromium', join(folder, name)];
      };
      const fails = await program('fails', 'echo "no display" >&2; exit 1');
      const failed = await run(['report', incident, '--out', out(), ...fails]);
      expect([failed.code, failed.err]).toEqual([
        2,
        expect.stringMatching(/printed no PDF: no display\. A page/),
      ]);
      // It gets the page by a file address, and a place for the result.
      const prints = await program(
        'prints',
        'for arg; do case $arg in --print-to-pdf=*) to=$(echo "$arg" | cut -d= -f2);; file://*) from=$(echo "$arg" | cut -c8-);; esac; done; (printf %%PDF-1.4; cat "$from") > "$to"',
      );
      const pdf = String(await written(incident, 'report.pdf', ...prints, '--title', 'Printed'));
      expect(pdf).toMatch(/^%PDF-1\.4<!doctype html>/);
      expect(pdf).toContain('<h1>Printed</h1>');
    },
  );
});
