import type { CountSeries } from '../../../src/analysis/find-episodes.ts';
import type { SilenceOptions } from '../../../src/analysis/find-silences.ts';
import type { SourceSlot } from '../../../src/case/index.ts';

export interface DrawnLogs {
  readonly minutes: number;
  /** Times of the events of each series in minutes. */
  readonly series: number[][];
}

export type QuietKind = 'poisson' | 'clustered' | 'autocorrelated' | 'weekly';
export type IncidentKind = 'new' | 'atStart' | 'rise' | 'vanished' | 'silence' | 'tenth';

export const quietKinds: Readonly<Record<QuietKind, unknown>>;
export function drawSeries(kind: QuietKind, seed: number, count?: number): DrawnLogs;
export function addIncident(
  kind: IncidentKind,
  drawn: DrawnLogs,
  options?: { readonly length?: number; readonly size?: number },
): { readonly start: number; readonly end: number };
export function toSeries(
  drawn: DrawnLogs,
  offset: number,
  fitExposure: (
    counts: ArrayLike<number>,
    others: ArrayLike<number>,
    time: ArrayLike<number>,
  ) => Float64Array,
): { readonly length: number; readonly series: readonly CountSeries[] };
export function toSlots(drawn: DrawnLogs): readonly SourceSlot[];
export function silenceOptions(drawn: DrawnLogs): SilenceOptions;
