import fc from 'fast-check';
import { describe, test } from 'vitest';
import { rounds } from '../effort.ts';
import { checkExport, faults } from '../export/export-faults.ts';

const names = Object.keys(faults);
const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));

/** All pairs with `TEST_EFFORT=full`; otherwise some, other ones each time. */
const count = rounds(pairs.length);
const [taken = []] = fc.sample(fc.shuffledSubarray(pairs, { minLength: count, maxLength: count }), 1);

describe('an export in spite of pairs of faults is complete in the end, or names what is missing', () => {
  test.each(taken)('%s and %s', async (one, other) => {
    await checkExport([faults[one], faults[other]].flatMap((fault) => fault ?? []));
  });
});
