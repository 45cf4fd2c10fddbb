import type { DrawnLogs } from './generators.js';

export type HeldOutKind = 'poisson' | 'clustered' | 'autocorrelated' | 'weekly' | 'mixed';

export const heldOutKinds: readonly HeldOutKind[];
export function drawHeldOut(kind: HeldOutKind, seed: number): DrawnLogs;
