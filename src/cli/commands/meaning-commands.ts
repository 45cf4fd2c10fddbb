export { compareCommand } from './compare.ts';
export { explainCommand } from './explain.ts';
