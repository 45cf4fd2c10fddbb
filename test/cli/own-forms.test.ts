import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addRecords } from '../../src/case/loading/add-logs.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { escapeUnsafe } from '../../src/cli/terminal/text.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { type Log, textFields } from '../../src/records/log.ts';
import { type FormLoss, type OwnFormName, ownForms } from '../../src/records/own-forms.ts';
import { edgeValues } from '../../src/testing/edge-numbers.ts';
import { rounds } from '../effort.ts';
import { toTar } from '../store/tars.ts';
import { toZip } from '../store/zips.ts';
import { serveFolder } from '../ui/serving.ts';
import { run } from './run-in-process.ts';

let folder = '';
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-forms-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** A way to write the logs of a case. */
interface Written {
  readonly form: OwnFormName;
  readonly name: string;
  readonly words: readonly string[];
}

const search = ['search', '*:*', '--all'];

/** Output goes to the file unless the words name it. */
const written: readonly Written[] = [
  { form: 'JSON', name: 'report.json', words: [...search, '--json'] },
  { form: 'JSON', name: 'lines.ndjson', words: [...search, '--ndjson', '--oldest'] },
  { form: 'rows', name: 'table.csv', words: [...search, '--csv'] },
  { form: 'rows', name: 'raw.csv', words: [...search, '--raw-csv'] },
  { form: 'rows', name: 'sql.ndjson', words: ['sql', 'SELECT * FROM logs', '--ndjson'] },
  { form: 'rows', name: 'rows.parquet', words: [...search, '--parquet'] },
  { form: 'workbook', name: 'book.xlsx', words: [...search, '--xlsx'] },
  { form: 'ECS', name: 'events.ndjson', words: [...search, '--ecs'] },
  { form: 'OTLP', name: 'requests.json', words: [...search, '--otlp'] },
  { form: 'Timesketch', name: 'timeline.jsonl', words: ['report', '--to', 'timesketch', '--out'] },
];

type Members = Readonly<Record<string, unknown>>;
type CaseLog = { readonly log: Log; readonly extra?: Members | undefined };

/** JSON of a log with its members in one order, so that equal ones are equal texts. */
function canonical({ log, extra = {} }: CaseLog): string {
  return JSON.stringify([log, extra], (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'string' && 200 < value.length)
      return `${value.length} ${createHash('sha256').update(value).digest('hex')}`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return { ...Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1))) };
  });
}

/** The logs of a case by the name of their entry; that of a bare file is its own. */
async function logsOf(path: string): Promise<ReadonlyMap<string, readonly CaseLog[]>> {
  await using from = await openCase(path, { access: 'read' });
  const { parts } = await summary(from);
  const entries = new Map(parts.map(({ part, entry }) => [part, entry]));
  const found = new Map<string, CaseLog[]>();
  for await (const { log, extra, part } of streamLogs(from, matchAllFilter)) {
    const entry = entries.get(part) ?? '';
    found.set(entry, [...(found.get(entry) ?? []), { log, extra }]);
  }
  return found;
}

/** The log without what an import says of its origin. */
function withoutOrigin({ log, extra = {} }: CaseLog): CaseLog {
  const { logquarry, ...others } = extra;
  const before = (logquarry as Members | undefined)?.logquarry;
  return { log, extra: before === undefined ? others : { ...others, logquarry: before } };
}

const texts = (log: Log, change: (text: string) => string): Log => ({
  ...log,
  ...Object.fromEntries(
    textFields.flatMap((field) => (log[field] === undefined ? [] : [[field, change(log[field])]])),
  ),
});

/** What is left of logs in a form that loses something; undefined if nothing. */
const after: { readonly [L in FormLoss]: (log: Log) => Log | undefined } = {
  noTime: (log) => (log.time === undefined ? undefined : log),
  escapes: (log) => texts(log, escapeUnsafe),
  // An apostrophe may be one of the characters.
  cutTexts: (log) => texts(log, (text) => text.slice(0, 31_000)),
};

function leftOf(logs: readonly CaseLog[], losses: readonly FormLoss[]): readonly string[] {
  return logs
    .flatMap(({ log, extra }) => {
      const left = losses.reduce<Log | undefined>((each, loss) => each && after[loss](each), log);
      return left ? [canonical({ log: left, extra })] : [];
    })
    .sort();
}

/** The driver of the database takes a mark at the start of a text for one of its encoding. */
const withoutMark = (text: string) => text.replace(/^\ufeff/, 'b');

