/** A number of JSON that a double would write in another way, as `12345678901234567890` or `1.0`. */
export class ExactNumber {
  /** As it stands in the JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** The nearest double: for who writes JSON in another way than `writeExactJson`. */
  toJSON(): number {
    return Number(this.text);
  }
}

/** Tells whether two JSON numbers are equal, whatever their spelling. */
export function isSameNumber(one: string, other: string): boolean {
  return digitsOf(one) === digitsOf(other);
}

/** The digits of a number without zeros around them, its sign, and the place of its point. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:[eE](.*))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
