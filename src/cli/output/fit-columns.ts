import { widthOf } from '../terminal/width.ts';

/**
 * How the rows of a table stand: one a line, with the last column on a line of
 * its own below the others, or each as lines of a name and a value.
 */
export type Layout = 'columns' | 'folded' | 'stacked';

/** A layout, and the widths of the columns in it. */
export interface Fit {
  readonly layout: Layout;
  readonly widths: readonly number[];
  /** The columns of the terminal. */
  readonly available: number;
}

/** What is to be known of a column to fit it. */
export interface FittedColumn {
  readonly name: string;
  /** Whether long texts are cut where the terminal is narrow. The last column always may be. Default false. */
  readonly canShrink?: boolean;
}

/** What is asked of a fit. */
interface FitOptions {
  /** The columns of the terminal, where there is one. */
  readonly width?: number | undefined;
  /** The layout where it is decided already. */
  readonly layout?: Layout | undefined;
}

/** A column that can shrink takes a fifth of the terminal at most, and never less than this. */
const narrowest = 10;

/** Narrower than this, the last column would say nothing. */
const narrowestLast = 20;

/** Finds the first layout in which columns fit into a terminal. Where there is no terminal, nothing is cut. */
export function fitColumns(
  columns: readonly FittedColumn[],
  cells: readonly (readonly string[])[],
  { width, layout }: FitOptions,
): Fit {
  const natural = columns.map(({ name }, index) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), widthOf(name)),
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

/** What columns can do with, the widest first: those that can shrink do so, the widest of them at first. */
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

/** Blanks between two columns. */
const gap = 2;

/** What columns take that stand before another one. */
function usedBy(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + gap, 0);
}
