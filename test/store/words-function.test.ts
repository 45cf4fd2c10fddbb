import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addWordsFunction } from '../../src/case/file/case.ts';
import { analyze } from '../../src/language/meaning/analyze.ts';
import { rounds } from '../effort.ts';
import { analyzerText } from '../property/analyzer-text.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  addWordsFunction(connection);
  const manual = await readFile(join(import.meta.dirname, '../../docs/cases.md'), 'utf8');
  const macro = /CREATE MACRO words[\s\S]*?\n\n/.exec(manual)?.[0] ?? '';
  await connection.run(macro.replace('words(', 'words_of_ascii('));
});

afterAll(() => connection.closeSync());

/** Evaluates SQL with the parameter `$1` for each of some texts. */
async function evaluate(sql: string, texts: readonly string[]): Promise<readonly unknown[]> {
  const list = `SELECT unnest([${texts.map((_, index) => `$${index + 1}`).join(', ')}]::VARCHAR[]) AS text`;
  const result = await connection.runAndReadAll(`SELECT ${sql} FROM (${list})`, [...texts]);
  return result.getRowsJS().map(([value]) => value);
}

function joined(text: string): string | null {
  const words = analyze(text);
  return words.length === 0 ? null : ` ${words.join(' ')} `;
}

test('the words of a text are joined and surrounded by blanks', async () => {
  expect(await evaluate('words(text)', ['Timed out!', '...', 'Größe'])).toEqual([
    ' timed out ',
    null,
    ' größe ',
  ]);
  expect((await connection.runAndReadAll('SELECT words(NULL)')).getRowsJS()).toEqual([[null]]);
});

test('the words of any text are those of the analyzer, and parts of the text in lower case', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(analyzerText, { minLength: 1, maxLength: 20 }), async (drawn) => {
      const texts = drawn.map((text) => text.toWellFormed());
      expect(await evaluate('words(text)', texts)).toEqual(texts.map(joined));
      const parts = await evaluate(
        `list_bool_and(list_transform(string_split(words(text), ' '), lambda word: contains(lower(text), word)))`,
        texts,
      );
      for (const [index, text] of texts.entries())
        if (joined(text) !== null) expect({ text, isPart: parts[index] }).toEqual({ text, isPart: true });
    }),
    { numRuns: rounds(200, 20) },
  );
});

test('a letter in lower case is the same for the database and the analyzer', async () => {
  const result = await connection.runAndReadAll(
    `SELECT code::INTEGER, lower(chr(code::INTEGER)) FROM range(1, 1114112) codes(code)
     WHERE code NOT BETWEEN 55296 AND 57343 AND lower(chr(code::INTEGER)) <> chr(code::INTEGER)`,
  );
  const lower = new Map(result.getRowsJS().map(([code, text]) => [Number(code), text]));
  for (let code = 1; code < 0x110000; code++) {
    const letter = String.fromCodePoint(code);
    // Letters that the analyzer does not know are in no word.
    if (!lower.has(code) && letter.toLowerCase() === letter) continue;
    const [word = lower.get(code)] = analyze(letter);
    expect([letter, lower.get(code)]).toEqual([letter, word]);
  }
});

test('the macro of the manual cuts ASCII texts alike', async () => {
  const ascii = fc.string({ unit: fc.constantFrom(...`abXZ019_.:,;'"-/ \t@`), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(ascii, { minLength: 1, maxLength: 40 }), async (texts) => {
      expect(await evaluate('words_of_ascii(text)', texts)).toEqual(texts.map(joined));
    }),
    { numRuns: rounds(200, 30) },
  );
});
