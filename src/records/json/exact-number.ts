/** A JSON number that a double would write differently, for example `12345678901234567890` or `1.0`. */
export class ExactNumber {
  /** The digits as they stand in the JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** The nearest double, for writers other than `writeExactJson`. */
  toJSON(): number {
    return Number(this.text);
  }
}

/** Returns whether two JSON numbers are equal, whatever their spelling. */
export function isSameNumber(one: string, other: string): boolean {
  return digitsOf(one) === digitsOf(other);
}

/** A canonical spelling: sign, significant digits and exponent. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:[eE](.*))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
