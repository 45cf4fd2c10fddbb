/** Bounds of 64-bit integers. */
const most = { signed: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n };

/**
 * Converts milliseconds since the epoch to nanoseconds in the digits of an unsigned 64-bit integer, as
 * OTLP writes times. Undefined for a time before 1970 or after 2554.
 */
export function epochNanoseconds(time: number): string | undefined {
  const nanoseconds = BigInt(Math.trunc(time)) * 1_000_000n;
  return 0n <= nanoseconds && nanoseconds <= most.unsigned ? String(nanoseconds) : undefined;
}

/**
 * Converts decimal seconds to whole nanoseconds, in digits; undefined if they are not measured (zero),
 * negative, or beyond a signed 64-bit integer. Works on the decimal digits: a product of doubles is
 * rounded above 2^53 nanoseconds, which are 104 days.
 */
export function durationNanoseconds(seconds: number): string | undefined {
  if (!(0 < seconds && seconds < 1e10)) return undefined;
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d{9})$/.exec(seconds.toFixed(9)) ?? [];
  const nanoseconds = BigInt(whole + fraction);
  return nanoseconds === 0n || most.signed < nanoseconds ? undefined : String(nanoseconds);
}
