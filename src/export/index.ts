export * from './export-error.ts';
export type { ExportProgress } from './progress.ts';
export type { ExportResult } from './result.ts';
export * from './run-export.ts';
export {
  exportWindows,
  resumeWindows,
  type WindowsOptions,
} from './windows/export-windows.ts';
export { type ExportOrder, searchWays, toOrder, windowWays } from './windows/order.ts';
export type { WindowsProgress } from './windows/progress.ts';
export type { WindowGap, WindowsResult } from './windows/windows-result.ts';
