/** The range that a comparison stands for, which every engine reads alike: `{5 TO *}` for `> 5`. */
export function comparisonAsRange(sign: string, value: string): string {
  switch (sign) {
    case '>':
      return `{${value} TO *}`;
    case '>=':
      return `[${value} TO *]`;
    case '<':
      return `{* TO ${value}}`;
    default:
      return `[* TO ${value}]`;
  }
}
