export {
  checkSeal,
  type SealCheck,
  type SealCheckOptions,
  type SealProblem,
  sealProblemCodes,
} from './check-seal.ts';
export { makeSeal, type SealOptions } from './make-seal.ts';
export { readSeal, readStatement, type Seal, type SealStatement, writeSeal } from './seal.ts';
export { SealError, type SealErrorCode, sealErrorCodes } from './seal-error.ts';
export { readCertificates, type TimeStamp } from './time-stamp.ts';
