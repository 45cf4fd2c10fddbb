/**
 * A quantity of memory or processors as an exact whole number of billionths: of a byte, or of a processor.
 * Equal amounts in different spellings are equal.
 */
export type Quantity = bigint;

const billion = 1_000_000_000n;

/** The units of memory in bytes: powers of 1024 and powers of 1000. */
const units: ReadonlyMap<string, bigint> = new Map([
  ['', 1n],
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, at) => [unit, 1024n ** BigInt(at + 1)] as const),
  ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit, at) => [unit, 1000n ** BigInt(at + 1)] as const),
]);

/**
 * Reads a quantity of memory such as `500Mi` or `2Gi`; undefined if the text is none.
 *
 * ```ts
 * memoryOf('512Mi'); // 536870912n
 * ```
 */
export function memoryOf(text: string): Quantity | undefined {
  const [, number = '', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(text) ?? [];
  const amount = decimalOf(number);
  const bytes = units.get(unit);
  return amount === undefined || bytes === undefined ? undefined : amount * bytes;
}

/**
 * Reads a count of processors such as `0.125` or, in thousandths, `125m`; undefined if the text is none.
 *
 * ```ts
 * processorsOf('500m');
 * ```
 */
export function processorsOf(text: string): Quantity | undefined {
  if (!text.endsWith('m')) return decimalOf(text);
  const thousandths = decimalOf(text.slice(0, -1));
  return thousandths === undefined ? undefined : thousandths / 1000n;
}

function decimalOf(text: string): Quantity | undefined {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * billion + BigInt(fraction.padEnd(9, '0'));
}

/** True if a quantity of memory has a unit. Without one it counts bytes, which is rarely intended. */
export function namesUnit(text: string): boolean {
  return /[A-Za-z]$/.test(text);
}
