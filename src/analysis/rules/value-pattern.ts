/** A part of a value: one code point as a text, any one of them, or any run of them. */
export type ValuePart = string | typeof anyOne | typeof anyRun;

/** The wildcard `?`. */
export const anyOne = Symbol('?');

/** The wildcard `*`. */
export const anyRun = Symbol('*');

/**
 * Parses a value of a rule: `*` and `?` are wildcards. A backslash before one of them or before a
 * backslash makes it literal; any other backslash is itself (Sigma rules specification 2.0,
 * "Escaping").
 */
export function parseValue(text: string): readonly ValuePart[] {
  return Array.from(text.matchAll(/\\([\\*?])|([\s\S])/gu), ([, literal, character = '']) => {
    if (literal !== undefined) return literal;
    return character === '*' ? anyRun : character === '?' ? anyOne : character;
  });
}

/** The literal text of a value; undefined if it has wildcards. */
export function literalText(parts: readonly ValuePart[]): string | undefined {
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

/** Writes a value as a pattern of a `WildcardFilter`. */
export function wildcardPattern(parts: readonly ValuePart[]): string {
  return parts
    .map((part) => {
      if (part === anyRun) return '*';
      if (part === anyOne) return '?';
      return String(part).replace(/[\\*?]/, '\\$&');
    })
    .join('');
}
