/** A difference between a case and the record of its actions or its originals. */
export interface Deviation {
  readonly code: DeviationCode;
  /** One sentence: the problem and its location. */
  readonly message: string;
  /** Number of the part. */
  readonly part?: number;
  /** The original, by its hash or, if it has none in the case, its name. */
  readonly file?: string;
  /** Numbers of the records, the first ten. */
  readonly positions?: readonly number[];
}

/** Kinds of deviations. The codes are stable; the texts appear in the manual. */
export const deviationCodes = {
  CATALOGUE_ALTERED:
    'The file holds tables, views, macros, types or comments that this program does not make, or lacks some; where answers could be false nothing else is checked',
  CHAIN_BROKEN: 'The record of actions was altered',
  HEAD_UNKNOWN: 'The record of actions does not hold the hash that was asked for',
  CASE_ALTERED: 'What the case says of itself, its format, version and time, is not what was noted',
  FILE_MISSING: 'An original is gone',
  FILE_ALTERED: 'An original has other bytes',
  FILE_UNREADABLE: 'An original cannot be read',
  FILE_UNLISTED:
    'A file lies among the originals that the case does not know; also after an import was killed before its first part',
  FILE_ROW_ALTERED: 'What the case says of a file is not what was noted when it was added',
  ENTRY_MISSING: 'An entry of an original is gone',
  ENTRY_ALTERED: 'An entry of an original has other bytes',
  PART_MISSING: 'A part is gone',
  PART_ALTERED: 'What the case says of a part is not what was noted when it was added',
  PART_UNLISTED: 'A part was added without a note of it',
  EXPORT_ALTERED:
    'What the case says of an export, a window of it or a job is not what was noted of it at last',
  ROWS_MISCOUNTED: 'A part has more or fewer rows than were noted',
  ROWS_ALTERED: 'Rows are not what their original says',
  ROWS_UNLISTED: 'Rows belong to no part',
  TERMS_ALTERED: 'The terms by which logs are found are not those of their texts',
  INDEX_ALTERED:
    'The index of the terms does not say what the terms of the logs do; "logquarry index --rebuild" makes it anew',
} as const;

/** Stable code of a deviation. */
export type DeviationCode = keyof typeof deviationCodes;

/** Receives a deviation. */
export type ReportDeviation = (deviation: Deviation) => void;
