import { type Client, countAtDeployment } from '../../client/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import { openStart, type Window } from './window.ts';

/** What is counted. */
export interface Counting {
  readonly client: Client;
  readonly request: ExportRequest;
  readonly signal?: AbortSignal | undefined;
}

/** An hour long after all logs, in which there are none: a count of it other than zero does not heed times. */
const never: Window = { oldest: 4_102_444_800_000, newest: 4_102_448_400_000 };

/**
 * The number of logs of some times by the deployment's own count; undefined
 * where it has none, or counts without regard to times.
 */
export async function independentCount(counting: Counting, times: Window): Promise<number | undefined> {
  const count = ({ oldest, newest }: Window) => {
    const bounds = { newest, ...(openStart < oldest && { oldest }) };
    return countAtDeployment(
      counting.client,
      { ...counting.request, ...bounds },
      { signal: counting.signal },
    );
  };
  const counted = await count(times);
  if (counted === undefined) return undefined;
  return (await count(never)) === 0 ? counted : undefined;
}
