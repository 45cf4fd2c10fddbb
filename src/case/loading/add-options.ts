import type { StoredPart } from '../file/parts.ts';
import type { Limits } from '../originals/limits.ts';

/** Result of adding a file. */
export interface AddedFile {
  /** File name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The case already had this very file: nothing was loaded. */
  readonly already: boolean;
  /** One for each entry of a zip, in order; one for a bare file. */
  readonly parts: readonly StoredPart[];
}

/** Options of adding a file. */
export interface AddOptions {
  /** Id of the export job that produced the file. */
  readonly job?: string;
  readonly onProgress?: (progress: AddProgress) => void;
  /**
   * Aborts the work: finished parts stay, an unfinished one leaves nothing. Adding the file again
   * resumes.
   */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  /**
   * Zone of times that name none, such as "+02:00" or "Europe/Berlin". Default: UTC. An unknown
   * zone is a RangeError.
   */
  readonly zone?: string;
  /**
   * Number of threads that read NDJSON besides this one; 0 for none. By default large files have
   * one, and small ones none: starting a thread takes time.
   */
  readonly threads?: number;
}

/** Progress of adding a file. */
export interface AddProgress {
  readonly file: string;
  /** Name of the current entry. */
  readonly entry: string;
  /** Inflated bytes read so far, of all entries. */
  readonly bytes: number;
  /** Total of all entries, if the file states it. */
  readonly totalBytes?: number;
  readonly logs: number;
  readonly unreadable: number;
}
