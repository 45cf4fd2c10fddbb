export type { WindowsProgress } from './decide/progress.ts';
export { openStart, type Window } from './decide/window.ts';
export { ExportError, type ExportErrorCode } from './job/export-error.ts';
export type { ExportProgress } from './job/progress.ts';
export {
  type Coverage,
  type CoverageState,
  type CoveredInterval,
  readCoverage,
  readCoverageOf,
} from './plan/coverage.ts';
export { orderSinceLast } from './plan/open-export.ts';
export { type ExportOrder, type RequestSettings, withRequestSettings } from './plan/order.ts';
export { type ExportPlan, planExport } from './plan/plan-export.ts';
export {
  exportWindows,
  resumeWindows,
  retryGaps,
  type WindowGap,
  type WindowsOptions,
  type WindowsResult,
} from './run/export-windows.ts';
export type { ExportResult } from './single/result.ts';
export { type ExportOptions, resumeExport, runExport } from './single/run-export.ts';
