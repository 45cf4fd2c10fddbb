import * as v from 'valibot';
import { expect, test } from 'vitest';
import { applyFix, type Finding } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toSarif } from '../../src/language/parse/sarif.ts';

const headings = new Map([
  ['unclosed-group', 'A group is not closed'],
  ['broken-range', 'A range is not complete'],
]);

/** The requirements of SARIF 2.1.0 for the members that are written. */
const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const region = v.strictObject({
  startLine: positive,
  startColumn: positive,
  endLine: positive,
  endColumn: positive,
});
const message = v.strictObject({ text: v.pipe(v.string(), v.minLength(1)) });
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const artifactLocation = v.strictObject({ uri: v.string(), index });
const replacement = v.strictObject({
  deletedRegion: region,
  insertedContent: v.optional(v.strictObject({ text: v.string() })),
});
const result = v.strictObject({
  ruleId: v.string(),
  ruleIndex: index,
  level: v.picklist(['none', 'note', 'warning', 'error']),
  message,
  partialFingerprints: v.strictObject({
    primaryLocationLineHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}:\d+$/)),
  }),
  locations: v.array(v.strictObject({ physicalLocation: v.strictObject({ artifactLocation, region }) })),
  fixes: v.optional(
    v.array(
      v.strictObject({
        description: message,
        artifactChanges: v.pipe(
          v.array(
            v.strictObject({ artifactLocation, replacements: v.pipe(v.array(replacement), v.minLength(1)) }),
          ),
          v.minLength(1),
        ),
      }),
    ),
  ),
});
const rule = v.strictObject({
  id: v.string(),
  shortDescription: v.optional(message),
  helpUri: v.optional(v.pipe(v.string(), v.url())),
  help: v.optional(v.strictObject({ text: v.pipe(v.string(), v.minLength(1)), markdown: v.string() })),
});
const driver = v.strictObject({
  name: v.string(),
  version: v.optional(v.string()),
  informationUri: v.optional(v.pipe(v.string(), v.url())),
  rules: v.array(rule),
});
const log = v.strictObject({
  $schema: v.pipe(v.string(), v.url()),
  version: v.literal('2.1.0'),
  runs: v.pipe(
    v.array(
      v.strictObject({
        tool: v.strictObject({ driver }),
        columnKind: v.picklist(['utf16CodeUnits', 'unicodeCodePoints']),
        artifacts: v.array(v.strictObject({ location: v.strictObject({ uri: v.string() }) })),
        results: v.array(result),
      }),
    ),
    v.length(1),
  ),
});

test('a log is what the format requires, and holds every finding with its fixes', () => {
  const texts = ['msg:😀 AND (a', 'f:[1\tTO 2]\r\nAND (b'].map((text, number) => ({
    uri: `queries/${number}.txt`,
    text,
    findings: parse(text).findings,
  }));
  const options = { headings, version: '0.1.0', manual: 'https://example.com/manual' };
  const written = read(toSarif(texts, options));
  expect(written.runs[0]?.tool.driver).toEqual({
    name: 'logquarry',
    version: '0.1.0',
    informationUri: 'https://example.com/manual',
    rules: [...headings].map(([id, text]) => ({
      id,
      shortDescription: { text },
      helpUri: `https://example.com/manual#${id}`,
      help: {
        text: `${text}. The manual explains "${id}" in docs/findings.md.`,
        markdown: `**${text}.** The manual explains \`${id}\` in \`docs/findings.md\`.`,
      },
    })),
  });
  expect(written.runs[0]?.artifacts).toEqual([
    { location: { uri: 'queries/0.txt' } },
    { location: { uri: 'queries/1.txt' } },
  ]);
  const places = written.runs[0]?.results.map(({ ruleId, ruleIndex, level, locations }) => {
    const [{ physicalLocation } = { physicalLocation: undefined }] = locations;
    return [ruleId, ruleIndex, level, physicalLocation?.artifactLocation.index, physicalLocation?.region];
  });
  expect(places).toEqual([
    // The emoji has two UTF-16 units.
    ['unclosed-group', 0, 'error', 0, { startLine: 1, startColumn: 12, endLine: 1, endColumn: 13 }],
    ['broken-range', 1, 'error', 1, { startLine: 1, startColumn: 4, endLine: 1, endColumn: 8 }],
    ['unclosed-group', 0, 'error', 1, { startLine: 2, startColumn: 5, endLine: 2, endColumn: 6 }],
  ]);
});

