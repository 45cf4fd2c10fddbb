import { createReadStream } from 'node:fs';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { listQueryFiles } from './query-files.ts';
import { isQueryLine, readQueryName } from './query-line.ts';

/** The name of the standard input in findings. */
export const standardInput = '<stdin>';

/** A query, and its position if it came from a file. */
export interface GivenQuery {
  readonly text: string;
  readonly source?: QuerySource;
}

/** The position of a query in a file. */
export interface QuerySource {
  /** The path of the file, or `<stdin>`. */
  readonly name: string;
  readonly line: number;
  /** The name of the query, if the comment before it gives one. */
  readonly queryName?: string;
}

/** A line of a file without its end, or an argument. A blank line or a comment has no query. */
export interface GivenLine {
  readonly written: string;
  /** The path of the file, or `<stdin>`; undefined for an argument. */
  readonly name: string | undefined;
  readonly query: GivenQuery | undefined;
}

/** Sources of queries. */
export interface QuerySources {
  /** Arguments; `-` is the standard input. */
  readonly query: readonly string[];
  /** Paths of files, folders, or patterns; `-` is the standard input. */
  readonly file: readonly string[];
}

/** Yields all arguments and all lines of files in order, blank lines and comments included. */
export async function* readQueryLines(
  { query, file }: QuerySources,
  terminal: Terminal,
): AsyncGenerator<GivenLine, void, undefined> {
  if (query.length === 0 && file.length === 0) {
    throw new UsageError('A query is required, or --file FILE, or "-" to read the standard input');
  }
  for (const text of query) {
    if (text === '-') yield* fromLines(terminal.input(), standardInput);
    else yield { written: text, name: undefined, query: { text } };
  }
  for (const path of await listQueryFiles(file)) {
    if (path === '-') yield* fromLines(terminal.input(), standardInput);
    else yield* fromFile(path);
  }
}

async function* fromFile(path: string): AsyncGenerator<GivenLine, void, undefined> {
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
): AsyncGenerator<GivenLine, void, undefined> {
  let line = 0;
  let queryName: string | undefined;
  for await (const each of linesOf(chunks)) {
    line += 1;
    // Removes a byte order mark at the beginning of the file.
    const written = line === 1 ? each.replace(/^\ufeff/, '') : each;
    if (isQueryLine(written)) {
      const source = { name, line, ...(queryName && { queryName }) };
      yield { written, name, query: { text: written, source } };
      queryName = undefined;
    } else {
      yield { written, name, query: undefined };
      queryName = readQueryName(written) ?? queryName;
    }
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
  if (rest !== '') yield withoutReturn(rest);
}
