import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import { wordsSql } from '../../translate/duckdb-words.ts';
import { blobBytes } from '../database/blob-bytes.ts';
import { chunksOf } from '../database/chunks-of.ts';
import { indexedFields } from './indexed-fields.ts';
import { batchBits } from './lengths.ts';
import { type CollectedTerms, startCollecting } from './posting-collector.ts';

/** A range of log ids. */
export interface IdRange {
  readonly firstId: number;
  readonly lastId: number;
}

/** Most batches that one statement reads: the texts of some ten thousand logs. */
const mostBatches = 64;

/** Bytes of texts that one statement reads, about. */
const usualBytes = 16 * 1024 * 1024;

/**
 * Makes the index of the logs in a range of ids, from their texts. Stops after some logs when it has `maxBytes` in
 * memory. The same logs give the same bytes. Rejects with a `RangeError` if their ids were altered.
 */
export async function indexLogs(
  connection: DuckDBConnection,
  { firstId, lastId }: IdRange,
  maxBytes: number,
): Promise<CollectedTerms> {
  // The compiled program counts in 32 bits.
  if (2 ** 31 <= lastId) throw new RangeError(`The id ${lastId} of a log is too large`);
  const collector = startCollecting(indexedFields.length, lastId - firstId + 1, firstId);
  let [batches, isFull] = [mostBatches, false];
  for (let from = firstId; from <= lastId && !isFull; ) {
    const end = ((from >>> batchBits) + batches) * 2 ** batchBits;
    const texts = await readTexts(connection, { firstId: from, lastId: Math.min(lastId, end - 1) });
    let bytes = 0;
    for (const chunk of chunksOf(texts))
      for (let row = 0; row < chunk.rowCount && !isFull; row++) {
        const logs = blobBytes(chunk.getColumnVector(1), row);
        collector.addLogs(Number(chunk.getColumnVector(0).getItem(row)), logs);
        bytes += logs.length;
        isFull = maxBytes <= collector.usedBytes();
      }
    const fitting = Math.floor((batches * usualBytes) / (bytes + 1));
    batches = Math.max(1, Math.min(mostBatches, 2 * batches, fitting));
    from = end;
  }
  return collector.finish();
}

/** Reads the texts of logs: a row for each batch, in ascending order, as `addLogs` takes it. */
function readTexts(
  connection: DuckDBConnection,
  { firstId, lastId }: IdRange,
): Promise<DuckDBMaterializedResult> {
  const texts = indexedFields.map((name) => `${textSql(name)}, chr(31)`);
  return connection.run(
    `SELECT id >> ${batchBits}, encode(string_agg(concat(id, chr(31), ${texts.join(', ')}), ''))
     FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId} GROUP BY 1 ORDER BY 1`,
  );
}

/** SQL of a field as `addLogs` takes it. A code is one word with its sign; words of texts that are not plain are cut. */
function textSql(name: (typeof indexedFields)[number]): string {
  const text = `"${name}"`;
  if (name === 'logCode') return `chr(128) || ' ' || ${text} || ' '`;
  const isPlain = `length(${text}) = strlen(${text}) AND NOT contains(${text}, chr(31))`;
  return `CASE WHEN NOT (${isPlain}) THEN chr(128) || ${wordsSql(text)} ELSE ${text} END`;
}
