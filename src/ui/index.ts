export { type CallContext, casesWith, logsOf } from './api/opened.ts';
export { filterOf } from './api/selection.ts';
export type { Download } from './server/download.ts';
export { serveUi } from './server/serve-ui.ts';
