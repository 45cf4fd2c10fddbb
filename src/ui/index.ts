export type { CallContext, OpenedCases } from './api/opened.ts';
export { filterOf } from './api/selection.ts';
export type { Download, DownloadedFile } from './server/download.ts';
export { type ServedUi, serveUi } from './server/serve-ui.ts';
