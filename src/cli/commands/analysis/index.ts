export { diffCommand } from './diff.ts';
export { investigateCommand } from './investigate.ts';
export { patternsCommand } from './patterns.ts';
