/**
 * The form of a query on which the server's and the ordinary reading agree. No level mixes AND with OR
 * (section 2.2 of the language specification). A NOT stands bare only in an AND list or alone on its level.
 */

/** A level in operators that both readings interpret alike. */
export type SafeForm =
  | { readonly kind: 'item'; readonly text: string }
  /** Neighbouring words that are analysed as one text, as long as no operator is beside them. */
  | { readonly kind: 'run'; readonly text: string }
  | { readonly kind: 'not'; readonly operand: SafeForm }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly SafeForm[] };

/** Joins several forms; a single one is returned as it is. */
export function joinForms(kind: 'and' | 'or', parts: readonly SafeForm[]): SafeForm {
  const [first, second] = parts;
  return first && !second ? first : { kind, parts };
}

/** The position of a form: alone on its level, in a list, or behind NOT. */
type Position = 'alone' | 'and' | 'or' | 'not';

/** Writes a form as query text, with the parentheses that its position requires. */
export function writeForm(form: SafeForm, position: Position = 'alone'): string {
  switch (form.kind) {
    case 'item':
      return form.text;
    case 'run':
      return position === 'alone' ? form.text : `(${form.text})`;
    case 'not': {
      const text = `NOT ${writeForm(form.operand, 'not')}`;
      return position === 'alone' || position === 'and' ? text : `(${text})`;
    }
    default: {
      const operator = form.kind === 'and' ? ' AND ' : ' OR ';
      const text = form.parts.map((part) => writeForm(part, form.kind)).join(operator);
      return position === 'alone' ? text : `(${text})`;
    }
  }
}
