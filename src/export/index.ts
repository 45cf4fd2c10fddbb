export * from './export-error.ts';
export type { ExportProgress } from './progress.ts';
export type { ExportResult } from './result.ts';
export * from './run-export.ts';
