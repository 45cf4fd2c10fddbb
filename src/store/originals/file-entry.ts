/** One entry of a file: what a zip holds under a name, or a bare file itself. */
export interface FileEntry {
  /** Its number in the file, from 0; folders count. */
  readonly number: number;
  readonly name: string;
  /** Its inflated bytes as the file says, which may be wrong. */
  readonly bytes?: number;
  /** What gzip bytes say they inflate to: less than they do where several are joined, anything where they were cut off. */
  readonly claim?: number;
  /** Its inflated bytes. Throws an `EntryProblem` when they cannot be had. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** A file that is open for reading its entries. */
export interface OpenFile {
  readonly entries: readonly FileEntry[];
  readonly close: () => void;
}
