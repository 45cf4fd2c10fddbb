export { checkCommand } from './check.ts';
export { formatCommand } from './format.ts';
