import type { Spill } from '../../database/index.ts';
import type { ResultPiece } from './run-sql.ts';

/** A task of a child process that runs SQL. */
export interface SqlTask {
  readonly casePath: string;
  readonly sql: string;
  /** Maximum number of rows. */
  readonly limit: number | undefined;
  readonly spill: Spill;
  /** Path of a Parquet file for the rows, which are then not returned. */
  readonly parquet?: string;
  /** Asks the parent process to convert queries in `matches`. */
  readonly asksForFilters: boolean;
}

/** A piece of the result of SQL in a child process. */
export type SqlPiece =
  | ResultPiece
  /** Number of rows of a Parquet file. */
  | { readonly kind: 'written'; readonly count: number };
