import type { JS } from '@duckdb/node-api';
import type { CountedLeaf, Counts, Field, ScoreLeaf, SqlParameter } from '../../language/index.ts';
import {
  boolFilter,
  disMaxFilter,
  type Filter,
  frequencyOf,
  type PhraseFilter,
  type TermFilter,
} from '../../language/index.ts';
import { startCondition } from '../file/column-test.ts';
import { termsColumn, termsIn, tokenCountSql } from './tokens-sql.ts';

/** Columns with the scoring inputs of a row. */
export interface LeafColumns {
  /** Each is SQL of a number or text, never NULL; at least one. */
  readonly columns: readonly LeafColumn[];
  readonly parameters: readonly SqlParameter[];
  /** SQL of columns that the others read: behind `*` in a SELECT from `stored.logs`. */
  readonly inner: readonly string[];
  /** Derives the counts from the values of the columns. */
  readonly read: (values: readonly JS[]) => Counts;
  /** Call it when no statement is running any more. */
  readonly done: () => void;
}

/** One of the columns. */
export interface LeafColumn {
  readonly sql: string;
  readonly type: 'INTEGER' | 'VARCHAR';
}

/** Derives the counts of one leaf from the values of a row. */
interface Reading {
  readonly frequency: (values: readonly JS[]) => number;
  readonly length: (values: readonly JS[]) => number;
}

interface Writer {
  readonly bind: (value: SqlParameter) => string;
  readonly condition: (filter: ScoreLeaf['filter']) => string;
  /** Adds a column and returns its index. */
  readonly add: (column: LeafColumn) => number;
  /** Returns the inner column with the terms of a field, so that each text is cut once. */
  readonly termsOf: (field: Field) => string;
}

/**
 * Returns the columns for the leaves of a scorer. The database counts terms and plain phrases. If it cannot, or
 * there are too many to count in one text, the column has the text. Equal rows are scored once, so columns with
 * few distinct values make scoring fast.
 */
export function startLeafColumns(leaves: readonly ScoreLeaf[]): LeafColumns {
  const parameters: SqlParameter[] = [];
  const columns: LeafColumn[] = [];
  const inner = new Map<string, string>();
  const started: { readonly done: () => void }[] = [];
  const writer: Writer = {
    bind: (value) => `$${parameters.push(value)}`,
    add: (column) => columns.push(column) - 1,
    termsOf: (field) => {
      const sql = termsColumn(field);
      const name = inner.get(sql) ?? `terms_${inner.size}`;
      inner.set(sql, name);
      return name;
    },
    condition: (filter) => {
      const condition = startCondition(filter);
      started.push(condition);
      const sql = shiftPlaceholders(condition.sql, parameters.length);
      parameters.push(...condition.parameters);
      return `coalesce(${sql}, false)`;
    },
  };
  const readings = toReadings(leaves, writer);
  if (columns.length === 0) writer.add({ sql: '0', type: 'INTEGER' });
  return {
    ...{ columns, parameters, inner: [...inner].map(([sql, name]) => `${sql} AS ${name}`) },
    read: (values) => ({
      frequency: (leaf) => readings.get(leaves[leaf])?.frequency(values) ?? 0,
      length: (leaf) => readings.get(leaves[leaf])?.length(values) ?? 0,
    }),
    done: () => {
      for (const each of started) each.done();
    },
  };
}

/**
 * Renumbers the placeholders of a condition to follow `count` others. It has no text of the user, so every `$`
 * is a placeholder.
 */
