import { displayWidth } from '../terminal/width.ts';

/**
 * Layout of the rows: on one line, with the last column on a second line, or each as lines of name and
 * value.
 */
export type Layout = 'columns' | 'folded' | 'stacked';

/** A layout and its column widths. */
export interface Fit {
  readonly layout: Layout;
  readonly widths: readonly number[];
  /** Columns of the terminal. */
  readonly available: number;
}

/** Properties of a column for fitting. */
export interface FittedColumn {
  readonly name: string;
  /** True if long texts may be cut on a narrow terminal. The last column always may. Default false. */
  readonly canShrink?: boolean;
}

/** Options of fitting. */
interface FitOptions {
  /** Columns of the terminal, if there is one. */
  readonly width?: number | undefined;
  /** The layout, if it is already decided. */
  readonly layout?: Layout | undefined;
}

/** Minimum width of a shrinking column; the maximum is a fifth of the terminal. */
const narrowest = 10;

/** Minimum useful width of the last column. */
const narrowestLast = 20;

/** Finds the first layout that fits into the terminal. Without a terminal, nothing is cut. */
export function fitColumns(
  columns: readonly FittedColumn[],
  cells: readonly (readonly string[])[],
  { width, layout }: FitOptions,
): Fit {
  const natural = columns.map(({ name }, index) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), displayWidth(name)),
  );
  if (width === undefined) return { layout: 'columns', widths: natural, available: Number.POSITIVE_INFINITY };
  const others = shrinking(columns.slice(0, -1), natural, width);
  const last = natural.at(-1) ?? 0;
  const beside = others.find((each) => usedBy(each) + Math.min(last, narrowestLast) <= width);
  const above = others.find((each) => 0 < each.length && usedBy(each) - gap <= width);
  const chosen = layout ?? (beside ? 'columns' : above ? 'folded' : 'stacked');
  const widths = (chosen === 'columns' ? beside : above) ?? others.at(-1) ?? [];
  const room = Math.max(narrowestLast, width - usedBy(widths));
  return { layout: chosen, widths: [...widths, Math.min(last, room)], available: width };
}

/** Possible column widths, the widest first; shrinking columns lose one by one. */
function shrinking(
  columns: readonly FittedColumn[],
  natural: readonly number[],
  width: number,
): readonly (readonly number[])[] {
  const most = Math.max(narrowest, Math.floor(width / 5));
  return Array.from({ length: most - narrowest + 1 }, (_, less) =>
    columns.map(({ canShrink = false }, index) => {
      const each = natural[index] ?? 0;
      return canShrink ? Math.min(each, most - less) : each;
    }),
  );
}

/** Blanks between columns. */
const gap = 2;

/** Width used by columns in front of another one. */
function usedBy(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + gap, 0);
}
