import { openPromise, type ZipFile } from 'yauzl';
import { messageOf } from '../../database/index.ts';
import { EntryProblem } from './entry-problem.ts';

/** Maximum inflated bytes of a document of a workbook, which is read as one text. */
const maxDocument = 256 * 1024 * 1024;

/** The document that each workbook has. */
export const workbookDocument = 'xl/workbook.xml';

/**
 * Yields the only sheet of a workbook (ECMA-376) as CSV: dates as ISO times without a zone, all else as it is stored.
 * Throws an `EntryProblem` for a damaged workbook, and for one of several sheets. Yields nothing for another zip.
 */
export async function* workbookRows(path: string): AsyncGenerator<string, void, undefined> {
  // A damaged zip is no workbook: its reader receives the problem.
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch(() => undefined);
  if (!zip) return;
  const documents = new Map<string, string>();
  try {
    await readDocuments(zip, documents);
    const workbook = documents.get(workbookDocument);
    if (workbook === undefined) return;
    const sheets = [...documents.keys()].filter((name) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name));
    const [sheet = ''] = sheets;
    if (sheets.length !== 1)
      throw new EntryProblem(
        'NOT_LOGS',
        `The workbook has ${sheets.length} sheets, and one is read: save the one with the logs as a file of its own`,
      );
    yield* rowsOf(documents.get(sheet) ?? '', {
      shared: sharedTexts(documents.get('xl/sharedStrings.xml') ?? ''),
      isDate: dateStyles(documents.get('xl/styles.xml') ?? ''),
      firstDay: /date1904="(?:1|true)"/.test(workbook) ? firstDays.of1904 : firstDays.of1900,
    });
  } catch (error) {
    if (!documents.has(workbookDocument)) return;
    if (error instanceof EntryProblem) throw error;
    throw new EntryProblem('BAD_DATA', `The workbook is damaged: ${messageOf(error)}`, { cause: error });
  } finally {
    zip.close();
  }
}

async function readDocuments(zip: ZipFile, documents: Map<string, string>): Promise<void> {
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (!/^xl\/(workbook|sharedStrings|styles|worksheets\/[^/]+)\.xml$/i.test(name)) continue;
    if (maxDocument < entry.uncompressedSize)
      throw new EntryProblem('NOT_LOGS', 'A sheet of the workbook is too long: save it as CSV');
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(Buffer.from(piece));
    documents.set(name, Buffer.concat(pieces).toString('utf8'));
  }
}

/** What the cells of a sheet refer to. */
interface Book {
  readonly shared: readonly string[];
  /** Reports if the style of a cell shows its number as a date. */
  readonly isDate: (style: number) => boolean;
  /** The day 0, milliseconds since the epoch. */
  readonly firstDay: number;
}

const firstDays = { of1900: Date.UTC(1899, 11, 30), of1904: Date.UTC(1904, 0, 1) };

const [cell, row] = [elements('c'), elements('row')];

function* rowsOf(sheet: string, book: Book): Generator<string, void, undefined> {
  let width = 0;
  for (const [, , content = ''] of sheet.matchAll(row)) {
    const values: string[] = [];
    for (const [, attributes = '', inner = ''] of content.matchAll(cell))
      values[columnOf(attributes) ?? values.length] = cellText(attributes, inner, book);
    if (values.every((value) => value === '')) continue;
    if (width === 0) width = values.length;
    const padded = Array.from({ length: Math.max(width, values.length) }, (_, at) =>
      quoted(values[at] ?? ''),
    );
    yield `${padded.join(',')}\n`;
  }
}

/** Matches elements of a name in any namespace: attributes, and content. */
function elements(name: string): RegExp {
  return new RegExp(String.raw`<(?:\w+:)?${name}((?:\s[^>]*?)?)(?:/>|>([\s\S]*?)</(?:\w+:)?${name}>)`, 'g');
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(String.raw`\s${name}="([^"]*)"`).exec(attributes)?.[1];
}

/** The column of a cell, from 0; undefined if it follows the one before. */
function columnOf(attributes: string): number | undefined {
  const [, letters] = /^([A-Z]{1,3})\d/.exec(attributeOf(attributes, 'r') ?? '') ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const [text, value, item] = [elements('t'), elements('v'), elements('si')];

function cellText(attributes: string, inner: string, { shared, isDate, firstDay }: Book): string {
  const type = attributeOf(attributes, 't') ?? 'n';
  if (type === 'inlineStr') return textsIn(inner);
  const stored = [...inner.matchAll(value)].map(([, , content = '']) => unescaped(content)).join('');
  if (type === 's') return shared[Number(stored)] ?? '';
  if (type === 'b') return stored === '1' ? 'true' : 'false';
  const number = Number(stored);
  if (type !== 'n' || stored === '' || !isDate(Number(attributeOf(attributes, 's') ?? 0))) return stored;
  const time = new Date(firstDay + Math.round(number * 86_400_000));
  return Number.isNaN(time.getTime()) ? stored : time.toISOString().slice(0, -1);
}

/** The text of a cell, whose runs may have formats; guides to the pronunciation are none of it. */
function textsIn(inner: string): string {
  const spoken = inner.replace(elements('rPh'), '');
  const found = [...spoken.matchAll(text)].map(([, , content = '']) => unescaped(content)).join('');
  return found.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function sharedTexts(document: string): readonly string[] {
  return [...document.matchAll(item)].map(([, , content = '']) => textsIn(content));
}

/** Numbers of the built-in formats of dates and times. */
const dateFormats = /^(1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/;

function dateStyles(document: string): (style: number) => boolean {
  const own = new Map<string, boolean>();
  for (const [, attributes = ''] of document.matchAll(elements('numFmt'))) {
    const code = unescaped(attributeOf(attributes, 'formatCode') ?? '');
    const bare = code.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]/gi, '');
    own.set(attributeOf(attributes, 'numFmtId') ?? '', /[dmyhs]/i.test(bare));
  }
  const [, , formats = ''] = elements('cellXfs').exec(document) ?? [];
  const styles = [...formats.matchAll(elements('xf'))].map(([, attributes = '']) => {
    const id = attributeOf(attributes, 'numFmtId') ?? '0';
    return own.get(id) ?? dateFormats.test(id);
  });
  return (style) => styles[style] === true;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescaped(content: string): string {
  if (!content.includes('&')) return content;
  return content.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, digits, name) => {
    const point = hex === undefined ? Number(digits) : Number.parseInt(String(hex), 16);
    if (name !== undefined) return entities.get(String(name)) ?? whole;
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
