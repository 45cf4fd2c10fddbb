/**
 * Kind of a column, by which each format aligns and writes its cells. Times are milliseconds since the epoch, shares
 * 0 to 1.
 */
export type ColumnKind =
  | 'text'
  | 'message'
  | 'code'
  | 'id'
  | 'count'
  | 'seconds'
  | 'share'
  | 'time'
  | 'spark';

/** A column of a table of a report. */
export interface ReportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A cell: a list of numbers for a sparkline, undefined for no value. */
export type ReportCell = string | number | readonly number[] | undefined;

/** A row, and the facts by which a page filters it. */
export interface ReportRow {
  readonly cells: readonly ReportCell[];
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** Levels in capitals; absent for a row of no level, which no level hides. */
  readonly levels?: readonly string[];
  readonly sources?: readonly string[];
  /** Source whose logs, severe logs and warnings are the cells 1, 2 and 3: a page counts them again. */
  readonly service?: string;
  /** Long text that is shown on demand. */
  readonly more?: string;
}

/** A section of a report that is a table. */
export interface ReportTable {
  /** Identifier for links, of small letters. */
  readonly id: string;
  readonly title: string;
  /** A sentence on what the table holds; empty for none. */
  readonly about: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** Number of all rows, more than those listed. */
  readonly total: number;
  /** True if the time, level, source and text of a page filter its rows. */
  readonly isFiltered: boolean;
}

/** Makes columns of kinds by name. */
export function toColumns(kinds: Readonly<Record<string, ColumnKind>>): readonly ReportColumn[] {
  return Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
}

/** Reports if cells of a kind are numbers that a reader compares or adds up. */
export function isNumericKind(kind: ColumnKind): boolean {
  return kind === 'count' || kind === 'seconds' || kind === 'share';
}
