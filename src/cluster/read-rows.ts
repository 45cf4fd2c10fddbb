import { ClickHouseError } from '@clickhouse/client';

/** A row as a list of JSON values. */
export type ClusterRow = readonly unknown[];

const lineFeed = 0x0a;

/**
 * Reads rows in the format JSONCompactEachRow, as many at a time as arrive. Throws if the last row is cut off, and
 * at an error that the server reports after it has sent rows with the status 200.
 */
export async function* readServerRows(
  content: AsyncIterable<Buffer>,
): AsyncGenerator<readonly ClusterRow[], void, undefined> {
  let pieces: Buffer[] = [];
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(lineFeed);
    if (end < 0) {
      pieces.push(chunk);
      continue;
    }
    const lines = Buffer.concat([...pieces, chunk.subarray(0, end)]).toString('utf8');
    pieces = [chunk.subarray(end + 1)];
    const rows = lines.split('\n');
    const failed = rows.findIndex((row) => !row.startsWith('['));
    if (failed < 0) yield rows.map(toRow);
    else throw failureIn(`${rows.slice(failed).join('\n')}\n${await restOf(pieces, content)}`);
  }
  const rest = Buffer.concat(pieces).toString('utf8');
  if (rest !== '') throw failureIn(rest);
}

function toRow(line: string): ClusterRow {
  const row: unknown = JSON.parse(line);
  if (!Array.isArray(row)) throw new Error(`A row must be a list, got "${line.slice(0, 100)}"`);
  return row;
}

async function restOf(pieces: readonly Buffer[], content: AsyncIterable<Buffer>): Promise<string> {
  const rest = [...pieces];
  for await (const chunk of content) rest.push(chunk);
  return Buffer.concat(rest).toString('utf8');
}

/** The message of an exception, its code, and its name. */
const exception = /Code: (?<code>\d+)\. DB::Exception: (?<message>.*?) \((?<type>[A-Z][A-Z0-9_]+)\)/s;

function failureIn(text: string): Error {
  const { code, message, type } = exception.exec(text)?.groups ?? {};
  if (code !== undefined && message !== undefined && type !== undefined)
    return new ClickHouseError({ code, message, type });
  return new Error(`The rows end with "${text.trim().slice(0, 100)}"`);
}
