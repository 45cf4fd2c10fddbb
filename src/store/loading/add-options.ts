import type { Part } from '../case/parts.ts';
import type { Limits } from '../originals/limits.ts';

/** What became of a file that was added. */
export interface AddedFile {
  /** Its name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The case had this very file before: nothing was loaded again. */
  readonly already: boolean;
  /** One for each entry of a zip, in their order; one for a bare file. */
  readonly parts: readonly Part[];
}

/** How a file is added. */
export interface AddOptions {
  /** The id of the export job that the file is the result of. */
  readonly job?: string;
  readonly onProgress?: (progress: AddProgress) => void;
  /** Ends the adding: finished parts stay, the one under way leaves nothing. Adding the file again goes on. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  /** The zone of times that name none, as "+02:00" or "Europe/Berlin": UTC unless given. One that is unknown is a RangeError. */
  readonly zone?: string;
  /**
   * So many threads read NDJSON beside this one; 0 is none. Unless given, large
   * files have one, and small ones none: a thread takes a while to start.
   */
  readonly threads?: number;
}

/** How far adding a file has come. */
export interface AddProgress {
  readonly file: string;
  /** The entry under way. */
  readonly entry: string;
  /** Inflated bytes read so far, of all entries. */
  readonly bytes: number;
  /** Of all entries, where the file says so. */
  readonly totalBytes?: number;
  readonly logs: number;
  readonly unreadable: number;
}
