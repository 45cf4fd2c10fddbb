export { compare } from './compare.ts';
export { complete } from './complete.ts';
export { explain } from './explain.ts';
export { translate } from './translate.ts';
