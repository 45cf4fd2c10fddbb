/**
 * Unsafe characters: those that could move the cursor, change the terminal or reverse the direction of
 * writing, and invisible ones. Control characters, line and paragraph separators, bidirectional
 * controls, unpaired surrogates, and the default ignorable characters of Unicode (soft hyphens, zero-
 * width characters, fillers, tags). Parts of emojis are allowed: the two style selectors, and joiners
 * between pictures.
 */
const unsafe =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})(?![\ufe0e\ufe0f])[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\ud800-\udfff\p{Default_Ignorable_Code_Point}]/gu;

/** Fast path: most texts are plain ASCII. */
const plain = /^[\x20-\x7e]*$/;

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Escapes unsafe characters of a text, including line breaks. */
export function escapeUnsafe(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unsafe, (character) => short.get(character) ?? escaped(character));
}

/** Maximum length of a shown file name; entries of zips may have any. */
const longestName = 120;

/** Formats a file or entry name for a message: escaped, and cut if long. */
export function escapeFileName(name: string): string {
  return escapeUnsafe(name.length <= longestName ? name : `${name.slice(0, longestName)}…`);
}

/** Escapes unsafe characters of a text, but keeps line breaks. */
export function escapeUnsafeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeUnsafe(line))
    .join('\n');
}

/** Escapes a text with line breaks for a terminal; a file or a pipe gets it unchanged. */
export function textFor({ width }: { readonly width: number | undefined }, text: string): string {
  return width === undefined ? text : escapeUnsafeLines(text);
}

/**
 * Formats a value as JSON with unsafe characters escaped, which changes nothing for JSON parsers. A
 * `bigint` becomes the text of its digits, so that no parser rounds it. `write` replaces
 * JSON.stringify if numbers must keep their spelling.
 */
export function toJson(value: unknown, indent?: number, write = jsonOf): string {
  // Line breaks of the indentation stay.
  return write(value, indent).replace(unsafe, (character) =>
    character === '\n' ? character : jsonEscaped(character),
  );
}

function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Only on failure: a replacer makes JSON.stringify several times slower.
    const textOf = (_key: string, each: unknown) => (typeof each === 'bigint' ? String(each) : each);
    return JSON.stringify(value, textOf, indent);
  }
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (0xffff < code) return `\\u{${code.toString(16)}}`;
  return code < 0x100 ? `\\x${hexadecimal(code, 2)}` : jsonEscaped(character);
}

/** Escapes a character by its UTF-16 units: JSON has no other escapes. */
function jsonEscaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${hexadecimal(character.charCodeAt(at), 4)}`,
  ).join('');
}

function hexadecimal(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}
