import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { rounds } from '../effort.ts';
import { type RawMember, toTar } from './tars.ts';
import { toZip } from './zips.ts';

let folder: string;
let into: Case;
let number = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-archives-'));
  into = await openCase(join(folder, 'case.duckdb'), { access: 'write', create: true });
});

afterAll(async () => {
  await into[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Logs that no other file has. */
function logs(...names: string[]): string {
  number++;
  return names.map((name) => `${JSON.stringify({ time: number, msg: name })}\n`).join('');
}

/** Messages, names of entries and problems after a file was added. */
async function add(name: string, bytes: Uint8Array) {
  const { parts } = await addFile(into, { name, bytes });
  const own = new Set(parts.map(({ part }) => part));
  const all = await findLogs(into, matchAllFilter, { limit: 10_000, order: 'oldest' });
  const found = all.filter(({ part }) => own.has(part));
  for (const { id, log } of found) expect(await readRaw(into, id)).toContain(JSON.stringify(log.msg));
  return {
    messages: found.map(({ log }) => log.msg).sort(),
    entries: parts.map(({ entry, format }) => `${entry} ${format}`),
    problems: parts.flatMap(({ problem }) => (problem ? [`${problem.code}: ${problem.message}`] : [])),
  };
}

const longName = `${'folder/'.repeat(18)}${'x'.repeat(60)}.log`;

describe('a tar', () => {
  test.each<[string, Partial<RawMember>]>([
    ['ustar', { form: 'ustar' }],
    ['the old form', { form: 'v7', name: 'a.log' }],
    ['GNU', { form: 'gnu' }],
    ['pax', { form: 'pax' }],
    ['a binary size', { isBinary: true }],
  ])('%s', async (_, member) => {
    const name = member.name ?? longName;
    const tar = toTar([
      { name: 'folder/', type: '5', ...(member.form && { form: member.form }) },
      { name, content: logs('one', 'two'), ...member },
      { name: 'empty.lck', content: '' },
      { name: 'link.log', type: '2', size: 99 },
      { name: 'b.log', content: logs('three') },
    ]);
    expect(await add('a.tar', tar)).toEqual({
      messages: ['one', 'three', 'two'],
      entries: [`${name} ndjson`, 'empty.lck empty', 'b.log ndjson'],
      problems: [],
    });
  });

  test('joined tars, and one without an end', async () => {
    const two = [
      toTar([{ name: 'a', content: logs('1') }]),
      toTar([{ name: 'a', content: logs('2') }], { end: false }),
    ];
    expect((await add('joined.tar', Buffer.concat(two))).messages).toEqual(['1', '2']);
  });

  test('that breaks off says so, and the entries before are read', async () => {
    const tar = toTar([
      { name: 'a', content: logs('1') },
      { name: 'b', content: logs('2').repeat(100) },
    ]);
    const { messages, problems } = await add('cut.tar', tar.subarray(0, 2_000));
    expect(messages).toEqual(['1']);
    expect(problems).toEqual([expect.stringMatching(/^WRONG_SIZE: The tar ends within the entry/)]);
  });

  test('that is damaged says where', async () => {
    const tar = toTar([
      { name: 'a', content: logs('1') },
      { name: 'b', content: logs('2') },
    ]);
    tar[1024 + 20] = 1;
    const { messages, problems } = await add('damaged.tar', tar);
    expect(messages).toEqual(['1']);
    expect(problems).toEqual([expect.stringMatching(/^BAD_DATA: The tar is damaged at its byte 1024/)]);
  });

  test('with a sparse file says that it is not read', async () => {
    const tar = toTar([
      { name: 'a', content: logs('1') },
      { name: 'b', content: 'x', type: 'S', form: 'gnu' },
    ]);
    expect((await add('sparse.tar', tar)).problems).toEqual([expect.stringMatching(/^BAD_DATA: .*sparse/)]);
  });
});

/** "one" and "two", compressed by the program. */
const zstd = Buffer.from('KLUv/QRYNQEA8HsidGltZSI6MSwibXNnIjoib25lIn0KMnR3byJ9CgIAgIhKzCaPdTqD', 'base64');

describe('compressed files', () => {
  test('of Zstandard are read', async () => {
    expect(await add('a.log.zst', zstd)).toMatchObject({ messages: ['one', 'two'], problems: [] });
    const both = toZip([{ name: 'a.zst', content: Buffer.concat([zstd, zstd]), method: 0 }]);
    expect((await add('b.zip', both)).messages).toEqual(['one', 'one', 'two', 'two']);
  });

  test('of Zstandard that break off or are damaged say so', async () => {
    const cut = zstd.subarray(0, 30);
    expect((await add('cut.zst', cut)).problems).toEqual([expect.stringMatching(/^BAD_DATA: .*Zstandard/)]);
    const damaged = Buffer.from(zstd);
    damaged[6] = 0x07;
    expect((await add('bad.zst', damaged)).problems).toEqual([
      expect.stringMatching(/^BAD_DATA: .*Zstandard/),
    ]);
  });

  test.each<[string, string, number[]]>([
    ['bzip2', 'bunzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59]],
    ['xz', 'xz -d', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0]],
    ['7z', '7z x', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0]],
    ['RAR', 'unrar x', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 1]],
    ['lzma', 'xz -d --format=lzma', [0x5d, 0x00, 0x00, 0x80, 0x00]],
  ])('of %s are named, and how to unpack them', async (name, program, start) => {
    const bytes = Uint8Array.from([...start, ...Array(600).fill(7)]);
    const problem = expect.stringContaining(
      `BAD_METHOD: The file is compressed by ${name}, which is not read`,
    );
    for (const file of [bytes, toTar([{ name: 'a', content: bytes }])]) {
      const { problems, messages } = await add(`a.${name}`, file);
      expect([messages, problems]).toEqual([[], [problem]]);
      expect(problems[0]).toContain(`"${program}"`);
    }
  });

  test.each([
    ['a network capture (pcap)', '\xd4\xc3\xb2\xa1\x02'],
    ['a network capture (pcapng)', '\n\r\r\n\x1c'],
    ['a heap dump of Java', 'JAVA PROFILE 1.0.2\0'],
    ['a program (ELF)', '\x7fELF\x02'],
  ])('nor does a file hold logs that is %s, which is said', async (name, start) => {
    const bytes = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(600, 7)]);
    const { problems, messages } = await add('a.log', bytes);
    const problem = `NOT_LOGS: The file is in the format of ${name}, which is not read: it has no logs`;
    expect([messages, problems]).toEqual([[], [problem]]);
  });
});

