import { describe, test } from 'vitest';
import { checkExport, faults } from '../export/export-faults.ts';

const names = Object.keys(faults);
const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));

describe('an export in spite of pairs of faults is complete in the end, or names what is missing', () => {
  test.each(pairs)('%s and %s', async (one, other) => {
    await checkExport([faults[one], faults[other]].flatMap((fault) => fault ?? []));
  });
});
