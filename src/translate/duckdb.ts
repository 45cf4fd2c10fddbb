import type { Bool, Bound, Filter, Phrase, Range, Term, TermRange } from '../meaning/filter.ts';

/** A value for a placeholder. Text of the user reaches the database in no other way. */
export type Parameter = string | number;

/** A condition for DuckDB, ready to stand behind WHERE. */
export interface DuckdbCondition {
  /** Placeholders are `$1`, `$2`, … in the order of `parameters`. */
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/**
 * The condition under which a row of the case file is selected.
 *
 * A row has the values of a log under the names of their fields, `time` as a
 * TIMESTAMP in UTC, and for every text field `F` a column `F_tokens`: the
 * tokens joined and surrounded by single blanks, NULL where there are none.
 *
 * ```ts
 * toDuckdb(resolve(parse('msg:"timed out" AND logCode:[9000 TO *]').query));
 * // { sql: '(contains("msg_tokens", $1) AND "logCode" >= $2)', parameters: [' timed out ', 9000] }
 * ```
 */
export function toDuckdb(filter: Filter): DuckdbCondition {
  const parameters: Parameter[] = [];
  const sql = condition(filter, (value) => `$${parameters.push(value)}`);
  return { sql, parameters };
}

/** Adds a parameter and gives back its placeholder. */
type Bind = (value: Parameter) => string;

function condition(filter: Filter, bind: Bind): string {
  switch (filter.kind) {
    case 'all':
      return 'true';
    case 'none':
      return 'false';
    case 'term':
      return term(filter, bind);
    case 'phrase':
      return phrase(filter, bind);
    case 'range':
      return range(filter, bind);
    case 'termRange':
      return termRange(filter, bind);
    case 'exists':
      return `${column(filter)} IS NOT NULL`;
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      throw new Error(`DuckDB cannot say a ${filter.kind} yet`);
    case 'disMax':
      return joined(' OR ', filter.filters, bind);
    case 'bool':
      return boolean(filter, bind);
  }
}

/** Where the terms of a field are: the tokens of a text field, the value of any other. */
function column({ field }: Pick<Term, 'field'>): string {
  const name = field.type === 'text' ? `${field.name}_tokens` : field.name;
  return `"${name.replaceAll('"', '""')}"`;
}

function term(filter: Term, bind: Bind): string {
  if (filter.field.type === 'text') return `contains(${column(filter)}, ${bind(` ${filter.term} `)})`;
  return `${column(filter)} = ${bind(filter.term)}`;
}

function phrase(filter: Phrase, bind: Bind): string {
  return `contains(${column(filter)}, ${bind(` ${filter.terms.join(' ')} `)})`;
}

function range(filter: Range, bind: Bind): string {
  const placeholder = (value: number) =>
    filter.field.type === 'date' ? `epoch_ms(${bind(value)}::BIGINT)` : bind(value);
  return between(column(filter), filter, placeholder) || `${column(filter)} IS NOT NULL`;
}

function termRange(filter: TermRange, bind: Bind): string {
  if (filter.field.type !== 'text')
    return between(column(filter), filter, bind) || `${column(filter)} IS NOT NULL`;
  const inside = between('token', filter, bind);
  if (!inside) return `${column(filter)} IS NOT NULL`;
  // The blanks around the tokens leave an empty piece at each end.
  return `len(list_filter(string_split(${column(filter)}, ' '), lambda token: token <> '' AND ${inside})) > 0`;
}

function between<V>(
  subject: string,
  { lower, upper }: { readonly lower?: Bound<V>; readonly upper?: Bound<V> },
  placeholder: (value: V) => string,
): string {
  const from = lower && `${subject} ${lower.inclusive ? '>=' : '>'} ${placeholder(lower.value)}`;
  const to = upper && `${subject} ${upper.inclusive ? '<=' : '<'} ${placeholder(upper.value)}`;
  return [from, to].filter((part) => part !== undefined).join(' AND ');
}

function boolean({ must, should, mustNot }: Bool, bind: Bind): string {
  const parts = [
    ...must.map((each) => condition(each, bind)),
    ...(must.length === 0 && 0 < should.length ? [joined(' OR ', should, bind)] : []),
    // A row without the field does not match, so it matches the NOT.
    ...mustNot.map((each) => `NOT coalesce(${condition(each, bind)}, false)`),
  ];
  return parts.length === 0 ? 'true' : `(${parts.join(' AND ')})`;
}

function joined(operator: string, filters: readonly Filter[], bind: Bind): string {
  return `(${filters.map((each) => condition(each, bind)).join(operator)})`;
}
