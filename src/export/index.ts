export * from './export-error.ts';
export type { ExportProgress } from './progress.ts';
export type { ExportResult } from './result.ts';
export * from './run-export.ts';
export { type Coverage, type CoverageState, type Covered, coverage } from './windows/coverage.ts';
export {
  exportWindows,
  resumeWindows,
  retryGaps,
  type WindowsOptions,
} from './windows/export-windows.ts';
export { inManner, type Manner } from './windows/manner.ts';
export type { ExportOrder } from './windows/order.ts';
export { type ExportPlan, planExport } from './windows/plan-export.ts';
export type { WindowsProgress } from './windows/progress.ts';
export { type SinceLast, sinceLast } from './windows/since-last.ts';
export { openStart, type Window } from './windows/window.ts';
export type { WindowGap, WindowsResult } from './windows/windows-result.ts';
