import type { Spill } from '../database/database.ts';
import type { ResultPiece } from './run-sql.ts';

/** SQL for a process of its own. */
export interface SqlTask {
  readonly casePath: string;
  readonly sql: string;
  /** At most this many rows. */
  readonly limit: number | undefined;
  readonly spill: Spill;
  /** Writes the rows to this Parquet file instead of giving them back. */
  readonly parquet?: string;
  /** Asks the parent what each query in `matches` asks for. */
  readonly asksForFilters: boolean;
}

/** What comes of SQL in a process of its own. */
export type SqlPiece =
  | ResultPiece
  /** Of a Parquet file: how many rows it has. */
  | { readonly kind: 'written'; readonly count: number };
