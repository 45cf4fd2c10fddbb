/**
 * The form of a query on which the server's and the ordinary reading agree: no level mixes AND
 * with OR, and a NOT stands bare only in an AND list or alone on its level (section 2.2 of the
 * language specification).
 */

/** A level in operators that both readings interpret alike. */
export type SafeForm =
  | { readonly kind: 'item'; readonly text: string }
  /** Neighbouring words that are analysed as one text, as long as no operator is beside them. */
  | { readonly kind: 'run'; readonly text: string }
  | { readonly kind: 'not'; readonly said: SafeForm }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly SafeForm[] };

/** Joins several forms; a single one is returned as it is. */
export function joinForms(kind: 'and' | 'or', parts: readonly SafeForm[]): SafeForm {
  const [first, second] = parts;
  return first && !second ? first : { kind, parts };
}

/** The position of a form: alone on its level, in a list, or behind NOT. */
type Place = 'alone' | 'and' | 'or' | 'not';

/** Writes a form as query text, with the parentheses that its position requires. */
export function writeForm(said: SafeForm, place: Place = 'alone'): string {
  switch (said.kind) {
    case 'item':
      return said.text;
    case 'run':
      return place === 'alone' ? said.text : `(${said.text})`;
    case 'not': {
      const text = `NOT ${writeForm(said.said, 'not')}`;
      return place === 'alone' || place === 'and' ? text : `(${text})`;
    }
    default: {
      const operator = said.kind === 'and' ? ' AND ' : ' OR ';
      const text = said.parts.map((part) => writeForm(part, said.kind)).join(operator);
      return place === 'alone' ? text : `(${text})`;
    }
  }
}