type Tree = { readonly name: string; readonly content: Tree[] | string; readonly kind: number };

const kinds: ((members: readonly { name: string; content: Uint8Array }[]) => Uint8Array)[] = [
  (members) => toTar(members),
  (members) => gzipSync(toTar(members)),
  (members) => toZip(members),
  (members) => gzipSync(toZip(members)),
];

function packed({ content, kind }: Tree): Uint8Array {
  if (typeof content === 'string') return kind % 2 === 0 ? Buffer.from(content) : gzipSync(content);
  return (kinds[kind] ?? toTar)(content.map((tree) => ({ name: tree.name, content: packed(tree) })));
}

const messagesIn = ({ content }: Tree): string[] =>
  typeof content === 'string'
    ? [...content.matchAll(/"msg":"(\w+)"/g)].map(([, msg = '']) => msg)
    : content.flatMap(messagesIn);

const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; node: Tree }>((tie) => ({
  leaf: fc.record({
    name: fc.constantFrom('a.log', 'b/c.log', 'd.gz', '../e'),
    content: fc
      .array(fc.stringMatching(/^\w{1,4}$/), { minLength: 1, maxLength: 3 })
      .map((names) => logs(...names)),
    kind: fc.integer({ min: 0, max: 3 }),
  }),
  node: fc.record({
    name: fc.constantFrom('a.tar', 'b.tgz', 'c'),
    content: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    kind: fc.integer({ min: 0, max: 3 }),
  }),
  tree: fc.oneof({ depthIdentifier: 'archives', maxDepth: 3 }, tie('leaf'), tie('node')),
}));

test('archives within archives have all their logs, in any packing, and are intact', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (given) => {
      const { messages, problems } = await add('tree', packed(given));
      expect([messages, problems]).toEqual([messagesIn(given).sort(), []]);
    }),
    { numRuns: rounds(40) },
  );
  const { deviations } = await verifyCase(into);
  expect(deviations).toEqual([]);
});

test.each<[string, Uint8Array, RegExp]>([
  [
    'OpenDocument',
    toZip([
      { name: 'mimetype', content: 'x' },
      { name: 'content.xml', content: '<x/>' },
    ]),
    /OpenDocument/,
  ],
])('%s is named by one error, and not read as its parts', async (_, bytes, error) => {
  await expect(addFile(into, { name: 'a', bytes })).rejects.toThrow(error);
});

test.each<[string, string]>([
  ['SQLite format 3\0', 'SQLite'],
  ['ElfFile\0', 'Windows event log'],
])('a file that begins with %j is named', async (start, name) => {
  const { problems } = await add('a', Buffer.from(start.padEnd(600, '\u0001')));
  expect(problems).toEqual([expect.stringMatching(`^NOT_LOGS: The file is in the format of .*${name}`)]);
});

test('a workbook of several sheets is named by one error, and not read as its parts', async () => {
  const sheets = ['sheet1', 'sheet2'].map((name) => ({ name: `xl/worksheets/${name}.xml`, content: '<x/>' }));
  const { problems } = await add('a', toZip([{ name: 'xl/workbook.xml', content: '<x/>' }, ...sheets]));
  expect(problems).toEqual([expect.stringMatching(/^NOT_LOGS: The workbook has 2 sheets, and one is read/)]);
});

test('a damaged Parquet file is named', async () => {
  const { problems } = await add('a', Buffer.from('PAR1'.padEnd(600, '\u0001')));
  expect(problems).toEqual([expect.stringMatching(/^BAD_DATA: The Parquet file is damaged/)]);
});

test('of an unknown format the first bytes are shown', async () => {
  const { problems } = await add('a', Buffer.from('?? one\n?? two \u0001\n'));
  expect(problems).toEqual([expect.stringMatching(/It begins with "\?\? one\\n\?\? two \\u0001/)]);
});
