import type { Clock } from './clock.ts';
import type { Layer } from './transport.ts';

/** The observed difference of the clock of a deployment from that of this machine. */
export interface Skew {
  /** Milliseconds by which the deployment is ahead, at the least; negative where it is behind. Undefined before its first reply. */
  readonly get: () => number | undefined;
  /** Reads the header `Date` of every reply. */
  readonly layer: Layer;
}

/**
 * Observes the clock of a deployment. `Date` is cut to whole seconds and older
 * than its arrival, so each reply gives a lower bound. The greatest one counts: a
 * time by it is never in the future there.
 */
export function observeSkew(clock: Clock): Skew {
  let least: number | undefined;
  const layer: Layer = (next) => async (request) => {
    const response = await next(request);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) least = Math.max(least ?? Number.NEGATIVE_INFINITY, date - clock.now());
    return response;
  };
  return { get: () => least, layer };
}
