export { type CallContext, casesWith, logsOf, type OpenedCases, PageRefusal } from './call-context.ts';
export type { Download, ReportDownload } from './download.ts';
export type { Answers, Streams, Writes } from './operations.ts';
export { filterOf } from './selection.ts';
export { type ServedUi, type ServeUiOptions, serveUi } from './serve-ui.ts';
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
} from './workspace.ts';
