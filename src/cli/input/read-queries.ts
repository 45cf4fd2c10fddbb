import { createReadStream } from 'node:fs';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A query, and its position if it came from a file. */
export interface GivenQuery {
  readonly text: string;
  readonly source?: { readonly name: string; readonly line: number };
}

/** Sources of queries. */
export interface QuerySources {
  /** Arguments; `-` is the standard input. */
  readonly query: readonly string[];
  /** The path of a file; `-` is the standard input. */
  readonly file: string | undefined;
}

/** Yields all queries in order. Files and the standard input hold one a line; blank lines are skipped. */
export async function* readQueries(
  { query, file }: QuerySources,
  terminal: Terminal,
): AsyncGenerator<GivenQuery, void, undefined> {
  if (query.length === 0 && file === undefined) {
    throw new UsageError('A query is required, or --file FILE, or "-" to read the standard input');
  }
  for (const text of query) {
    if (text === '-') yield* fromLines(terminal.input(), '<stdin>');
    else yield { text };
  }
  if (file === '-') yield* fromLines(terminal.input(), '<stdin>');
  else if (file !== undefined) yield* fromFile(file);
}

async function* fromFile(path: string): AsyncGenerator<GivenQuery, void, undefined> {
  try {
    yield* fromLines(createReadStream(path, 'utf8'), path);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

async function* fromLines(
  chunks: AsyncIterable<string>,
  name: string,
): AsyncGenerator<GivenQuery, void, undefined> {
  let line = 0;
  for await (const written of linesOf(chunks)) {
    line += 1;
    // Removes a byte order mark at the beginning of the file.
    const text = line === 1 ? written.replace(/^\ufeff/, '') : written;
    if (text.trim() !== '') yield { text, source: { name, line } };
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.map(withoutReturn);
  }
  yield withoutReturn(rest);
}