test('the replacements of a fix lead where its edits lead', () => {
  const text = 'a\r\nOR\n(b';
  const findings: Finding[] = [
    {
      code: 'some-code',
      severity: 'hint',
      from: 3,
      to: 5,
      message: 'This is only a hint',
      fixes: [
        {
          title: 'Do three things',
          edits: [
            { from: 0, to: 1, insert: '😀' },
            { from: 3, to: 6, insert: '' },
            { from: 8, to: 8, insert: ')' },
          ],
        },
      ],
    },
  ];
  const [found] =
    read(toSarif([{ uri: 'q', text, findings }], { headings: new Map() })).runs[0]?.results ?? [];
  expect(found).toMatchObject({ ruleId: 'some-code', ruleIndex: 0, level: 'note' });
  const [fix] = found?.fixes ?? [];
  expect(fix?.description.text).toBe('Do three things');
  expect(replaced(text, fix?.artifactChanges[0]?.replacements ?? [])).toBe(
    findings[0]?.fixes[0] && applyFix(text, findings[0].fixes[0]),
  );
});

test('several texts of one file are distinguished by their lines', () => {
  const texts = [1, 7].map((line) => ({ uri: 'q.txt', line, text: '(a', findings: parse('(a').findings }));
  const written = read(toSarif(texts, { headings }));
  expect(written.runs[0]?.artifacts).toHaveLength(1);
  const lines = written.runs[0]?.results.map(
    ({ locations }) => locations[0]?.physicalLocation.region.startLine,
  );
  expect(lines).toEqual([1, 7]);
});

test('a finding keeps its fingerprint when its text moves, and equal findings of a file differ', () => {
  const marksAt = (...lines: readonly number[]) =>
    read(
      toSarif(
        lines.map((line) => ({ uri: 'q.txt', line, text: '(a AND', findings: parse('(a AND').findings })),
        { headings },
      ),
    ).runs[0]?.results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
  const marks = marksAt(1, 2) ?? [];
  expect(marks).toHaveLength(4);
  expect(new Set(marks).size).toBe(4);
  expect(marksAt(5, 9)).toEqual(marks);
  expect(marksAt(7)).toEqual(marks.slice(0, 2));
});

test('fixes and contents are absent where there are none', () => {
  const each = { code: 'some-code', severity: 'hint' as const, from: 0, to: 1, message: 'A hint' };
  const removal = { title: 'Remove it', edits: [{ from: 0, to: 1, insert: '' }] };
  const findings: Finding[] = [
    { ...each, fixes: [] },
    { ...each, fixes: [removal] },
  ];
  const [without, removing] =
    toSarif([{ uri: 'q', text: 'a', findings }], { headings }).runs[0]?.results ?? [];
  expect(without).not.toHaveProperty('fixes');
  const [
    {
      replacements: [replaced],
    } = { replacements: [] },
  ] = removing?.fixes?.[0]?.artifactChanges ?? [];
  expect(replaced).toEqual({ deletedRegion: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 } });
  expect(replaced).not.toHaveProperty('insertedContent');
});

test('a log without findings is one too', () => {
  expect(read(toSarif([], { headings })).runs[0]?.results).toEqual([]);
});

/** Reads a log as others do. */
function read(value: unknown): v.InferOutput<typeof log> {
  return v.parse(log, JSON.parse(JSON.stringify(value)));
}

/** A text with its regions replaced, by lines and columns alone. */
function replaced(text: string, replacements: readonly v.InferOutput<typeof replacement>[]): string {
  const offset = (line: number, column: number) =>
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length +
    (1 < line ? 1 : 0) +
    column -
    1;
  return replacements.reduceRight(
    (result, { deletedRegion: { startLine, startColumn, endLine, endColumn }, insertedContent }) => {
      const [from, to] = [offset(startLine, startColumn), offset(endLine, endColumn)];
      return result.slice(0, from) + (insertedContent?.text ?? '') + result.slice(to);
    },
    text,
  );
}
