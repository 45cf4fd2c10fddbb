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
    'The file has tables, views, macros, types or comments that this program does not create, or lacks some; if answers could be false, nothing else is checked',
  CHAIN_BROKEN: 'The record of actions was altered',
  HEAD_UNKNOWN: 'The record of actions does not contain the requested hash',
  CASE_ALTERED: 'The format, version or creation time of the case differs from its record',
  FILE_MISSING: 'An original is gone',
  FILE_ALTERED: 'An original has other bytes, or its compressed copy is damaged',
  FILE_UNREADABLE: 'An original cannot be read',
  FILE_UNLISTED:
    'The folder of originals holds a file unknown to the case, or a second copy of an original; also after an import was killed before its first part',
  FILE_ROW_ALTERED: 'The row of a file differs from the record of adding it',
  ENTRY_MISSING: 'An entry of an original is gone',
  ENTRY_ALTERED: 'An entry of an original has other bytes',
  PART_MISSING: 'A part is gone',
  PART_ALTERED: 'The row of a part differs from the record of adding it',
  PART_UNLISTED: 'A part was added without a record of it',
  EXPORT_ALTERED: 'The row of an export, window or job differs from its latest record',
  ROWS_MISCOUNTED: 'A part has more or fewer rows than recorded',
  ROWS_ALTERED: 'Rows differ from their original',
  ROWS_UNLISTED: 'Rows belong to no part',
  INDEX_ALTERED:
    'The index of the terms differs from the terms of the logs; "logquarry index --rebuild" rebuilds it',
} as const;

/** Stable code of a deviation. */
export type DeviationCode = keyof typeof deviationCodes;

/** Receives a deviation. */
export type ReportDeviation = (deviation: Deviation) => void;

/** Maximum length of the texts of a deviation. An altered case can have names of any length. */
const longest = 4000;

/** Shortens the texts of a deviation in the middle: their ends say what is wrong. */
export function shortenDeviation(deviation: Deviation): Deviation {
  const { file, message } = deviation;
  return { ...deviation, ...(file !== undefined && { file: shorten(file) }), message: shorten(message) };
}

function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest / 2)}…${text.slice(-longest / 2)}`;
}
