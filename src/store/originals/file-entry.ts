/** One entry of a file: what a zip holds under a name, or a bare file itself. */
export interface FileEntry {
  /** Its number in the file, from 0; folders count. Entries of zips within it follow behind all of the zip around them. */
  readonly number: number;
  readonly name: string;
  /** Its inflated bytes as the file says, which may be wrong. */
  readonly bytes?: number;
  /** What gzip bytes say they inflate to: less than they do where several are joined, anything where they were cut off. */
  readonly claim?: number;
  /** It is an entry of a zip, among which files that are no logs may be. */
  readonly isInZip?: true;
  /** It is a zip, whose entries are listed behind it. */
  readonly isOpened?: true;
  /** Why it is not opened although it is a zip within a zip. */
  readonly unopened?: string;
  /** An earlier entry that may have the same bytes: size and checksum are the same. */
  readonly twin?: FileEntry;
  /** Its inflated bytes. Throws an `EntryProblem` when they cannot be had. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** A file that is open for reading its entries. */
export interface OpenFile {
  readonly entries: readonly FileEntry[];
  readonly close: () => void;
}
