export { histogram } from './histogram.ts';
export { importFiles } from './import.ts';
export { index } from './index-case.ts';
export { search } from './search.ts';
export { top } from './top.ts';
export { trace } from './trace.ts';
