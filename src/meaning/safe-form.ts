/**
 * The form of a query on which the server's and the ordinary reading agree: no
 * level mixes AND with OR, and a NOT stands bare only as one of an AND list or
 * alone on its level (section 2.2 of the language specification).
 */

/** What a level says, in operators that everyone reads alike. */
export type Said =
  | { readonly kind: 'item'; readonly text: string }
  /** Neighbouring words that are one text, as long as no operator is beside them. */
  | { readonly kind: 'run'; readonly text: string }
  | { readonly kind: 'not'; readonly said: Said }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Said[] };

/** Several things joined; one alone stays as it is. */
export function joined(kind: 'and' | 'or', parts: readonly Said[]): Said {
  const [first, second] = parts;
  return first && !second ? first : { kind, parts };
}

/** Where something stands: alone on its level, in a list, or behind NOT. */
type Place = 'alone' | 'and' | 'or' | 'not';

/** What is said as query text, with the parentheses that its place requires. */
export function written(said: Said, place: Place = 'alone'): string {
  switch (said.kind) {
    case 'item':
      return said.text;
    case 'run':
      return place === 'alone' ? said.text : `(${said.text})`;
    case 'not': {
      const text = `NOT ${written(said.said, 'not')}`;
      return place === 'alone' || place === 'and' ? text : `(${text})`;
    }
    default: {
      const operator = said.kind === 'and' ? ' AND ' : ' OR ';
      const text = said.parts.map((part) => written(part, said.kind)).join(operator);
      return place === 'alone' ? text : `(${text})`;
    }
  }
}
