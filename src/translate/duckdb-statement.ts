import type { Leaf } from '../logic/compare/logic.ts';
import { documentedSchema, type Field } from '../meaning/fields.ts';
import { all, type Filter, none, type Range } from '../meaning/filter.ts';
import { type NumberValue, numberText } from '../meaning/number-value.ts';
import type { Scored } from '../meaning/relevance/scored.ts';
import { columnOf, duckdbCondition, type Parameter } from './duckdb.ts';
import { duckdbPattern } from './duckdb-pattern.ts';
import { boostLosses, type Loss, optionalLosses } from './loss.ts';

/** A SELECT to be run on a case as it is, and what of a query it does not say. */
export interface DuckdbStatement {
  /** Text and numbers stand in it as literals. */
  readonly sql: string;
  /** In spite of losses it selects every log that the filter selects; it may select others. */
  readonly losses: readonly Loss[];
}

/**
 * A statement that selects the logs of a case from its view `logs`. Analysis is
 * nothing that SQL could do, so words are looked for in the tokens that the
 * case has stored.
 *
 * ```ts
 * toDuckdbStatement({ filter: filterOf('logCode:9003'), boosts: new Map() }).sql;
 * // 'SELECT * FROM logs WHERE id IN (SELECT id FROM stored.logs WHERE "logCode" >= 9003 AND "logCode" <= 9003)'
 * ```
 */
export function toDuckdbStatement(scored: Scored): DuckdbStatement {
  const losses: Loss[] = [...boostLosses(scored), ...optionalLosses(scored.filter)];
  const written = new Map<Filter, string>();
  const context: Context = {
    lose: (filter, reason) => losses.push({ filter, reason }),
    write: (filter, sql) => {
      // A fresh object: the same filter may stand behind a NOT as well.
      const own = { ...filter };
      written.set(own, sql);
      return own;
    },
  };
  const condition = duckdbCondition(approximated(scored.filter, 'more', context), {
    bind: literal,
    known: (filter) => written.get(filter),
    test: () => {
      throw new Error('A pattern that DuckDB cannot say was left in a statement');
    },
  });
  return { sql: `SELECT * FROM logs WHERE id IN (SELECT id FROM stored.logs WHERE ${condition})`, losses };
}

interface Context {
  readonly lose: (filter: Filter, reason: string) => void;
  /** Gives a filter SQL of its own. */
  readonly write: (filter: Filter, sql: string) => Filter;
}

/** How a part may differ from what is meant: it may select `more`, or, behind a NOT, `less`. */
type Slack = 'more' | 'less';

/** A filter that the SQL can say. */
function approximated(filter: Filter, slack: Slack, context: Context): Filter {
  const each = (part: Filter) => approximated(part, slack, context);
  switch (filter.kind) {
    case 'all':
    case 'none':
      return filter;
    case 'disMax':
      return { ...filter, filters: filter.filters.map(each) };
    case 'bool': {
      const opposite = slack === 'more' ? 'less' : 'more';
      return {
        ...filter,
        must: filter.must.map(each),
        should: 0 < filter.must.length ? [] : filter.should.map(each),
        mustNot: filter.mustNot.map((part) => approximated(part, opposite, context)),
      };
    }
    default:
      return approximatedLeaf(filter, slack, context);
  }
}

function approximatedLeaf(leaf: Leaf, slack: Slack, context: Context): Filter {
  if (!hasColumn(leaf.field)) {
    context.lose(leaf, `A case has no column for "${leaf.field.name}" of the type ${leaf.field.type}`);
    return slack === 'more' ? all : none;
  }
  if (leaf.kind === 'range') loseRelative(leaf, context);
  if (leaf.kind === 'fuzzy' && leaf.maxExpansions !== undefined && !leaf.expansion && 0 < leaf.edits) {
    context.lose(leaf, `It is not limited to the ${leaf.maxExpansions} nearest terms of the case`);
    if (slack === 'less') return none;
  }
  return isPattern(leaf) ? approximatedPattern(leaf, slack, context) : leaf;
}

type Pattern = Parameters<typeof duckdbPattern>[0];

function isPattern(leaf: Leaf): leaf is Pattern {
  return ['prefix', 'wildcard', 'regexp', 'fuzzy', 'phrase'].includes(leaf.kind);
}

function approximatedPattern(leaf: Pattern, slack: Slack, context: Context): Filter {
  const said = duckdbPattern(leaf, columnOf(leaf), literal);
  if (said?.exact) return leaf;
  context.lose(leaf, `DuckDB has no condition for a ${leaf.kind} on "${leaf.field.name}" like this one`);
  if (slack === 'less') return none;
  return context.write(leaf, said?.sql ?? `${columnOf(leaf)} IS NOT NULL`);
}

function loseRelative(range: Range, { lose }: Context): void {
  for (const bound of [range.lower, range.upper])
    if (bound?.relative !== undefined)
      lose(range, `"${bound.relative}" is taken as of ${numberText(range.field.type, bound.value)}`);
}

/** The columns of a case are those of the documented fields; a text can be taken for a keyword too. */
function hasColumn({ name, type }: Field): boolean {
  const column = documentedSchema.fields.get(name)?.type;
  return column !== undefined && kinds[column] === kinds[type];
}

const kinds = { text: 'text', keyword: 'text', integer: 'number', decimal: 'number', date: 'date' } as const;

/** A value as SQL. */
function literal(value: Parameter): string {
  return typeof value === 'string' ? textLiteral(value) : numberLiteral(value);
}

/** A text without its control characters, which neither a terminal nor the database takes in SQL. */
function textLiteral(text: string): string {
  const pieces = text.toWellFormed().split(/([\p{C}\p{Zl}\p{Zp}])/u);
  const written = pieces.flatMap((piece, place) => {
    if (place % 2 === 1) return [`chr(${piece.codePointAt(0)})`];
    return piece === '' && 1 < pieces.length ? [] : [`'${piece.replaceAll("'", "''")}'`];
  });
  return written.length === 1 ? written.join('') : `(${written.join(' || ')})`;
}

/**
 * A number with an exponent is a DOUBLE to the database; with a fraction alone it would be a DECIMAL. A cast binds
 * closer than a minus does, and without its minus the least BIGINT is none.
 */
function numberLiteral(value: NumberValue): string {
  if (typeof value === 'bigint') return `(${value})`;
  return Number.isSafeInteger(value) ? String(value) : value.toExponential();
}
