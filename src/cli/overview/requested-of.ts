import type { Asked, RequestedInterval } from '../../analysis/index.ts';
import { readCoverageOf } from '../../export/index.ts';

/** Returns the intervals requested by the exports of sources, with any filters; empty if there was no export. */
export async function requestedOf(sources: readonly Asked[]): Promise<readonly RequestedInterval[]> {
  const all = await Promise.all(sources.map(readCoverageOf));
  return all.flat().flatMap(({ covered }) => covered);
}