const oddText = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(
        "'",
        '=',
        '+',
        '"',
        ',',
        ';',
        '\t',
        '\r',
        '\n',
        '\0',
        '\u0007',
        ' ',
        'a',
        '\ufeff',
        '\ud800',
      ),
      minLength: 1,
      maxLength: 5,
    }),
    fc.constantFrom(
      ...[
        '=1+1',
        "'=1",
        "''=1",
        '@x',
        '-5',
        '\uff1d1',
        'اختبار',
        '日本語',
        'ไทย',
        '👩‍👩‍👧',
        '\u202eabc',
        'null',
        '0',
        '007',
      ],
      ...[
        '1741766400',
        '{"msg":"inner","level":"x","time":1}',
        '<Msg time="2025-01-01T00:00:00">x</Msg>',
        '__proto__',
      ],
      ...[
        '_x0041_',
        '\u{10ffff}"',
        '\ufdd0a',
        '&amp;',
        '<b>',
        ']]>',
        '2025-03-12T08:00:00Z',
        'time',
        'id,part,entry,position,extra',
      ],
    ),
  )
  .map(withoutMark);

const longText = fc.constantFrom('x'.repeat(70_000), 'line\n'.repeat(1_500), '\u0001"\\'.repeat(20_000));

const anyLog = fc.record(
  {
    log: fc.record(
      {
        ...Object.fromEntries(textFields.map((field) => [field, oddText])),
        msg: fc.oneof({ weight: 12, arbitrary: oddText }, { weight: 1, arbitrary: longText }),
        logLevel: fc.oneof(oddText, fc.constantFrom('SEVERE', 'INFO', 'severe', 'ERROR', 'note', 'DEBUG')),
        requestID: fc.oneof(oddText, fc.uuid()),
        time: fc.oneof(
          fc.integer({ min: -1e13, max: 2e13 }),
          fc
            .constantFrom(
              ...edgeValues.date,
              0,
              -1,
              1,
              45_728,
              20_250_312_080_000,
              1_741_766_400,
              18_446_744_073_709,
            )
            .map(Number),
        ),
        logCode: fc.oneof(fc.integer(), fc.constantFrom(...edgeValues.integer)),
        elapsed: fc.oneof(
          fc.double({ min: 0, max: 1e6, noNaN: true }),
          fc.constantFrom(...edgeValues.decimal, 9_007_200, 9_223_372_036, 1.001, 0).map(Number),
        ),
      },
      { requiredKeys: [] },
    ),
    extra: fc.option(
      fc.dictionary(
        fc.oneof(
          oddText,
          fc.constantFrom('', 'logquarry', 'a.b', 'a_b', 'log', 'time', 'body', 'extra', 'tag', 'list'),
        ),
        fc.oneof(
          fc.jsonValue(),
          oddText,
          fc.constantFrom('', [], {}, [{ time: 1, msg: 'x' }], 2 ** 53, 1e21, '9007199254740993'),
        ),
        { maxKeys: 4 },
      ),
      { nil: undefined },
    ),
  },
  { requiredKeys: ['log'] },
);

/** Writes the logs of a case in a form, and returns the path of the file. */
async function write({ name, words }: Written, source: string): Promise<string> {
  const [command = '', ...rest] = words;
  const isToFile = ['--out', '--parquet', '--xlsx'].includes(words.at(-1) ?? '');
  const path = at(name);
  const args =
    command === 'report'
      ? [command, source, ...rest]
      : [command, ...rest.slice(0, 1), source, ...rest.slice(1)];
  const { code, out, err } = await run(isToFile ? [...args, path] : args);
  expect(code, err).toBe(0);
  if (!isToFile) await writeFile(path, out);
  return path;
}

/** Creates an empty place for a case, and returns its path. */
async function newCase(name: string): Promise<string> {
  await rm(at(name), { force: true });
  await rm(at(`${name}.evidence`), { recursive: true, force: true });
  return at(name);
}

/** Writes logs in each form; returns the paths, and the logs as they are stored. */
async function writeAll(logs: readonly unknown[]) {
  const path = await newCase('from.duckdb');
  {
    await using from = await openCase(path, { access: 'write', create: true });
    await addRecords(from, logs as never, { part: 'made' });
  }
  const stored = [...(await logsOf(path)).values()].flat();
  const files: string[] = [];
  for (const each of written) files.push(await write(each, path));
  return { stored, files };
}

/** Imports files into a new case, and returns its logs by entry. */
async function importAll(files: readonly string[], input: Uint8Array = new Uint8Array()) {
  const into = await newCase('into.duckdb');
  const { code, err } = await run(['import', ...files, '--into', into, '--no-index'], { input });
  expect([0, 4], err).toContain(code);
  return await logsOf(into);
}

function expectSame(back: readonly CaseLog[] = [], stored: readonly CaseLog[], { form, name }: Written) {
  const { losses } = ownForms[form];
  expect(leftOf(back.map(withoutOrigin), losses), name).toEqual(leftOf(stored, losses));
}

const anyLogs = fc.array(anyLog, { minLength: 1, maxLength: 8 });

