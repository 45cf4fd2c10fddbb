export { checkSeal, type SealCheck, type SealCheckOptions, type SealProblem } from './check-seal.ts';
export { makeSeal, type SealOptions } from './make-seal.ts';
export { readSeal, readStatement, type SealStatement, writeSeal } from './seal.ts';
export { readCertificates } from './time-stamp.ts';
