export { type CallContext, casesWith, logsOf, type OpenedCases } from './api/opened.ts';
export type { Answers, Streams, Writes } from './api/operations.ts';
export { PageRefusal } from './api/refusal.ts';
export { filterOf } from './api/selection.ts';
export type {
  ExportStatus,
  ExportTotals,
  LentCases,
  OfferedFile,
  OpenProgress,
  OrderedExport,
  PageExports,
  ReceivedFile,
  Workspace,
} from './api/workspace.ts';
export type { Download, ReportDownload } from './download.ts';
export { serveUi } from './serve-ui.ts';
