/** Text styles of a terminal. Without colours each returns its text unchanged. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly green: (text: string) => string;
  /** Marks hits, readable in light and dark terminals. */
  readonly inverse: (text: string) => string;
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  blue: [34, 39],
  green: [32, 39],
  inverse: [7, 27],
} as const satisfies Record<keyof Style, readonly [on: number, off: number]>;

/** Creates styles with or without colours. */
export function toStyle(hasColours: boolean): Style {
  const style = (name: keyof Style) => {
    const [on, off] = codes[name];
    return (text: string) => (hasColours ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  };
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    yellow: style('yellow'),
    blue: style('blue'),
    green: style('green'),
    inverse: style('inverse'),
  };
}
