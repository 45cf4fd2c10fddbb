/**
 * The characters outside XML 1.0: most control characters and half a surrogate pair. XML cannot hold them, not
 * even as a reference.
 */
const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/**
 * True if XML can hold a text. Otherwise `escapeXml` writes U+FFFD, the replacement character, in place of each
 * character outside XML.
 */
export function isXmlText(text: string): boolean {
  return text.search(unwritable) === -1;
}

/**
 * Escapes a text as content of an element or value of an attribute. It reads back unchanged if XML can hold it.
 */
export function escapeXml(text: string): string {
  return text
    .replace(unwritable, '\uFFFD')
    .replace(/[&<>"'\r\n\t]/g, (character) => references[character] ?? character);
}

// A reader turns a single carriage return into a line feed and, in an attribute, all white space into blanks.
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

/** Replaces the references in a text; undefined if XML does not define one of them. */
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
