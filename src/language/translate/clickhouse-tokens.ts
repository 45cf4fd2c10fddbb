/** A token of SQL. A comment is none. */
export interface ClickhouseToken {
  /** A quoted name is unescaped; a literal has no text; a sign is any other character. */
  readonly kind: 'word' | 'name' | 'literal' | 'sign';
  readonly text: string;
}

const comment = String.raw`--[^\n]*|#[! ][^\n]*|\/\*.*?\*\/`;

/** The server also reads typographic quotation marks. */
const literal = String.raw`'(?:[^'\\]|\\.|'')*'|‘[^’]*’|\$(?<tag>\w*)\$.*?\$\k<tag>\$`;

const name = '"(?:[^"\\\\]|\\\\.|"")*"|`(?:[^`\\\\]|\\\\.|``)*`|“[^”]*”';

/** Text that is no code whatever it holds: literals, quoted names, comments. */
export const skipped = new RegExp(`${literal}|${name}|${comment}`, 'suy');

/** A word, such as a keyword, a name or a number. */
export const word = /[\p{L}\p{N}_$]+/uy;

const token = new RegExp(
  `(?<literal>${literal})|${comment}|(?<name>${name})|(?<word>${word.source})|(?<sign>\\S)`,
  'gsu',
);

/** Reads the tokens of SQL of ClickHouse, in their order. */
export function* clickhouseTokens(sql: string): Generator<ClickhouseToken, void, undefined> {
  for (const { groups } of sql.matchAll(token)) {
    if (groups?.name !== undefined) yield { kind: 'name', text: unescaped(groups.name.slice(1, -1)) };
    else if (groups?.word !== undefined) yield { kind: 'word', text: groups.word };
    else if (groups?.literal !== undefined) yield { kind: 'literal', text: '' };
    else if (groups?.sign !== undefined) yield { kind: 'sign', text: groups.sign };
  }
}

const escapes: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', '0': '\0', a: '\x07', v: '\v' },
};

/** Reads the content of a literal or a quoted name of ClickHouse. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\x([0-9a-fA-F]{2})|\\(.)|''/gs, (all, hex?: string, escaped?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (escaped === undefined) return all === "''" ? "'" : all;
    // The backslash stays before a character that needs none, as before a wildcard.
    return escapes[escaped] ?? (/['"`\\/=]/.test(escaped) ? escaped : all);
  });
}
