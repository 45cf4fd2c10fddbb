import { displayWidth } from '../terminal/width.ts';

/**
 * Layout of the rows: on one line, with the last column on a second line, or each as lines of name and
 * value.
 */
export type TableLayout = 'columns' | 'folded' | 'stacked';

/** A layout, its columns and their widths. */
export interface Fit {
  readonly layout: TableLayout;
  /** Indexes of the shown columns. */
  readonly shown: readonly number[];
  /** Widths of the shown columns. */
  readonly widths: readonly number[];
  /** Columns of the terminal. */
  readonly available: number;
}

/** Properties of a column for fitting. */
export interface FittedColumn {
  readonly name: string;
  /** True if long texts may be cut on a narrow terminal. The last column always may. Default false. */
  readonly canShrink?: boolean;
  /** Rank of a column that may be left out on a narrow terminal; the highest goes first. Default: never. */
  readonly dropRank?: number;
  /** Minimum width of the last column, if its texts are that long. Default 20. */
  readonly least?: number;
  /** Number of characters that a terminal shows of a long text, such as an identifier. Default: all. */
  readonly prefix?: number;
}

/** Options of fitting. */
interface FitOptions {
  /** Columns of the terminal, if there is one. */
  readonly width?: number | undefined;
  /** Fit of the preceding rows, which is used again if these rows fit as well. */
  readonly before?: Pick<Fit, 'layout' | 'shown'> | undefined;
}

/** Minimum width of a shrinking column; the maximum is a fifth of the terminal. */
const narrowest = 10;

/** Default minimum of the last column. */
const narrowestLast = 20;

/**
 * Finds the first layout that fits into the terminal: with narrower columns, with fewer ones, with the
 * last one on a line of its own and as many others as fit, or stacked. Without a terminal, nothing is cut.
 */
export function fitColumns(
  columns: readonly FittedColumn[],
  cells: readonly (readonly string[])[],
  { width, before }: FitOptions,
): Fit {
  const natural = columns.map(({ name }, index) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), displayWidth(name)),
  );
  const all = columns.map((_, index) => index);
  if (width === undefined)
    return { layout: 'columns', shown: all, widths: natural, available: Number.POSITIVE_INFINITY };
  const task: Task = { columns, natural, width };
  const sets = dropping(columns);
  const candidates = [
    ...(before ? [before] : []),
    ...sets.map((shown) => ({ layout: 'columns', shown }) as const),
    ...sets.map((shown) => ({ layout: 'folded', shown }) as const),
  ];
  for (const { layout, shown } of candidates) {
    const widths = layout === 'stacked' ? [] : widthsOf(layout, shown, task);
    if (widths) return { layout, shown, widths, available: width };
  }
  return { layout: 'stacked', shown: all, widths: [], available: width };
}

interface Task {
  readonly columns: readonly FittedColumn[];
  /** Widths without any cut. */
  readonly natural: readonly number[];
  readonly width: number;
}

/** The sets of columns to try: all, then ever fewer. The last column stays. */
function dropping(columns: readonly FittedColumn[]): readonly (readonly number[])[] {
  const ranks = columns.slice(0, -1).flatMap(({ dropRank }) => dropRank ?? []);
  const limits = [Number.POSITIVE_INFINITY, ...new Set(ranks.toSorted((a, b) => b - a))];
  return limits.map((limit) =>
    columns.flatMap(({ dropRank = 0 }, index) =>
      dropRank < limit || index === columns.length - 1 ? [index] : [],
    ),
  );
}

/** The widths of a layout, the widest possible; undefined if it does not fit. */
function widthsOf(
  layout: TableLayout,
  shown: readonly number[],
  { columns, natural, width }: Task,
): readonly number[] | undefined {
  const own = (index: number | undefined) => (index === undefined ? 0 : (natural[index] ?? 0));
  const [before, last] = [shown.slice(0, -1), shown.at(-1)];
  const { least = narrowestLast } = (last === undefined ? undefined : columns[last]) ?? {};
  const needed = layout === 'folded' ? -gap : Math.min(own(last), least);
  const most = Math.max(narrowest, Math.floor(width / 5));
  for (let limit = most; narrowest <= limit; limit--) {
    const widths = before.map((index) =>
      columns[index]?.canShrink === true ? Math.min(own(index), limit) : own(index),
    );
    const used = widths.reduce((sum, each) => sum + each + gap, 0);
    if (used + needed <= width && (layout === 'columns' || 0 < widths.length))
      return [...widths, layout === 'folded' ? own(last) : Math.min(own(last), width - used)];
  }
  return undefined;
}

/** Blanks between columns. */
const gap = 2;
