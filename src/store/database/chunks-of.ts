import type { DuckDBDataChunk, DuckDBMaterializedResult } from '@duckdb/node-api';

/** The chunks of a result that is in memory already: asking for them one by one would wait for another thread each time. */
export function chunksOf(result: DuckDBMaterializedResult): readonly DuckDBDataChunk[] {
  return Array.from({ length: result.chunkCount }, (_chunk, index) => result.getChunk(index));
}