export function shiftPlaceholders(sql: string, count: number): string {
  return sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + count}`);
}

function toReadings(
  leaves: readonly ScoreLeaf[],
  writer: Writer,
): ReadonlyMap<ScoreLeaf | undefined, Reading> {
  const readings = new Map<ScoreLeaf | undefined, Reading>();
  const byField = new Map<string, CountedLeaf[]>();
  for (const leaf of leaves) {
    if (leaf.kind === 'counted') {
      const { name } = leaf.filter.field;
      byField.set(name, [...(byField.get(name) ?? []), leaf]);
      continue;
    }
    const index = writer.add({ sql: `${writer.condition(leaf.filter)}::INTEGER`, type: 'INTEGER' });
    readings.set(leaf, { frequency: (values) => Number(values[index]), length: () => 0 });
  }
  for (const counted of byField.values()) {
    const read = counted.length <= maxCounts && counted.every(canCount) ? countedColumns : textColumn;
    for (const [leaf, reading] of read(counted, writer)) readings.set(leaf, reading);
  }
  return readings;
}

/** Maximum number of counts that the database makes in one text. */
const maxCounts = 64;

/** Reports if the database can count a leaf: two occurrences in a text share at most a blank. */
function canCount({ filter }: CountedLeaf): boolean {
  if (filter.kind === 'term') return true;
  const { terms, slop } = filter;
  const overlaps = terms.some(
    (_, start) => 0 < start && terms.slice(start).every((term, index) => term === terms[index]),
  );
  return slop === 0 && !overlaps;
}

type Readings = readonly (readonly [CountedLeaf, Reading])[];

/** One column for each leaf of a field, and one for the length. */
function countedColumns(leaves: readonly CountedLeaf[], writer: Writer): Readings {
  const [first] = leaves;
  if (!first) return [];
  const { field } = first.filter;
  const counts = leaves.map(({ filter }) => countOf(filter, writer));
  const any = counts.map(({ isThere }) => isThere).join(' OR ');
  const length = writer.add({
    sql: `CASE WHEN ${any} THEN ${tokenCountSql(field, writer.termsOf(field))} ELSE 0 END`,
    type: 'INTEGER',
  });
  return leaves.map((leaf, index) => {
    const column = writer.add({ sql: counts[index]?.count ?? '0', type: 'INTEGER' });
    const reading = {
      frequency: (values: readonly JS[]) => Number(values[column]),
      length: (values: readonly JS[]) => Number(values[length]),
    };
    return [leaf, reading];
  });
}

/** SQL that counts a term or phrase in a text. If two occurrences share a blank, the blanks are doubled first. */
function countOf(
  filter: TermFilter | PhraseFilter,
  { bind, termsOf }: Writer,
): { readonly isThere: string; readonly count: string } {
  const column = termsOf(filter.field);
  if (filter.field.type !== 'text') {
    const isThere = `coalesce(${column} = ${bind(filter.kind === 'term' ? filter.term : '')}, false)`;
    return { isThere, count: `${isThere}::INTEGER` };
  }
  const terms = filter.kind === 'term' ? [filter.term] : filter.terms;
  const once = bind(` ${terms.join(' ')} `);
  const twice = bind(` ${[...terms, ...terms].join(' ')} `);
  const apart = bind(` ${terms.join('  ')} `);
  const isThere = `coalesce(contains(${column}, ${once}), false)`;
  const count = `CASE WHEN NOT ${isThere} THEN 0
    WHEN contains(${column}, ${twice}) THEN len(string_split(replace(${column}, ' ', '  '), ${apart})) - 1
    ELSE len(string_split(${column}, ${once})) - 1 END`;
  return { isThere, count };
}

/** One column with the text of a field, whose leaves are counted here. */
function textColumn(leaves: readonly CountedLeaf[], writer: Writer): Readings {
  const [first] = leaves;
  if (!first) return [];
  const { field } = first.filter;
  const isThere = writer.condition(
    disMaxFilter([...new Set(leaves.map(({ condition: within }) => withoutPositions(within)))]),
  );
  const sql = `CASE WHEN ${isThere} THEN ${writer.termsOf(field)}::VARCHAR ELSE '' END`;
  const index = writer.add({ sql, type: 'VARCHAR' });
  const tokens = lastTokens(field);
  return leaves.map((leaf) => {
    const reading = {
      frequency: (values: readonly JS[]) => frequencyOf(leaf.filter, tokens(String(values[index]))),
      length: (values: readonly JS[]) => tokens(String(values[index])).length,
    };
    return [leaf, reading];
  });
}

/** Returns a filter for the rows that may have a leaf, without positions. */
function withoutPositions(filter: Filter): Filter {
  if (filter.kind !== 'phrase') return filter;
  const { field, terms } = filter;
  return boolFilter({ must: [...new Set(terms)].map((term) => ({ kind: 'term', field, term })) });
}

/** Splits a text into tokens. Caches the last text, which many leaves ask for. */
function lastTokens(field: Field): (value: string) => readonly string[] {
  let [last, tokens]: [string, readonly string[]] = ['', []];
  return (value) => {
    if (value !== last) [last, tokens] = [value, termsIn(field, value)];
    return tokens;
  };
}
