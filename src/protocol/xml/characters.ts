/**
 * The characters of XML 1.0. A text of XML can hold neither the other control
 * characters nor half of a surrogate pair, not even as a reference.
 */
const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/**
 * Whether XML can carry a text. Where it cannot, writing the text puts U+FFFD,
 * the replacement character, in the place of each character that it has to drop.
 */
export function isXmlText(text: string): boolean {
  return text.search(unwritable) === -1;
}

/** A text as the content of an element or as the value of an attribute. It reads back as it was, if XML can carry it. */
export function escapeXml(text: string): string {
  return text
    .replace(unwritable, '\uFFFD')
    .replace(/[&<>"'\r\n\t]/g, (character) => references[character] ?? character);
}

// A reader turns a bare carriage return into a line feed, and in an attribute all white space into blanks.
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** The text that a text with references stands for; undefined where a reference is none of XML's own. */
export function unescapeXml(text: string): string | undefined {
  let known = true;
  const read = text.replace(/&([^;&]*);?/g, (_, reference: string) => {
    const character = named.get(reference) ?? numbered(reference);
    known &&= character !== undefined;
    return character ?? '';
  });
  return known ? read : undefined;
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function numbered(reference: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(reference) ?? [];
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return isXmlText(character) ? character : undefined;
}
