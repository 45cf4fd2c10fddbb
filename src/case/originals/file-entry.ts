/** One entry of a file: a named entry of a zip, or a bare file itself. */
export interface FileEntry {
  /**
   * Its number in the file, from 0; folders count. The entries of nested zips follow all entries of
   * the enclosing zip.
   */
  readonly number: number;
  readonly name: string;
  /** Inflated bytes according to the file, which may be wrong. */
  readonly bytes?: number;
  /**
   * Inflated bytes according to gzip: less than the total if several members are joined, arbitrary
   * if truncated.
   */
  readonly claim?: number;
  /** The entry is in a zip, which may also hold files that are not logs. */
  readonly isInZip?: true;
  /** The entry is a zip, whose entries follow it. */
  readonly isOpened?: true;
  /** Reason that a nested zip is not opened. */
  readonly unopened?: string;
  /** An earlier entry of the same size and checksum, which may have the same bytes. */
  readonly twin?: FileEntry;
  /** Yields its inflated bytes. Throws an `EntryProblem` if they cannot be read. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** A file that is open for reading its entries. */
export interface OpenFile {
  readonly entries: readonly FileEntry[];
  readonly close: () => void;
}
