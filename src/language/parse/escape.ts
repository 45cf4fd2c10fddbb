/** A text with its escapes resolved, and the first escape that the engine refuses, if any. */
export interface Unescaped {
  readonly text: string;
  readonly error: EscapeError | undefined;
}

/** A `\u` without four hexadecimal digits, or a `\` at the end. The offset is into the escaped text. */
export interface EscapeError {
  readonly kind: 'truncated' | 'not-hexadecimal' | 'nothing-escaped';
  readonly at: number;
}

/**
 * Resolves escapes: `\` and a character are that character, `\u` and four hexadecimal digits are
 * that UTF-16 unit (section 3 of the language specification). A refused escape stays as written.
 *
 * ```ts
 * const { text } = withoutEscapes('a\\:b'); // 'a:b'
 * ```
 */
export function withoutEscapes(raw: string): Unescaped {
  if (!raw.includes('\\')) return { text: raw, error: undefined };
  let error: EscapeError | undefined;
  const text = raw.replace(
    /\\(u([\s\S]{0,4})|[\s\S]|$)/g,
    (written: string, rest: string, digits: string | undefined, at: number) => {
      if (digits === undefined && rest !== '') return rest;
      if (digits && /^[0-9a-fA-F]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
      error ??= { kind: errorKind(digits), at };
      return written;
    },
  );
  return { text, error };
}

function errorKind(digits: string | undefined): EscapeError['kind'] {
  if (digits === undefined) return 'nothing-escaped';
  return /^[0-9a-fA-F]*$/.test(digits) ? 'truncated' : 'not-hexadecimal';
}

/** Escapes a text as one word of a query: special characters and reserved words. */
export function withEscapes(text: string): string {
  if (/^(AND|OR|NOT|&&|\|\|)$/.test(text)) return `\\${text}`;
  return text.replace(/[+\-!():^[\]"{}~*?\\/\s]/g, '\\$&');
}

/** The text inside a phrase or a quoted bound, whose last quote may be missing. */
export function withoutQuotes(quoted: string): string {
  const closed = 1 < quoted.length && quoted.endsWith('"') && !endsEscaped(quoted);
  return quoted.slice(1, closed ? -1 : undefined);
}

/** Returns whether the last character of a text is escaped: an odd number of backslashes precedes it. */
export function endsEscaped(text: string): boolean {
  let backslashes = 0;
  while (text[text.length - 2 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Returns whether a text contains one of these characters without a backslash before it. */
export function hasUnescaped(text: string, characters: RegExp): boolean {
  return characters.test(text) && characters.test(text.replace(/\\[\s\S]/g, ''));
}
