import type { WindowState } from '../../store/index.ts';

/** The states of a window whose job is known and whose logs are not in the case yet. */
export const begunStates: ReadonlySet<WindowState> = new Set(['submitted', 'ready', 'fetched']);
