import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UsageError } from '../command-line/exit-code.ts';
import { isGlob, listFiles, matchFiles } from '../command-line/glob.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { GivenQuery } from './read-query.ts';

/** The name of the standard input in findings. */
export const standardInput = '<stdin>';

/** A line of a file without its end, or an argument. A blank line or a comment has no query. */
interface GivenLine {
  readonly text: string;
  /** The path of the file, or `<stdin>`; undefined for an argument. */
  readonly name: string | undefined;
  readonly query: GivenQuery | undefined;
}

/** Sources of queries. */
interface QuerySources {
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
    else yield { text, name: undefined, query: { text } };
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
  for await (const rawLine of linesOf(chunks)) {
    line += 1;
    // Removes a byte order mark at the beginning of the file.
    const text = line === 1 ? rawLine.replace(/^\ufeff/, '') : rawLine;
    if (isQueryLine(text)) {
      const source = { name, line, ...(queryName && { queryName }) };
      yield { text, name, query: { text, source } };
      queryName = undefined;
    } else {
      yield { text, name, query: undefined };
      queryName = readQueryName(text) ?? queryName;
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

/** The ending of query files that are found in a folder. */
const queryFileSuffix = '.txt';

/**
 * Lists the query files that paths name, each once, in the order of the paths. A path is a file, a
 * folder with `.txt` files at any depth, a pattern, or `-` for the standard input. Throws
 * `UsageError` if a folder or a pattern has no file. A path that does not exist is returned as it
 * is.
 */
export async function listQueryFiles(paths: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    for (const file of await filesOf(path)) found.add(file);
  }
  return [...found];
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (path === '-') return [path];
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return orFail(await listed(path, listFiles(path, queryFileSuffix)), path);
  if (found || !isGlob(path)) return [path];
  return orFail(await listed(path, matchFiles(path)), path);
}

async function listed(path: string, files: Promise<string[]>): Promise<string[]> {
  try {
    return await files;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`"${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

function orFail(files: readonly string[], path: string): readonly string[] {
  if (0 < files.length) return files;
  throw new UsageError(
    isGlob(path)
      ? `No file matches "${path}"`
      : `The folder "${path}" has no query files: their names end in ${queryFileSuffix}`,
  );
}

/**
 * True if a line of a query file is a query: neither blank nor a comment, which begins with `#`. A
 * query that begins with this character is written `\#…` or in quotes.
 */
export function isQueryLine(line: string): boolean {
  const text = line.trimStart();
  return text !== '' && !text.startsWith('#');
}

/** Returns the name that a comment gives to the next query: `# name: Slow maps`; undefined for any other line. */
function readQueryName(line: string): string | undefined {
  return /^\s*#\s*name:\s*(\S.*?)\s*$/.exec(line)?.[1];
}
