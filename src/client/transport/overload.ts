import { ClientError } from './client-error.ts';
import type { Layer } from './transport.ts';

/** Answers of a deployment that has too much to do, or of the proxy before it. */
const overloaded: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Counts the answers of an overloaded deployment, and those that did not come in time, before they are repeated. */
export function countOverloads(): { readonly layer: Layer; readonly count: () => number } {
  let count = 0;
  return {
    layer: (next) => async (request) => {
      try {
        const response = await next(request);
        if (overloaded.has(response.status)) count += 1;
        return response;
      } catch (error) {
        if (error instanceof ClientError && error.code === 'TIMED_OUT') count += 1;
        throw error;
      }
    },
    count: () => count,
  };
}
