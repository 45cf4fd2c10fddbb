/**
 * What could move the cursor, change the terminal or turn the direction of
 * writing, and what is not to be seen at all: control characters, line and
 * paragraph separators, bidirectional controls, halves of surrogate pairs, and
 * the default ignorable characters of Unicode (soft hyphens, zero-width ones,
 * fillers, tags). Those that emojis are made of stay: the two selectors of their
 * style, and joiners between pictures.
 */
const unsafe =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})(?![\ufe0e\ufe0f])[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\ud800-\udfff\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts hold nothing that has to be looked for. */
const plain = /^[\x20-\x7e]*$/;

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A text of a log, a query or a deployment in one line that is safe to show: unsafe characters as escapes. */
export function printable(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unsafe, (character) => short.get(character) ?? escaped(character));
}

/** Names of entries are made by others, of any length. */
const longestName = 120;

/** The name of a file or an entry for a message: safe to show, and only its beginning where it is long. */
export function printableName(name: string): string {
  return printable(name.length <= longestName ? name : `${name.slice(0, longestName)}…`);
}

/** The same with its line breaks kept, for text that may have several lines. */
export function printableLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => printable(line))
    .join('\n');
}

/** A text with line breaks as an output gets it: safe to show where that is a terminal, the very text where it is a file or a pipe. */
export function textFor({ width }: { readonly width: number | undefined }, text: string): string {
  return width === undefined ? text : printableLines(text);
}

/**
 * A value as JSON in which nothing is unsafe to show either; a reader of JSON
 * gets the same value. A `bigint` is the text of its digits, which no reader rounds.
 * `write` is what writes the JSON where numbers have to stay as they were written.
 */
export function toJson(value: unknown, indent?: number, write = jsonOf): string {
  // What JSON itself leaves as it is: the line breaks that it adds are wanted.
  return write(value, indent).replace(unsafe, (character) =>
    character === '\n' ? character : jsonEscaped(character),
  );
}

function jsonOf(value: unknown, indent?: number): string {
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
  const code = character.codePointAt(0) ?? 0;
  if (0xffff < code) return `\\u{${code.toString(16)}}`;
  return code < 0x100 ? `\\x${hexadecimal(code, 2)}` : jsonEscaped(character);
}

/** JSON has escapes for units of UTF-16 only. */
function jsonEscaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${hexadecimal(character.charCodeAt(at), 4)}`,
  ).join('');
}

function hexadecimal(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}
