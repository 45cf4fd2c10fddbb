import { type FormatOptions, format } from '../language/format.ts';
import { parse } from '../language/parse.ts';
import { print } from '../language/print.ts';
import { syntaxFindings } from '../language/syntax.ts';
import type { Clause, Node, Part, Query, Span } from '../language/tree.ts';
import { tokensOf } from '../language/walk.ts';
import { occursOf, operatorsOf, type Unit, unitsOf } from './clauses.ts';
import type { Filter } from './filter.ts';
import { alternativesOf } from './ordinary.ts';
import { type ResolveOptions, resolve } from './resolve.ts';
import { joinForms, type SafeForm, writeForm } from './safe-form.ts';

/** What the explicit form depends on besides the query: its meaning to the deployment's engine, and the width of a line. */
export type ExplicitOptions = Omit<ResolveOptions, 'onClause' | 'engine'> & FormatOptions;

/** A query in its explicit form, and what of the original is not in it because it selects no log and excludes none. */
export interface Explicit {
  readonly text: string;
  /** In the order of the text. */
  readonly dropped: readonly Dropped[];
}

/**
 * A part of the original query that filters nothing: an alternative beside
 * parts that must match, or text of which analysis leaves nothing.
 */
export interface Dropped extends Span {
  readonly reason: 'filters-nothing' | 'vanishes';
}

/**
 * The query in the form on which the server's and the ordinary reading agree,
 * with either default operator: no level mixes AND with OR, and a NOT stands
 * bare only as one of an AND list or as the whole of a level (section 2.2 of
 * the language specification). It selects what the given reading selects for
 * the original: the server's unless another one is asked for. Words, phrases
 * and ranges stay as they are written; operators and parentheses change. A
 * query that the engine refuses is given back as it is.
 *
 * What the server takes for optional beside a part that must match only changes
 * the order by relevance. No form keeps it that reads alike in both ways, so it
 * is left out and listed.
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
  const said = level(query.parts, context);
  // Of a query that says nothing its first part is kept, which says nothing either.
  const text = said ? writeForm(said) : rawText(unitsOf(query.parts, context.reading)[0]);
  if (!said) dropped.shift();
  return { text: format(parse(text).query, options), dropped: dropped.sort((a, b) => a.from - b.from) };
}

interface Context extends Required<Pick<ResolveOptions, 'reading' | 'defaultOperator'>> {
  /** Whether analysis leaves anything of a unit. */
  readonly isKept: (unit: Unit) => boolean;
  readonly drop: (unit: Unit, reason: Dropped['reason']) => void;
}

/** What a level says; undefined when analysis leaves nothing of it. */
function level(parts: readonly Part[], context: Context): SafeForm | undefined {
  const units = unitsOf(parts, context.reading);
  for (const unit of units) if (!context.isKept(unit)) context.drop(unit, 'vanishes');
  return context.reading === 'server' ? asServer(units, context) : asPerson(units, context);
}

function asServer(units: readonly Unit[], context: Context): SafeForm | undefined {
  const occurs = occursOf(
    units.map((unit) => ({ ...operatorsOf(unit[0]), kept: context.isKept(unit) })),
    context.defaultOperator,
  );
  const optional = units.filter((_, place) => occurs[place] === 'should');
  const isRequired = occurs.includes('must');
  if (isRequired) for (const unit of optional) context.drop(unit, 'filters-nothing');
  const said: SafeForm[] = [];
  for (const [place, unit] of units.entries()) {
    if (occurs[place] === 'must') said.push(unitSaid(unit, context));
    if (occurs[place] === 'mustNot') said.push({ kind: 'not', said: unitSaid(unit, context) });
    if (unit === optional[0] && !isRequired) {
      said.push(
        joinForms(
          'or',
          optional.map((each) => unitSaid(each, context)),
        ),
      );
    }
  }
  return said.length === 0 ? undefined : joinForms('and', said);
}

function asPerson(units: readonly Unit[], context: Context): SafeForm | undefined {
  const operands = units.map((unit) => ({ ...operatorsOf(unit[0]), unit }));
  const alternatives = alternativesOf(operands, context.defaultOperator)
    .map((alternative) => alternative.filter(({ unit }) => context.isKept(unit)))
    .filter((alternative) => 0 < alternative.length)
    .map((alternative) =>
      joinForms(
        'and',
        alternative.map(({ unit, modifier }): SafeForm => {
          const said = unitSaid(unit, context);
          return modifier === 'not' ? { kind: 'not', said } : said;
        }),
      ),
    );
  return alternatives.length === 0 ? undefined : joinForms('or', alternatives);
}

function unitSaid(unit: Unit, context: Context): SafeForm {
  const [{ field, item }] = unit;
  const text = rawText(unit);
  if (1 < unit.length) return { kind: 'run', text };
  const said = item.kind === 'Group' ? level(item.parts, context) : undefined;
  if (item.kind !== 'Group' || !said) return { kind: 'item', text };
  if (!field && !item.boost) return said;
  const head = field ? `${field.name.text}:` : '';
  return { kind: 'item', text: `${head}(${writeForm(said)})${item.boost?.text ?? ''}` };
}

/** A unit as it is written, without the operators in front of it. */
function rawText(unit: Unit | undefined): string {
  return (unit ?? []).map(({ field, item }) => (field ? `${field.name.text}:` : '') + textOf(item)).join(' ');
}

/** A node as it is written, without the white space around it. */
function textOf(node: Node): string {
  const [first, ...others] = tokensOf(node);
  const text = (first?.text ?? '') + others.map((token) => token.before + token.text).join('');
  // A lone sign is one only because a blank follows it.
  return first?.kind === 'Bare' ? `${text} ` : text;
}

/** Where a unit is written, its modifier and field included. */
function spanOf(unit: Unit): Span {
  const [first] = unit;
  const start = first.modifier ?? first.field ?? first.item;
  return { from: start.from, to: (unit.at(-1) ?? first).to };
}
