import { type FormatOptions, format } from '../parse/format.ts';
import { parse } from '../parse/parse.ts';
import { syntaxFindings } from '../parse/syntax.ts';
import { type Clause, type Node, type Part, print, type Query, type Span, tokensOf } from '../parse/tree.ts';
import type { Filter } from './filter.ts';
import {
  alternativesOf,
  occursOf,
  operatorsOf,
  type ResolveOptions,
  resolve,
  type Unit,
  unitsOf,
} from './resolve.ts';

/**
 * The options of the explicit form: those of the meaning in the deployment's engine, and the width
 * of a line.
 */
export type ExplicitOptions = Omit<ResolveOptions, 'onClause' | 'engine'> & FormatOptions;

/**
 * A query in its explicit form, and the parts of the original that it omits because they select no
 * log and exclude none.
 */
export interface Explicit {
  readonly text: string;
  /** In the order of the text. */
  readonly dropped: readonly Dropped[];
}

/**
 * A part of the original query that filters nothing: an alternative beside parts that must match,
 * or text that analysis drops.
 */
export interface Dropped extends Span {
  readonly reason: 'filters-nothing' | 'vanishes';
}

/**
 * Rewrites a query into the form on which the server's and the ordinary reading agree, with either default operator.
 * No level mixes AND with OR (section 2.2 of the language specification). A NOT stands bare only in an AND list or
 * as the whole of a level. The result selects what `reading` selects for the original; `server` unless given. Words,
 * phrases and ranges stay as written; operators and parentheses change. A query that the engine refuses is returned
 * unchanged.
 *
 * An optional part beside one that must match changes only the order by relevance. No form has
 * that effect in both readings, so it is omitted and listed.
 *
 * ```ts
 * explicit(parse('a OR NOT b').query).text; // 'a AND NOT b'
 * explicit(parse('a OR NOT b').query, { reading: 'ordinary' }).text; // 'a OR (NOT b)'
 * explicit(parse('a OR b AND c').query); // { text: 'b AND c', dropped: [{ from: 0, to: 1, reason: 'filters-nothing' }] }
 * ```
 */
export function explicit(query: Query, options: ExplicitOptions = {}): Explicit {
  if (0 < syntaxFindings(query).length) return { text: print(query), dropped: [] };
  const filters = new Map<Clause, Filter | undefined>();
  resolve(query, { ...options, onClause: (clause, filter) => filters.set(clause, filter) });
  const dropped: Dropped[] = [];
  const context: Context = {
    reading: options.reading ?? 'server',
    defaultOperator: options.defaultOperator ?? 'or',
    isKept: (unit) => filters.get(unit[0]) !== undefined,
    drop: (unit, reason) => dropped.push({ ...spanOf(unit), reason }),
  };
  const form = levelForm(query.parts, context);
  // A query without content keeps its first part, which has none either.
  const text = form ? writeForm(form) : rawText(unitsOf(query.parts, context.reading)[0]);
  if (!form) dropped.shift();
  return { text: format(parse(text).query, options), dropped: dropped.sort((a, b) => a.from - b.from) };
}

interface Context extends Required<Pick<ResolveOptions, 'reading' | 'defaultOperator'>> {
  /** Returns whether analysis leaves anything of a unit. */
  readonly isKept: (unit: Unit) => boolean;
  readonly drop: (unit: Unit, reason: Dropped['reason']) => void;
}

/** The form of a level; undefined when analysis leaves nothing of it. */
function levelForm(parts: readonly Part[], context: Context): SafeForm | undefined {
  const units = unitsOf(parts, context.reading);
  for (const unit of units) if (!context.isKept(unit)) context.drop(unit, 'vanishes');
  return context.reading === 'server' ? serverForm(units, context) : ordinaryForm(units, context);
}

function serverForm(units: readonly Unit[], context: Context): SafeForm | undefined {
  const occurs = occursOf(
    units.map((unit) => ({ ...operatorsOf(unit[0]), kept: context.isKept(unit) })),
    context.defaultOperator,
  );
  const optional = units.filter((_, index) => occurs[index] === 'should');
  const isRequired = occurs.includes('must');
  if (isRequired) for (const unit of optional) context.drop(unit, 'filters-nothing');
  const forms: SafeForm[] = [];
  for (const [position, unit] of units.entries()) {
    if (occurs[position] === 'must') forms.push(unitForm(unit, context));
    if (occurs[position] === 'mustNot') forms.push({ kind: 'not', operand: unitForm(unit, context) });
    if (unit === optional[0] && !isRequired) {
      forms.push(
        joinForms(
          'or',
          optional.map((unit) => unitForm(unit, context)),
        ),
      );
    }
  }
  return forms.length === 0 ? undefined : joinForms('and', forms);
}

function ordinaryForm(units: readonly Unit[], context: Context): SafeForm | undefined {
  const operands = units.map((unit) => ({ ...operatorsOf(unit[0]), unit }));
  const alternatives = alternativesOf(operands, context.defaultOperator)
    .map((alternative) => alternative.filter(({ unit }) => context.isKept(unit)))
    .filter((alternative) => 0 < alternative.length)
    .map((alternative) =>
      joinForms(
        'and',
        alternative.map(({ unit, modifier }): SafeForm => {
          const form = unitForm(unit, context);
          return modifier === 'not' ? { kind: 'not', operand: form } : form;
        }),
      ),
    );
  return alternatives.length === 0 ? undefined : joinForms('or', alternatives);
}

function unitForm(unit: Unit, context: Context): SafeForm {
  const [{ field, item }] = unit;
  if (1 < unit.length) return { kind: 'run', text: rawText(unit) };
  const form = item.kind === 'Group' ? levelForm(item.parts, context) : undefined;
  // The text of a group that has a form would be written once for each level around it.
  if (item.kind !== 'Group' || !form) return { kind: 'item', text: rawText(unit) };
  if (!field && !item.boost) return form;
  const head = field ? `${field.name.text}:` : '';
  return { kind: 'item', text: `${head}(${writeForm(form)})${item.boost?.text ?? ''}` };
}

/** A unit as written, without the operators in front of it. */
function rawText(unit: Unit | undefined): string {
  return (unit ?? []).map(({ field, item }) => (field ? `${field.name.text}:` : '') + textOf(item)).join(' ');
}

/** A node as written, without the white space around it. */
function textOf(node: Node): string {
  const [first, ...others] = tokensOf(node);
  const text = (first?.text ?? '') + others.map((token) => token.before + token.text).join('');
  // Only a blank behind it makes a lone sign a word.
  return first?.kind === 'Bare' ? `${text} ` : text;
}

/** The span of a unit, including its modifier and field. */
function spanOf(unit: Unit): Span {
  const [first] = unit;
  const start = first.modifier ?? first.field ?? first.item;
  return { from: start.from, to: (unit.at(-1) ?? first).to };
}

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

/**
 * Adds required clauses to a query, in a form that both readings take alike.
 * Without a query the clauses alone are joined.
 *
 * ```ts
 * narrow('a OR b AND c', ['time:[1 TO 2]']); // '(b AND c) AND time:[1 TO 2]'
 * ```
 */
export function narrow(query: string | undefined, clauses: readonly string[]): string {
  const own = query === undefined ? [] : [explicit(parse(query).query).text];
  const parts = [...own, ...clauses];
  return parts.length === 1 ? parts.join('') : [...own.map((text) => `(${text})`), ...clauses].join(' AND ');
}

/** The filter of a query as the server reads it. */
export function filterOfText(query: string, options: ResolveOptions = {}): Filter {
  return resolve(parse(query).query, options);
}
