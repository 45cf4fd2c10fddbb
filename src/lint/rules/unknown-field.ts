import type { Engine } from '../../language/engine.ts';
import { withoutEscapes } from '../../language/escape.ts';
import type { Fix } from '../../language/finding.ts';
import type { Clause, FieldName } from '../../language/tree.ts';
import { nearestNames } from '../../meaning/nearest.ts';
import { fieldsNamed } from '../../meaning/targets.ts';
import { quoteFix } from '../fixes/quote-fix.ts';
import { quotePasted } from '../fixes/quote-pasted.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { doubleLost } from '../views/escapes.ts';
import type { Pasted } from '../views/pasted.ts';
import { named } from '../views/wording.ts';

/**
 * A word before a colon that names no field. The server takes it for one all
 * the same and finds nothing, without a word (sections 6 and 7.4 of the
 * language specification). Addresses, times and the like look so by accident.
 */
export const unknownField: Rule = {
  code: 'unknown-field',
  heading: 'A word before a colon is no known field',
  severity: 'warning',
  fields: (fields) => fields.length === 0,
  clause: (clause, context, { misread }) => {
    if (misread?.kind === 'pasted' && misread.look) {
      if (misread.parts[0] === clause && !misread.isBroken) reportPasted(misread, context);
    } else if (clause.field && (misread?.kind !== 'quotes' || misread.parts[0] === clause)) {
      checkName(clause, clause.field, context);
    }
  },
};

function reportPasted(pasted: Pasted, { report }: RuleContext): void {
  const {
    look,
    parts: [head],
  } = pasted;
  const name = (head?.kind === 'Clause' && head.field?.name.text) || '';
  const message = () =>
    `This looks like ${look}, but ${named(name)} before its colon is taken for a field that does not exist`;
  report(pasted, message, () => quotePasted(pasted));
}

function checkName(clause: Clause, field: FieldName, { schema, engine, report }: RuleContext): void {
  const name = nameAsked(clause, field, engine);
  if (!name || 0 < fieldsNamed(name.text, schema, engine).length) return;
  report(name, `There is no field ${named(name.text)}, so this matches nothing`, () => [
    ...nearestNames(name.text, [...schema.fields.keys()]).map(
      (known): Fix => ({
        title: `Change to ${known}`,
        edits: [{ from: name.from, to: name.to, insert: known }],
      }),
    ),
    ...quotes(clause, field),
  ]);
}

/** The name of the field that a clause is about: `_exists_:msg` asks whether `msg` has a value, where the engine has that. */
function nameAsked({ item }: Clause, { name }: FieldName, { existsField }: Engine) {
  const text = withoutEscapes(name.text).text;
  // That is every log, whatever the engine makes of such names.
  if (text === '*' && item.kind === 'Wildcard' && item.term.kind === 'Star') return undefined;
  if (text !== '_exists_' || !existsField) return { text, from: name.from, to: name.to };
  if (item.kind !== 'Word') return undefined;
  return { text: withoutEscapes(item.term.text).text, from: item.term.from, to: item.term.to };
}

/** A label with what follows it, as in `error: timeout`, may be a text of the log. */
function quotes({ item, to }: Clause, field: FieldName): Fix[] {
  if (item.kind !== 'Word' || field.name.text === '_exists_') return [];
  const written = `${field.name.text}:${item.term.before}${item.term.text}`;
  return [quoteFix({ from: field.from, to }, withoutEscapes(doubleLost(written)).text)];
}
