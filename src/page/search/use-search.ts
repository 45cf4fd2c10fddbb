import { useMemo } from 'preact/hooks';
import type { PageState } from '../state/page-state.ts';

/** The logs that a state shows, as operations of the server take them. */
export interface SelectionParameters {
  readonly query: string;
  readonly from?: number;
  readonly to?: number;
  readonly now: number;
}

/** Returns the selection of a state; the same object as long as the state selects the same logs. */
export function useSelection({ q, from, to }: PageState): SelectionParameters {
  return useMemo(
    () => ({
      query: q,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      now: Date.now(),
    }),
    [q, from, to],
  );
}
