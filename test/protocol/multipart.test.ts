import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMultipart } from '../../src/protocol/uploads.ts';
import { processorTime } from '../processor-time.ts';

/** The parts of a body that is written with `B` for the boundary and `|` for line breaks, as texts. */
function read(body: string, type = 'multipart/form-data; boundary=B') {
  const parts = readMultipart(new TextEncoder().encode(body.replaceAll('|', '\r\n')), type);
  if ('problem' in parts) return parts.problem;
  return parts.map(({ name, filename, bytes }) => [name, filename, new TextDecoder().decode(bytes)]);
}

const disposition = 'Content-Disposition: form-data';

describe('what programs send', () => {
  test.each<[string, string, unknown]>([
    ['a field', `--B|${disposition}; name="a"||1|--B--|`, [['a', undefined, '1']]],
    ['no line break at the end', `--B|${disposition}; name="a"||1|--B--`, [['a', undefined, '1']]],
    ['an empty field', `--B|${disposition}; name="a"|||--B--`, [['a', undefined, '']]],
    ['no field at all', '--B--|', []],
    ['text around the parts', `Hello|--B|${disposition}; name="a"||1|--B--|bye|`, [['a', undefined, '1']]],
    ['blanks behind a boundary', `--B \t|${disposition}; name="a"||1|--B-- |`, [['a', undefined, '1']]],
    [
      'names without quotes',
      `--B|${disposition}; name=f; filename=l.json||{}|--B--|`,
      [['f', 'l.json', '{}']],
    ],
    [
      'a name in another character set beside',
      `--B|${disposition}; name="f"; filename="?.json"; filename*=utf-8''K%C3%B6ln.json||{}|--B--|`,
      [['f', 'Köln.json', '{}']],
    ],
    [
      'a name that cannot be decoded beside',
      `--B|${disposition}; name="f"; filename="x.json"; filename*=utf-8''%FF||{}|--B--|`,
      [['f', 'x.json', '{}']],
    ],
    [
      'a name as it is',
      `--B|${disposition}; name="f"; filename="Köln.json"||{}|--B--|`,
      [['f', 'Köln.json', '{}']],
    ],
    [
      'a path of Windows',
      `--B|${disposition}; name="f"; filename="C:\\dir\\l.json"||{}|--B--|`,
      [['f', 'C:\\dir\\l.json', '{}']],
    ],
    [
      'quotes in a name',
      `--B|${disposition}; name="f"; filename="a\\"b%22c"||{}|--B--|`,
      [['f', 'a"b"c', '{}']],
    ],
    [
      'an empty file',
      `--B|${disposition}; name="f"; filename=""|Content-Type: application/octet-stream|||--B--|`,
      [['f', '', '']],
    ],
    [
      'other headers, in any order and case',
      `--B|Content-Type: text/plain|content-disposition:form-data;name="a"|Content-Length: 1||1|--B--|`,
      [['a', undefined, '1']],
    ],
    ['a header over two lines', `--B|${disposition};|  name="a"||1|--B--|`, [['a', undefined, '1']]],
    [
      'what looks like a boundary',
      `--B|${disposition}; name="a"||--B1|x--B|--Bx|--B--|`,
      [['a', undefined, '--B1\r\nx--B\r\n--Bx']],
    ],
    [
      'two parts',
      `--B|${disposition}; name="a"||1|--B|${disposition}; name="a"||2|--B--|`,
      [
        ['a', undefined, '1'],
        ['a', undefined, '2'],
      ],
    ],
  ])('%s', (_, body, expected) => expect(read(body)).toEqual(expected));

  test.each([
    ['multipart/form-data; boundary="a b:c"', 'a b:c'],
    ['multipart/form-data; charset=utf-8; Boundary=----WebKit.+()', '----WebKit.+()'],
    [`multipart/form-data; boundary=${'x'.repeat(70)}`, 'x'.repeat(70)],
  ])('the boundary of %s', (type, boundary) => {
    const body = `--${boundary}|${disposition}; name="a"||1|--${boundary}--|`;
    expect(read(body, type)).toEqual([['a', undefined, '1']]);
  });
});

describe('what is none', () => {
  test.each([
    ['', 'breaks off'],
    ['no form', 'breaks off'],
    [`--B|${disposition}; name="a"||1|`, 'breaks off'],
    [`--B|${disposition}; name="a"|--B--|`, 'has no name'],
    ['--B||1|--B--|', 'has no name'],
    [`--B|${disposition}; filename="a"||1|--B--|`, 'has no name'],
  ])('%j', (body, problem) => expect(read(body)).toContain(problem));

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('%s', (type) => expect(read('--B--', type)).toContain('no boundary'));
});

test('what a browser writes is read as it was', async () => {
  const text = fc.string({ unit: 'binary' });
  // Without a name of its own Node sends a file as a field.
  const file = fc.option(fc.string({ unit: 'binary', minLength: 1 }));
  const part = fc.record({ name: text, file, bytes: fc.uint8Array({ maxLength: 200 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const form = new FormData();
      for (const { name, file, bytes } of parts) {
        if (file === null) form.append(name, new TextDecoder().decode(bytes));
        else form.append(name, new Blob([bytes]), file);
      }
      const request = new Request('http://x', { method: 'POST', body: form });
      const type = request.headers.get('content-type') ?? '';
      const read = readMultipart(new Uint8Array(await request.arrayBuffer()), type);
      // A browser writes every line break of a name and of a field as CRLF.
      const lines = (value: string) => value.replace(/\r?\n|\r/g, '\r\n');
      expect(read).toEqual(
        parts.map(({ name, file, bytes }) => ({
          name: lines(name.toWellFormed()),
          ...(file !== null && { filename: file.toWellFormed() }),
          bytes: file === null ? new TextEncoder().encode(lines(new TextDecoder().decode(bytes))) : bytes,
        })),
      );
    }),
  );
});

test('nothing makes it throw, or take long', async () => {
  const piece = fc.constantFrom(
    '--B',
    '--',
    '\r\n',
    ' ',
    ';',
    '"',
    '\\',
    'name=',
    'filename*=',
    disposition,
    'x',
    '%',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(() => read(pieces.join(''))).not.toThrow();
    }),
  );
  const time = await processorTime(() => {
    for (const each of [
      '--B\r\n',
      ';a="',
      ';',
      '; name="\\',
      ' ',
      `${disposition}; name="a`,
      '\r\n ',
      '\r\n--B ',
    ]) {
      read(`--B\r\n${each.repeat(1_000_000 / each.length)}`);
      read(`--B\r\n${each.repeat(1_000_000 / each.length)}\r\n\r\n\r\n--B--`);
    }
  });
  expect(time).toBeLessThan(5000);
});
