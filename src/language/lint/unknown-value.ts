import { nearestWords } from '../meaning/nearest.ts';
import type { Field } from '../meaning/schema.ts';
import type { Clause } from '../parse/tree.ts';
import { type AskedValue, askedValues, namedField } from './clause.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A value that is not known for its field, but close to a known one, or its name in
 * other systems. Values that are close to none are left alone: the lists are open.
 */
export const unknownFieldValue: LintRule = {
  code: 'unknown-value',
  heading: 'A value is none of the known ones',
  severity: 'warning',
  clause: (clause, context) => {
    const field = namedField(clause, context.targets);
    const known = field?.values;
    if (!field || !known || asksForOne(clause, known) || 1 < context.terms(clause).length) return;
    const [value] = clause.item.kind === 'Range' ? [] : askedValues(clause, context);
    if (value?.as === 'exact') checkValue(value, { field, known, context });
  },
};

/** Returns whether a clause asks for a known value as it is. */
function asksForOne({ item }: Clause, known: readonly string[]): boolean {
  return item.kind === 'Word' && known.includes(item.term.text);
}

interface Checking {
  readonly field: Field;
  readonly known: readonly string[];
  readonly context: LintContext;
}

function checkValue({ text, from, to }: AskedValue, { field, known, context }: Checking): void {
  const sameWord = known.find((value) => value.toLowerCase() === text.toLowerCase());
  // On a text field upper and lower case are the same.
  if (sameWord && (field.type === 'text' || sameWord === text)) return;
  const meant = sameWord ? [sameWord] : valuesMeant(text, known);
  if (meant.length === 0) return;
  const message = sameWord
    ? `"${field.name}" tells upper from lower case, and its known value is ${quoteName(sameWord)}`
    : `${quoteName(text)} is none of the known values of "${field.name}": ${known.join(', ')}`;
  context.report({ from, to }, message, () =>
    meant.map((value) => ({ title: `Change to ${value}`, edits: [{ from, to, insert: value }] })),
  );
}

/** Log levels by their names in other systems. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['error', 'SEVERE'],
  ['err', 'SEVERE'],
  ['fatal', 'SEVERE'],
  ['critical', 'SEVERE'],
  ['information', 'INFO'],
  ['trace', 'VERBOSE'],
]);

function valuesMeant(text: string, known: readonly string[]): string[] {
  const lower = text.toLowerCase();
  const other = known.filter((value) => value === otherNames.get(lower));
  const longer = known.filter((value) => 3 <= lower.length && value.toLowerCase().startsWith(lower));
  // Known values have endings in common, so more letters must agree than in a name.
  return [...new Set([...other, ...longer, ...nearestWords(text, known, 5)])].slice(0, 3);
}
