import { type Client, countAtDeployment } from '../../../client/index.ts';
import type { ExportRequest } from '../../../protocol/index.ts';
import { openStart, type Window } from '../decide/window.ts';

/** Client and request of a count. */
export interface CountOptions {
  readonly client: Client;
  readonly request: ExportRequest;
  readonly signal?: AbortSignal | undefined;
}

/** An hour far in the future without any logs: a count other than zero ignores times. */
const never: Window = { oldest: 4_102_444_800_000, newest: 4_102_448_400_000 };

/**
 * Number of logs of an interval by the deployment's own count; undefined where
 * it has none or ignores times.
 */
export async function countIndependently(counting: CountOptions, times: Window): Promise<number | undefined> {
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
