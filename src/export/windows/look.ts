import type { Window } from './window.ts';

/** Asks for at most `num` logs of a time, from one end of it, and returns their times in milliseconds since the epoch. */
export type Look = (
  window: Window,
  more: { readonly num: number; readonly order: 'asc' | 'desc' },
) => Promise<readonly number[]>;
