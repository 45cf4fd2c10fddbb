export { detectCommand } from './detect.ts';
export { diffCommand } from './diff.ts';
export { patternsCommand } from './patterns.ts';
export { suggestCommand } from './suggest.ts';
