/**
 * The probability of counts at least as unlikely as `before` and `after` if the rate were the same. Exposures
 * are, for instance, the lengths of two intervals. The conditional test of two Poisson rates: exact and
 * two-sided
 * for up to a thousand logs, the G-test above.
 */
export function compareRates(
  before: number,
  after: number,
  exposure: { readonly before: number; readonly after: number },
): number {
  const total = before + after;
  const share = exposure.before / (exposure.before + exposure.after);
  if (total === 0 || !(0 < share && share < 1)) return 1;
  return total <= 1000 ? exactTest(before, total, share) : gTest(before, total, share);
}

/** The two-sided exact binomial test: the sum of all outcomes no more likely than the one seen. */
function exactTest(seen: number, total: number, share: number): number {
  const observed = logBinomial(seen, total, share);
  let sum = 0;
  for (let each = 0; each <= total; each++) {
    const likelihood = logBinomial(each, total, share);
    // Outcomes that are as likely differ by rounding.
    if (likelihood <= observed + 1e-9) sum += Math.exp(likelihood);
  }
  return Math.min(1, sum);
}

function logBinomial(seen: number, total: number, share: number): number {
  return (
    logFactorial(total) -
    logFactorial(seen) -
    logFactorial(total - seen) +
    seen * Math.log(share) +
    (total - seen) * Math.log1p(-share)
  );
}

const logFactorials: number[] = [0];

function logFactorial(value: number): number {
  for (let next = logFactorials.length; next <= value; next++)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[value] ?? 0;
}

/** The likelihood-ratio test with one degree of freedom. */
function gTest(seen: number, total: number, share: number): number {
  const term = (count: number, expected: number) => (count === 0 ? 0 : count * Math.log(count / expected));
  const g = 2 * (term(seen, total * share) + term(total - seen, total * (1 - share)));
  return complementaryError(Math.sqrt(Math.max(0, g) / 2));
}

/** The complementary error function for values from 0; relative error below 1.2e-7 (Numerical Recipes, 6.2). */
export function complementaryError(value: number): number {
  const t = 1 / (1 + value / 2);
  const coefficients = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
    -0.82215223, 0.17087277,
  ];
  const polynomial = coefficients.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  return t * Math.exp(-value * value + polynomial);
}

/** P-values adjusted so that of those below a limit at most that share is due to chance (Benjamini and Hochberg, 1995). */
export function adjustPValues(values: readonly number[]): readonly number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => b.value - a.value);
  const adjusted = new Array<number>(values.length).fill(1);
  let least = 1;
  for (const [rank, { value, index }] of order.entries()) {
    least = Math.min(least, (value * values.length) / (values.length - rank));
    adjusted[index] = least;
  }
  return adjusted;
}

/** The binary logarithm of the ratio of two rates; half a log is added to each count, so that 0 has a finite ratio. */
export function rateRatio(
  before: number,
  after: number,
  exposure: { readonly before: number; readonly after: number },
): number {
  return Math.log2((after + 0.5) / exposure.after / ((before + 0.5) / exposure.before));
}

/** Difference of two samples of durations. */
export interface SampleShift {
  readonly medianBefore: number;
  readonly medianAfter: number;
  /** The probability that a value of the second sample is larger than one of the first, ties counted half. */
  readonly larger: number;
  readonly p: number;
}

/** Compares two samples by the Mann-Whitney test, normal approximation with ties. Sorts both. */
export function compareSamples(before: Float64Array, after: Float64Array): SampleShift {
  before.sort();
  after.sort();
  const [n, m] = [before.length, after.length];
  let [i, j, ranks, ties] = [0, 0, 0, 0];
  // Ranks of the second sample, with equal values sharing the mean of theirs.
  while (i < n || j < m) {
    const value = Math.min(before[i] ?? Number.POSITIVE_INFINITY, after[j] ?? Number.POSITIVE_INFINITY);
    const [fromBefore, fromAfter] = [i, j];
    while (i < n && before[i] === value) i++;
    while (j < m && after[j] === value) j++;
    const count = i - fromBefore + j - fromAfter;
    ranks += (j - fromAfter) * (fromBefore + fromAfter + (count + 1) / 2);
    ties += count ** 3 - count;
  }
  const u = ranks - (m * (m + 1)) / 2;
  const size = n + m;
  const variance = ((n * m) / 12) * (size + 1 - ties / (size * (size - 1) || 1));
  const distance = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5);
  return {
    medianBefore: medianOf(before),
    medianAfter: medianOf(after),
    larger: n * m === 0 ? 0.5 : u / (n * m),
    p: variance <= 0 ? 1 : complementaryError(distance / Math.sqrt(2 * variance)),
  };
}

/** The median of sorted values; not a number where there is none. */
function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