test('each form is written by a command here', () => {
  expect(new Set(written.map(({ form }) => form))).toEqual(new Set(Object.keys(ownForms)));
});

describe('any logs', () => {
  test('come back from each form as they were, but for what it cannot carry', async () => {
    await fc.assert(
      fc.asyncProperty(anyLogs, async (logs) => {
        const { stored, files } = await writeAll(logs);
        const found = await importAll(files);
        for (const each of written) expectSame(found.get(each.name), stored, each);
      }),
      // A round takes too long to be repeated for a smaller example.
      { numRuns: rounds(60), endOnFailure: true },
    );
  });

  test('come back through gzip, a tar in gzip, and the standard input', async () => {
    await fc.assert(
      fc.asyncProperty(anyLogs, fc.constantFrom(...written), async (logs, piped) => {
        const { stored, files } = await writeAll(logs);
        const contents = await Promise.all(files.map((file) => readFile(file)));
        const zipped = files.map((file) => `${file}.gz`);
        await Promise.all(
          zipped.map((path, index) => writeFile(path, gzipSync(contents[index] ?? new Uint8Array()))),
        );
        const members = written.map(({ name }, index) => ({ name, content: contents[index] ?? '' }));
        await writeFile(at('all.tgz'), gzipSync(toTar(members)));
        const found = await importAll([...zipped, at('all.tgz')]);
        for (const each of written) {
          expectSame(found.get(`${each.name}.gz`), stored, each);
          expectSame(found.get(each.name), stored, each);
        }
        const input = contents[written.indexOf(piped)];
        const [back] = [...(await importAll(['-'], input)).values()];
        expectSame(back, stored, piped);
      }),
      { numRuns: rounds(20, 2), endOnFailure: true },
    );
  });
});

/** Downloads of the page, with the form that each comes back from. */
const downloads = [
  { form: 'JSON', name: 'logs.ndjson', format: 'ndjson' },
  { form: 'rows', name: 'logs.csv', format: 'csv' },
  { form: 'rows', name: 'logs.parquet', format: 'parquet' },
  { form: 'workbook', name: 'logs.xlsx', format: 'xlsx' },
] as const;

test('any logs come back from each download of the page', async () => {
  await fc.assert(
    fc.asyncProperty(anyLogs, fc.constantFrom('newest', 'oldest'), async (logs, order) => {
      const path = await newCase('page.duckdb');
      {
        await using from = await openCase(path, { access: 'write', create: true });
        await addRecords(from, logs as never, { part: 'made' });
      }
      const stored = [...(await logsOf(path)).values()].flat();
      const files: string[] = [];
      {
        await using page = await serveFolder({ folder, given: [path] });
        for (const { name, format } of downloads) {
          const response = await page.download({ query: '', now: 0, order, format });
          expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
          await writeFile(at(name), new Uint8Array(await response.arrayBuffer()));
          files.push(at(name));
        }
      }
      const found = await importAll(files);
      for (const { form, name } of downloads) expectSame(found.get(name), stored, { form, name, words: [] });
    }),
    { numRuns: rounds(20, 2), endOnFailure: true },
  );
});

