export type { CallContext } from './api/opened.ts';
export { Refusal } from './api/operation.ts';
export { filterOf } from './api/selection.ts';
export type { Download, DownloadedFile, Downloads, ReportDownload } from './server/download.ts';
export { serveUi } from './server/serve-ui.ts';
