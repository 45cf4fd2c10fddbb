export * from './job/export-error.ts';
export type { ExportProgress } from './job/progress.ts';
export type { ExportResult } from './single/result.ts';
export * from './single/run-export.ts';
export type { WindowsProgress } from './windows/decide/progress.ts';
export { openStart, type Window } from './windows/decide/window.ts';
export {
  type Coverage,
  type CoverageState,
  type CoveredInterval,
  readCoverage,
  readCoverageOf,
} from './windows/plan/coverage.ts';
export { orderSinceLast } from './windows/plan/open-export.ts';
export type { ExportOrder } from './windows/plan/order.ts';
export { type RequestSettings, withRequestSettings } from './windows/plan/order.ts';
export { type ExportPlan, planExport } from './windows/plan/plan-export.ts';
export type { WindowGap, WindowsResult } from './windows/run/export-windows.ts';
export {
  exportWindows,
  resumeWindows,
  retryGaps,
  type WindowsOptions,
} from './windows/run/export-windows.ts';
