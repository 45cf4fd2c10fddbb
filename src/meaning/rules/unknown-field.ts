import { withoutEscapes } from '../../language/escape.ts';
import type { FieldName } from '../../language/tree.ts';
import { nearest } from '../nearest.ts';
import type { Rule } from '../rule.ts';

/**
 * A word before a colon that names no field. The server takes it for one all
 * the same and finds nothing, without a word (sections 6 and 7.4 of the
 * language specification).
 */
export const unknownField: Rule = {
  code: 'unknown-field',
  heading: 'A word before a colon is no known field',
  severity: 'warning',
  check: ({ schema, report }) => ({
    Clause: ({ field, item }) => {
      if (!field || field.name.text === '*') return;
      const name = withoutEscapes(field.name.text).text;
      if (schema.fields.has(name) || name === '_exists_') return;
      const renames = nearest(name, [...schema.fields.keys()]).map((known) => ({
        title: `Change to ${known}`,
        edits: [{ from: field.name.from, to: field.name.to, insert: known }],
      }));
      const quotes =
        item.kind === 'Word' && touches(field, item) ? [quoted(field, item.term.text, item.to)] : [];
      report(field.name, `There is no field "${name}", so this matches nothing`, [...renames, ...quotes]);
    },
  }),
};

/** Whether nothing stands between the colon and what follows it, as in an address or a time. */
function touches(field: FieldName, item: { readonly from: number }): boolean {
  return field.name.to === field.colon.from && field.to === item.from;
}

function quoted(field: FieldName, value: string, to: number) {
  const text = `${field.name.text}:${value}`.replace(/["\\]/g, '\\$&');
  return { title: 'Put it in quotes', edits: [{ from: field.from, to, insert: `"${text}"` }] };
}
