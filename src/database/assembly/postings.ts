/**
 * Collects the words of logs and writes them as terms with postings, in the format of a segment of the token index.
 * AssemblyScript, compiled to WebAssembly. Only `posting-collector.ts` of the segments calls it.
 *
 * A term waits with its last log in its record, so that a term that occurs once takes nothing else. All earlier
 * logs are in slices of growing length: for each log the gap of its id, then the gaps of its positions, doubled,
 * plus one if another follows.
 */

import {
  addLogs,
  inputFor,
  lastAdded,
  lengthsOf,
  logsAdded,
  start,
  tokensOf,
  usedBytes,
} from './collect-words.ts';
import { setWords } from './cut-words.ts';
import { transitionTable } from './layout.ts';
import { sortTerms } from './sort-terms.ts';
import { beginAt, sectionAddress, sectionLength, writeTerms } from './write-terms.ts';

// The compiler finds no file that is exported from and ends with ".ts".
export {
  addLogs,
  beginAt,
  inputFor,
  lastAdded,
  lengthsOf,
  logsAdded,
  sectionAddress,
  sectionLength,
  setWords,
  sortTerms,
  start,
  tokensOf,
  usedBytes,
  writeTerms,
};

export function transitionsAt(): i32 {
  return transitionTable;
}
