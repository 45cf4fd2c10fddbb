export { histogramCommand } from './histogram.ts';
export { importCommand } from './import.ts';
export { indexCommand } from './index-case.ts';
export { overviewCommand } from './overview.ts';
export { searchCommand } from './search.ts';
export { topCommand } from './top.ts';
export { traceCommand } from './trace.ts';
