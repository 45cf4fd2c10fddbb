import { nearestNames } from '../meaning/nearest.ts';
import { fieldsNamed } from '../meaning/resolve.ts';
import type { Engine } from '../parse/engine.ts';
import type { Fix } from '../parse/finding.ts';
import { withoutEscapes } from '../parse/lex.ts';
import type { Clause, FieldName } from '../parse/tree.ts';
import { doubleLostBackslashes, type Pasted } from './constructs.ts';
import { quoteFix, quotePasted } from './fixes.ts';
import type { ClausePosition, LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A word before a colon that names no field. The server reads it as one all the
 * same and finds nothing, without an error (sections 6 and 7.4 of the language
 * specification). URLs and times of day are read so too.
 */
export const unknownField: LintRule = {
  code: 'unknown-field',
  heading: 'A word before a colon is no known field',
  severity: 'warning',
  clause: (clause, context, position) => {
    const { construct } = position;
    if (construct?.kind === 'pasted' && construct.look) {
      if (construct.parts[0] === clause && !construct.isBroken) reportPasted(construct, context);
    } else if (clause.field && (construct?.kind !== 'quotes' || construct.parts[0] === clause)) {
      checkName(clause, clause.field, { context, position });
    }
  },
};

interface Checking {
  readonly context: LintContext;
  readonly position: ClausePosition;
}

function reportPasted(pasted: Pasted, { report }: LintContext): void {
  const {
    look,
    parts: [head],
  } = pasted;
  const name = (head?.kind === 'Clause' && head.field?.name.text) || '';
  const message = () =>
    `This looks like ${look}, but ${quoteName(name)} before its colon is taken for a field that does not exist`;
  report(pasted, message, () => quotePasted(pasted));
}

function checkName(clause: Clause, field: FieldName, { context, position }: Checking): void {
  const { schema, engine, report } = context;
  const name = nameAsked(clause, field, engine);
  if (!name || 0 < fieldsNamed(name.text, schema, engine).length) return;
  report(name, `There is no field ${quoteName(name.text)}, so this matches nothing`, () => [
    ...nearestNames(name.text, [...schema.fields.keys()]).map(
      (known): Fix => ({
        title: `Change to ${known}`,
        edits: [{ from: name.from, to: name.to, insert: known }],
      }),
    ),
    ...quoteLabel(clause, field, position),
  ]);
}

/** The name of the field that a clause asks. `_exists_:msg` asks for `msg`, if the engine has that form. */
function nameAsked({ item }: Clause, { name }: FieldName, { existsField }: Engine) {
  const text = withoutEscapes(name.text).text;
  // `*:*` is every log on all engines.
  if (text === '*' && item.kind === 'Wildcard' && item.term.kind === 'Star') return undefined;
  if (text !== '_exists_' || !existsField) return { text, from: name.from, to: name.to };
  if (item.kind !== 'Word') return undefined;
  return { text: withoutEscapes(item.term.text).text, from: item.term.from, to: item.term.to };
}

/**
 * Quotes a label with the word behind it, as in `error: timeout`, which may be a text of the log. What touches a
 * second colon, as in `a:b:c`, belongs to it; none if that is more than words.
 */
function quoteLabel({ item, to }: Clause, field: FieldName, position: ClausePosition): Fix[] {
  if (item.kind !== 'Word' || field.name.text === '_exists_') return [];
  const { construct, level, index } = position;
  if (construct?.kind === 'pasted' && construct.isBroken) {
    const [first] = construct.parts;
    const isFirst = first?.kind === 'Clause' && first.field === field;
    return isFirst ? [quoteFix({ from: field.from, to: construct.to }, construct.value(field.from))] : [];
  }
  const next = level.parts[index + 1];
  if (next?.kind === 'Stray' && next.from === to) return [];
  const text = `${field.name.text}:${item.term.before}${item.term.text}`;
  return [quoteFix({ from: field.from, to }, withoutEscapes(doubleLostBackslashes(text)).text)];
}
