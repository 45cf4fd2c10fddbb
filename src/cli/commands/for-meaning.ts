export { compare } from './compare.ts';
export { explain } from './explain.ts';
export { translate } from './translate.ts';
