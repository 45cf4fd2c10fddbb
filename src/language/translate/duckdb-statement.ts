import type { LeafFilter } from '../logic/boolean-logic.ts';
import { documentedSchema, type Field } from '../meaning/fields.ts';
import { type Filter, matchAllFilter, matchNoneFilter, type RangeFilter } from '../meaning/filter.ts';
import { type NumberValue, numberText } from '../meaning/number-value.ts';
import type { Scored } from '../relevance/scored.ts';
import { duckdbColumn, duckdbCondition, existsCondition, type SqlParameter } from './duckdb.ts';
import { duckdbPattern } from './duckdb-pattern.ts';
import { boostLosses, optionalLosses, type TranslationLoss } from './translation-loss.ts';

/** A SELECT on a case that this program has open, and the parts of the query that it does not express. */
export interface DuckdbStatement {
  /** SQL with text and numbers as literals. */
  readonly sql: string;
  /** With losses it still selects every log of the filter, and perhaps others. */
  readonly losses: readonly TranslationLoss[];
}

/**
 * A statement that selects logs from the view `logs` of a case. SQL has no analyzer, so the statement calls the
 * function `words`, which `runSql` has.
 *
 * ```ts
 * toDuckdbStatement({ filter: filterOf('logCode:9003'), boosts: new Map() }).sql;
 * // 'SELECT * FROM logs WHERE "logCode" >= 9003 AND "logCode" <= 9003'
 * ```
 */
export function toDuckdbStatement(scored: Scored): DuckdbStatement {
  const losses: TranslationLoss[] = [...boostLosses(scored), ...optionalLosses(scored.filter)];
  const written = new Map<Filter, string>();
  const context: Context = {
    lose: (filter, reason) => losses.push({ filter, reason }),
    write: (filter, sql) => {
      // A fresh object: the same filter may also occur behind a NOT.
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
  return { sql: `SELECT * FROM logs WHERE ${condition}`, losses };
}

interface Context {
  readonly lose: (filter: Filter, reason: string) => void;
  /** Returns a filter with its own SQL. */
  readonly write: (filter: Filter, sql: string) => Filter;
}

/** The permitted deviation of a part: it may select `more`, or, behind a NOT, `less`. */
type Slack = 'more' | 'less';

/** A filter that SQL can express. */
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

function approximatedLeaf(leaf: LeafFilter, slack: Slack, context: Context): Filter {
  if (!hasColumn(leaf.field)) {
    context.lose(leaf, `A case has no column for "${leaf.field.name}" of the type ${leaf.field.type}`);
    return slack === 'more' ? matchAllFilter : matchNoneFilter;
  }
  if (leaf.kind === 'range') loseRelative(leaf, context);
  if (leaf.kind === 'fuzzy' && leaf.maxExpansions !== undefined && !leaf.expansion && 0 < leaf.edits) {
    context.lose(leaf, `It is not limited to the ${leaf.maxExpansions} nearest terms of the case`);
    if (slack === 'less') return matchNoneFilter;
  }
  return isPattern(leaf) ? approximatedPattern(leaf, slack, context) : leaf;
}

type Pattern = Parameters<typeof duckdbPattern>[0];

function isPattern(leaf: LeafFilter): leaf is Pattern {
  return ['prefix', 'wildcard', 'regexp', 'fuzzy', 'phrase'].includes(leaf.kind);
}

function approximatedPattern(leaf: Pattern, slack: Slack, context: Context): Filter {
  const condition = duckdbPattern(leaf, duckdbColumn(leaf), literal);
  if (condition?.exact) return leaf;
  context.lose(leaf, `DuckDB has no condition for this ${leaf.kind} on "${leaf.field.name}"`);
  if (slack === 'less') return matchNoneFilter;
  return context.write(leaf, condition?.sql ?? existsCondition(leaf));
}

function loseRelative(range: RangeFilter, { lose }: Context): void {
  for (const bound of [range.lower, range.upper])
    if (bound?.relative !== undefined)
      lose(range, `"${bound.relative}" is fixed at ${numberText(range.field.type, bound.value)}`);
}

/** A case has columns for the documented fields; a text column can also serve as a keyword. */
function hasColumn({ name, type }: Field): boolean {
  const column = documentedSchema.fields.get(name)?.type;
  return column !== undefined && kinds[column] === kinds[type];
}

const kinds = { text: 'text', keyword: 'text', integer: 'number', decimal: 'number', date: 'date' } as const;

/** A value as SQL. */
function literal(value: SqlParameter): string {
  return typeof value === 'string' ? textLiteral(value) : numberLiteral(value);
}

/** A text literal without control characters, which neither a terminal nor the database accepts in SQL. */
function textLiteral(text: string): string {
  const pieces = text.toWellFormed().split(/([\p{C}\p{Zl}\p{Zp}])/u);
  const written = pieces.flatMap((piece, place) => {
    if (place % 2 === 1) return [`chr(${piece.codePointAt(0)})`];
    return piece === '' && 1 < pieces.length ? [] : [`'${piece.replaceAll("'", "''")}'`];
  });
  return written.length === 1 ? written.join('') : `(${written.join(' || ')})`;
}

/**
 * A number literal. With an exponent it is a DOUBLE; with a fraction alone it would be a DECIMAL.
 * The parentheses keep the minus with the least BIGINT, since a cast binds more closely than a
 * minus.
 */
function numberLiteral(value: NumberValue): string {
  if (typeof value === 'bigint') return `(${value})`;
  return Number.isSafeInteger(value) ? String(value) : value.toExponential();
}
