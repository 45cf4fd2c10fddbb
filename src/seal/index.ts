export {
  checkSeal,
  makeSeal,
  readCertificates,
  readSeal,
  readStatement,
  type SealCheck,
  type SealCheckOptions,
  type SealOptions,
  type SealProblem,
  type SealStatement,
  writeSeal,
} from './seal.ts';
