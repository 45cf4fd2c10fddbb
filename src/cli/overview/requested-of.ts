import type { RequestedInterval } from '../../analysis/index.ts';
import { readCoverage } from '../../export/index.ts';
import type { Case } from '../../store/index.ts';

/** Returns the intervals requested by the exports of cases, with any filters; empty if there was no export. */
export async function requestedOf(cases: readonly Case[]): Promise<readonly RequestedInterval[]> {
  const all = await Promise.all(cases.map(readCoverage));
  return all.flat().flatMap(({ covered }) => covered);
}
