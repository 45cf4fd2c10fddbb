import { expect, test } from 'vitest';
import { detectNonLogFormat } from '../../src/records/read-records.ts';

const readme =
  'Logs of the deployment.\n\nExported on 2025-03-12 at 10:00 by ann. See https://gis.example.com.\n';

const bytesOf = (content: string | readonly number[]) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);

test.each<[string, string | readonly number[], string]>([
  ['README.txt', readme, 'text'],
  ['LICENSE', `${'Permission is hereby granted, free of charge.\n'.repeat(40)}`, 'text'],
  ['notes.md', '# Export\n\nWARNING: keep this private.\n\n* one\n* two\n', 'text'],
  ['logo.png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], 'image'],
  ['photo.jpg', [0xff, 0xd8, 0xff, 0xe0, 0, 16], 'image'],
  ['report.pdf', '%PDF-1.7\n%\u00e2\n', 'pdf'],
  ['__MACOSX/._logs.ndjson', [0, 5, 0x16, 7, 0, 2, 0, 0], 'metadata'],
  ['.DS_Store', [0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31, 0], 'metadata'],
  ['Thumbs.db', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0], 'metadata'],
])('%s is plainly no log file', (_, content, format) => {
  expect(detectNonLogFormat(bytesOf(content))).toBe(format);
});

test.each<[string, string | readonly number[]]>([
  ['records of an unknown format', '[12/Mar/2025:10:00:00] GET /a 200\n[12/Mar/2025:10:00:01] GET /b 200\n'],
  ['times at the beginning of lines', '10:00:01 started\n10:00:02 stopped\n'],
  ['levels at the beginning of lines', 'SEVERE: a\nINFO: b\n'],
  ['one record and its stack trace', '2025-03-12 10:00:01 boom\n\tat a.B(C.java:1)\n'],
  [
    'dates and levels within lines',
    'gis1 2025-03-12 10:00 SEVERE boom\nand more\ngis1 2025-03-12 10:01 INFO ok\n',
  ],
  ['dates within most lines', 'gis1 2025-03-12 10:00 boom\ngis1 2025-03-12 10:01 ok\nand more\n'],
  ['months at the beginning of lines', 'Mar 12 10:00:01 gis1 app: a\nMar 12 10:00:02 gis1 app: b\n'],
  ['pairs of names and values', 'level=info msg=a\nlevel=warn msg=b\n'],
  ['columns', 'a,b,c\nd,e,f\n'],
  ['columns that tabs part', 'a\tb\tc\nd\te\tf\n'],
  ['a value of JSON', '[1,2,3]'],
  ['JSON that breaks off', '{"time":1000,"msg":"fir'],
  ['many lines', 'one more line\n'.repeat(600)],
  ['a long text', `${'word '.repeat(10_000)}\n`],
  ['bytes', [1, 2, 3, 4, 5, 6]],
  ['a page of HTML', '<html><body>Sign in</body></html>'],
  ['a tar archive', `logs.ndjson${'\0'.repeat(500)}`],
])('%s may be logs', (_, content) => {
  expect(detectNonLogFormat(bytesOf(content))).toBeUndefined();
});
