import type { Completion } from '../../language/index.ts';

/** A column of a view of the case. */
export interface ViewColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Names that a statement can use. */
export interface SqlNames {
  readonly columns: readonly ViewColumn[];
  readonly functions: readonly string[];
}

/** A candidate with the text behind it, which tells what it is. */
interface Candidate {
  readonly text: string;
  readonly detail: string;
}

/** Most suggestions in the list. */
const limit = 30;

const keywords = [
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'GROUP BY',
    'ORDER BY',
    'LIMIT',
    'HAVING',
    'JOIN',
    'LEFT JOIN',
    'ON',
    'AS',
    'AND',
  ],
  ...[
    'OR',
    'NOT',
    'IN',
    'LIKE',
    'ILIKE',
    'BETWEEN',
    'IS NULL',
    'IS NOT NULL',
    'DISTINCT',
    'DESC',
    'ASC',
    'CASE',
  ],
  ...[
    'WHEN',
    'THEN',
    'ELSE',
    'END',
    'WITH',
    'FILTER',
    'OVER',
    'PARTITION BY',
    'QUALIFY',
    'UNION ALL',
    'USING SAMPLE',
  ],
] as const;

/**
 * Suggests what can stand at the cursor of a statement: behind FROM and JOIN the views, behind a view or its alias and
 * a dot its columns, else columns, functions and keywords. Within texts and comments nothing is suggested.
 */
export function completeSql(text: string, cursor: number, names: SqlNames): Completion {
  const before = text.slice(0, cursor);
  const word = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(before)?.[0] ?? '';
  const from = cursor - word.length;
  const found = isPlain(before) ? candidates(text, before.slice(0, from), { ...names, word }) : [];
  const wanted = word.toLowerCase();
  const suggestions = found
    .filter(({ text: each }) => each.toLowerCase().startsWith(wanted) && each.toLowerCase() !== wanted)
    .slice(0, limit)
    .map(({ text: each, detail }) => ({ kind: 'field', insert: quoted(each), label: each, detail }) as const);
  return { from, to: cursor, suggestions };
}

/** False within a text, a quoted name or a comment. */
function isPlain(before: string): boolean {
  const rest = before.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*\n|\/\*[\s\S]*?\*\//g, ' ');
  return !/['"]|--|\/\*/.test(rest);
}

function candidates(
  text: string,
  before: string,
  { columns, functions, word }: SqlNames & { readonly word: string },
): readonly Candidate[] {
  const tables = [...new Set(columns.map(({ table }) => table))];
  const qualifier = /([\p{L}_][\p{L}\p{N}_]*)\.$/u.exec(before)?.[1];
  if (qualifier !== undefined) return columnsOf(tableNamed(qualifier, text, tables), columns);
  if (/\b(?:FROM|JOIN)\s+$/i.test(before)) return tables.map((each) => ({ text: each, detail: 'view' }));
  if (word === '') return [];
  const named = tables.filter((each) => new RegExp(`\\b(?:FROM|JOIN)\\s+${each}\\b`, 'i').test(text));
  const own = (named.length === 0 ? ['logs'] : named).flatMap((each) => columnsOf(each, columns));
  return [
    ...own,
    ...keywords.map((each) => ({ text: each, detail: '' })),
    ...tables.map((each) => ({ text: each, detail: 'view' })),
    ...functions.map((each) => ({ text: each, detail: 'function' })),
  ];
}

function columnsOf(wanted: string | undefined, columns: readonly ViewColumn[]): readonly Candidate[] {
  return columns
    .filter(({ table }) => table === wanted)
    .map(({ name, type, table }) => ({ text: name, detail: `${table}, ${type}` }));
}

/** The view of a name, or of an alias such as `l` in `FROM logs l`. */
function tableNamed(name: string, text: string, tables: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const direct = tables.find((each) => each.toLowerCase() === wanted);
  if (direct !== undefined) return direct;
  const aliases = text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)\s+(?:AS\s+)?(\w+)/gi);
  for (const [, table = '', alias = ''] of aliases)
    if (alias.toLowerCase() === wanted)
      return tables.find((each) => each.toLowerCase() === table.toLowerCase());
  return undefined;
}

/** Quotes a name that is not a plain word; keywords of two words stay. */
function quoted(name: string): string {
  return /^[A-Za-z_][\w ]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
