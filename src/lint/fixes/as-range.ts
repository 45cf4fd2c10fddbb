/** A comparison with a number as the range that it stands for, which every engine reads alike: `> 5` is `{5 TO *}`. */
export function asRange(sign: string, value: string): string {
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
