export { compareCommand } from './compare.ts';
export { completeCommand } from './complete.ts';
export { explainCommand } from './explain.ts';