describe('a hand-over folder', () => {
  const folderOf = async (name: string) => {
    await run(['import', 'samples/incident.ndjson', '--into', at(`${name}.duckdb`), '--no-index']);
    const query = ['logLevel:SEVERE', at(`${name}.duckdb`)];
    expect((await run(['hand-over', ...query, '--out', at(name)])).code).toBe(0);
    return at(name);
  };

  test('is imported as its logs, once, with a remark about where they come from', async () => {
    const source = await folderOf('handed');
    const { code, err } = await run(['import', source, '--into', at('again.duckdb'), '--no-index']);
    expect(code).toBe(0);
    expect(err).toContain('is a hand-over of');
    expect(err).not.toContain('was altered');
    const back = [...(await logsOf(at('again.duckdb')))];
    expect(back.map(([file]) => file)).toEqual(['logs.ndjson']);
    const stored = [...(await logsOf(at('handed.duckdb'))).values()].flat();
    const severe = stored.filter(({ log }) => log.logLevel === 'SEVERE');
    expect(
      leftOf(
        back.flatMap(([, logs]) => logs.map(withoutOrigin)),
        [],
      ),
    ).toEqual(leftOf(severe, []));
  });

  /** Imports a folder into a new case: the files that its logs come from, and what was said. */
  const imported = async (source: string) => {
    const path = `${source}-again.duckdb`;
    const { code, err } = await run(['import', source, '--into', path, '--no-index']);
    return { code, err, files: [...(await logsOf(path))].map(([file, logs]) => [file, logs.length]) };
  };

  test('that was altered is read from a copy that was not, which is said with exit code 4', async () => {
    const source = await folderOf('altered');
    await appendFile(join(source, 'logs.ndjson'), '{"time":1741766400000,"msg":"added"}\n');
    const first = await imported(source);
    expect(first).toMatchObject({ code: 4, files: [['logs.parquet', 9]] });
    expect(first.err).toMatch(/"logs.ndjson" of ".*\/altered" was altered since/);
    for (const name of ['logs.parquet', 'logs.csv']) await rm(join(source, name));
    await rm(`${source}-again.duckdb`);
    const second = await imported(source);
    expect(second).toMatchObject({ code: 4, files: [['logs.ndjson', 10]] });
    expect(second.err).toContain('was altered since');
    await rm(join(source, 'logs.ndjson'));
    const third = await run(['import', source, '--into', at('none.duckdb')]);
    expect(third).toMatchObject({
      code: 4,
      err: expect.stringContaining('none of its files of logs is there'),
    });
  });

  test.each([
    ['empty', () => ''],
    ['cut', (text: string) => text.slice(0, -200)],
    ['no JSON', (text: string) => text.replace('"files"', 'files')],
    ['another version', (text: string) => text.replace('"version": 1', '"version": 2')],
  ])('with a manifest that is damaged (%s) is read once, with exit code 4', async (name, damage) => {
    const source = await folderOf(`damaged ${name}`);
    const manifest = join(source, 'manifest.json');
    await writeFile(manifest, damage(await readFile(manifest, 'utf8')));
    const { code, err, files } = await imported(source);
    expect({ code, files }).toEqual({ code: 4, files: [['logs.ndjson', 9]] });
    expect(err).toMatch(/manifest.json" is not a hand-over manifest: .*Nothing shows if the logs beside it/);
  });

  test('in a zip is read once, which is said, and a copy that was altered with exit code 4', async () => {
    const source = await folderOf('zipped');
    const names = ['logs.parquet', 'logs.csv', 'manifest.json', 'logs.ndjson'];
    const entries = await Promise.all(
      names.map(async (name) => ({ name: `to/x/${name}`, content: await readFile(join(source, name)) })),
    );
    const other = { name: 'to/other.ndjson', content: '{"time":1741766400000,"msg":"other"}' };
    const path = at('zipped.zip');
    await writeFile(path, toZip([...entries, other]));
    const into = at('from-zip.duckdb');
    const first = await run(['import', path, '--into', into, '--no-index']);
    expect(first).toMatchObject({
      code: 0,
      err: expect.stringContaining('"to/x" of "zipped.zip" is a hand-over of 9 logs'),
    });
    expect(first.err).not.toContain('twice');
    expect((await run(['search', '*:*', into, '--count'])).out.trim()).toBe('10');
    const stored = [...(await logsOf(at('zipped.duckdb'))).values()].flat();
    const severe = stored.filter(({ log }) => log.logLevel === 'SEVERE');
    const back = [...(await logsOf(into)).values()].flat().filter(({ log }) => log.msg !== 'other');
    expect(leftOf(back.map(withoutOrigin), [])).toEqual(leftOf(severe, []));
    expect(await run(['verify', into])).toMatchObject({ code: 0 });
    expect(await run(['import', path, '--into', into])).toMatchObject({ code: 0 });
    expect((await run(['search', '*:*', into, '--count'])).out.trim()).toBe('10');
    const altered = entries.map(({ name, content }) => ({
      name,
      content: name.endsWith('.ndjson') ? content.subarray(0, -1) : content,
    }));
    await writeFile(path, toZip(altered));
    const second = await run(['import', path, '--into', at('from-altered-zip.duckdb'), '--json']);
    expect(second).toMatchObject({ code: 4, err: expect.stringContaining('"logs.ndjson" of "to/x" of') });
    expect(JSON.parse(second.out).files[0].parts).toMatchObject([{ entry: 'to/x/logs.parquet', logs: 9 }]);
    await writeFile(
      path,
      toZip(entries.map((each) => (/manifest/.test(each.name) ? { ...each, content: '{' } : each))),
    );
    const third = await run(['import', path, '--into', at('from-damaged-zip.duckdb'), '--json']);
    expect(third).toMatchObject({ code: 4, err: expect.stringContaining('Nothing shows if the logs') });
    expect(JSON.parse(third.out).files[0].parts).toMatchObject([{ entry: 'to/x/logs.ndjson', logs: 9 }]);
  });

  test('a manifest of something else is a file like others', async () => {
    const source = await folderOf('other');
    for (const name of ['logs.parquet', 'logs.csv']) await rm(join(source, name));
    await writeFile(join(source, 'manifest.json'), '{"name":"app","version":"1"}');
    const { code, err, files } = await imported(source);
    expect(files).toEqual([['logs.ndjson', 9]]);
    expect(code).not.toBe(4);
    expect(err).not.toContain('hand-over');
  });
});
