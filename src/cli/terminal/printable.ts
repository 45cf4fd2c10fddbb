/**
 * What could move the cursor, change the terminal or turn the direction of
 * writing: control characters, line and paragraph separators, bidirectional
 * controls, and halves of surrogate pairs.
 */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A text of a log, a query or a deployment in one line that is safe to show: unsafe characters as escapes. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => short.get(character) ?? escaped(character));
}

/** The same with its line breaks kept, for text that may have several lines. */
export function printableLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => printable(line))
    .join('\n');
}

/**
 * A value as JSON in which nothing is unsafe to show either; a reader of JSON
 * gets the same value. A `bigint` is the text of its digits, which no reader rounds.
 */
export function toJson(value: unknown, indent?: number): string {
  // What JSON itself leaves as it is: the line breaks that it adds are wanted.
  return jsonOf(value, indent).replace(unsafe, (character) =>
    character === '\n' ? character : jsonEscaped(character),
  );
}

function jsonOf(value: unknown, indent: number | undefined): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Only now: to be asked about each member takes JSON.stringify several times as long.
    const textOf = (_key: string, each: unknown) => (typeof each === 'bigint' ? String(each) : each);
    return JSON.stringify(value, textOf, indent);
  }
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${hexadecimal(code, 2)}` : jsonEscaped(character);
}

function jsonEscaped(character: string): string {
  return `\\u${hexadecimal(character.charCodeAt(0), 4)}`;
}

function hexadecimal(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}
