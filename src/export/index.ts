export { dayAhead } from './decide/end-coverage.ts';
export type { WindowsProgress } from './decide/progress.ts';
export { openStart, subtractWindows, type Window } from './decide/window.ts';
export {
  type ExportCases,
  type ExportOutcome,
  type ExportTask,
  exportLogs,
} from './run/export-logs.ts';
export {
  exportWindows,
  resumeWindows,
  retryGaps,
  type WindowGap,
  type WindowsOptions,
  type WindowsResult,
} from './run/export-windows.ts';
export type { ExportProgress } from './run/job.ts';
export {
  type Coverage,
  type CoverageState,
  type CoveredInterval,
  orderSinceLast,
  readCoverage,
  readCoverageOf,
  readCoverageOfOrder,
} from './run/open-export.ts';
export {
  ExportError,
  type ExportErrorCode,
  type ExportOrder,
  type RequestSettings,
  withRequestSettings,
} from './run/order.ts';
export { type ExportPlan, planExport } from './run/plan-export.ts';
export { type ExportOptions, type ExportResult, resumeExport, runExport } from './run/run-export.ts';
