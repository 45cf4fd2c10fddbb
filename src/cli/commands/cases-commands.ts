export { histogramCommand } from './histogram.ts';
export { importCommand, indexCommand } from './import.ts';
export { overviewCommand } from './overview.ts';
export { searchCommand } from './search.ts';
export { topCommand } from './top.ts';
export { traceCommand } from './trace.ts';
