import type { DuckDBDataChunk, DuckDBMaterializedResult } from '@duckdb/node-api';

/** Returns the chunks of a materialized result. Fetching them one by one would wait for another thread each time. */
export function chunksOf(result: DuckDBMaterializedResult): readonly DuckDBDataChunk[] {
  return Array.from({ length: result.chunkCount }, (_chunk, index) => result.getChunk(index));
}
