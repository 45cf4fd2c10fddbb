export { check } from './check.ts';
export { format } from './format.ts';
