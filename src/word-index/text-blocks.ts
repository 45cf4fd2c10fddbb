import type { DuckDBConnection } from '@duckdb/node-api';
import { wordsSql } from '../language/index.ts';
import { indexedFields } from './indexed-fields.ts';
import { batchBits } from './lengths.ts';
import { type TextBatch, takeTexts } from './text-sink.ts';

/** A range of log ids. */
export interface IdRange {
  readonly firstId: number;
  readonly lastId: number;
}

/** Reads the texts of logs block by block, one ahead. */
export interface TextReader {
  /** Returns the next block: batches in ascending order. Undefined after the last. */
  readonly next: () => Promise<readonly TextBatch[] | undefined>;
  /** Gives back batches that were read and not used, in their order: they are the next ones. */
  readonly unread: (batches: readonly TextBatch[]) => void;
  /** Waits until no statement uses the connection: closing it then would crash the driver. */
  readonly end: () => Promise<void>;
}

/** Most batches that one statement reads: the texts of some ten thousand logs. */
const mostBatches = 64;

/** Bytes of texts that one statement reads, about. */
const usualBytes = 16 * 1024 * 1024;

/** Starts to read the texts of the logs in a range of ids. The connection is used until the last block is read. */
export function readTextBlocks(connection: DuckDBConnection, { firstId, lastId }: IdRange): TextReader {
  let unread: readonly TextBatch[] = [];
  let [from, batches] = [firstId, mostBatches];
  let ahead: ReturnType<TextReader['next']> | undefined;

  async function read(): ReturnType<TextReader['next']> {
    if (lastId < from) return undefined;
    const end = ((from >>> batchBits) + batches) * 2 ** batchBits;
    const sql = textsSql({ firstId: from, lastId: Math.min(lastId, end - 1) });
    const block = await takeTexts(connection, sql);
    const bytes = block.reduce((sum, { texts }) => sum + texts.length, 0);
    const fitting = Math.floor((batches * usualBytes) / (bytes + 1));
    batches = Math.max(1, Math.min(mostBatches, 2 * batches, fitting));
    from = end;
    return block;
  }

  return {
    next: async () => {
      const first = unread;
      unread = [];
      if (0 < first.length) return first;
      const block = await (ahead ?? read());
      ahead = block && read();
      // It rejects for the caller once it is asked for.
      ahead?.catch(() => undefined);
      return block;
    },
    unread: (left) => {
      unread = [...left, ...unread];
    },
    end: async () => {
      await ahead?.catch(() => undefined);
    },
  };
}

/** SQL of the texts of logs: a row for each batch, in any order, as `addLogs` takes it. */
function textsSql({ firstId, lastId }: IdRange): string {
  const texts = indexedFields.map((name) => `${textSql(name)}, chr(31)`);
  return `SELECT id >> ${batchBits} AS batch, encode(string_agg(concat(id, chr(31), ${texts.join(', ')}), '')) AS texts
     FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId} GROUP BY 1`;
}

/** SQL of a field as `addLogs` takes it. A code is one word with its sign; words of texts that are not plain are cut. */
function textSql(name: (typeof indexedFields)[number]): string {
  const text = `"${name}"`;
  if (name === 'logCode') return `chr(128) || ' ' || ${text} || ' '`;
  const isPlain = `length(${text}) = strlen(${text}) AND NOT contains(${text}, chr(31))`;
  return `CASE WHEN NOT (${isPlain}) THEN chr(128) || ${wordsSql(text)} ELSE ${text} END`;
}
