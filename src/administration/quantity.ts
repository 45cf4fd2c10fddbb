/**
 * A quantity of memory or of processors as an exact whole number of billionths:
 * of a byte, or of a processor. Two spellings of one amount are equal.
 */
export type Quantity = bigint;

const billion = 1_000_000_000n;

/** The units of memory in bytes: those of two to the power of ten, and those of ten to the power of three. */
const units: ReadonlyMap<string, bigint> = new Map([
  ['', 1n],
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, at) => [unit, 1024n ** BigInt(at + 1)] as const),
  ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit, at) => [unit, 1000n ** BigInt(at + 1)] as const),
]);

/** The quantity of memory that a text such as `500Mi` or `2Gi` stands for; undefined where it stands for none. */
export function memoryOf(text: string): Quantity | undefined {
  const [, number = '', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(text) ?? [];
  const amount = decimalOf(number);
  const bytes = units.get(unit);
  return amount === undefined || bytes === undefined ? undefined : amount * bytes;
}

/** The count of processors that a text such as `0.125` or, in thousandths, `125m` stands for; undefined where it stands for none. */
export function processorsOf(text: string): Quantity | undefined {
  if (!text.endsWith('m')) return decimalOf(text);
  const thousandths = decimalOf(text.slice(0, -1));
  return thousandths === undefined ? undefined : thousandths / 1000n;
}

function decimalOf(text: string): Quantity | undefined {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * billion + BigInt(fraction.padEnd(9, '0'));
}

/** Whether a quantity of memory names its unit: without one it counts bytes, which is hardly ever meant. */
export function namesUnit(text: string): boolean {
  return /[A-Za-z]$/.test(text);
}
