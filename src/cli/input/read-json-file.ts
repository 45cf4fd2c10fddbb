import { readFile } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * What a JSON file holds; `-` is the standard input. `parse` is what reads it where
 * numbers have to stay as they are written. A file that cannot be read, or is no
 * JSON, is a `UsageError`.
 */
export async function readJsonFile(
  path: string,
  terminal: Terminal,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const written = await readText(path, terminal);
  try {
    return parse(written.replace(/^\ufeff/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`The file "${path}" requires JSON: ${error.message}`, { cause: error });
  }
}

/** The text of a file; `-` is the standard input. A file that cannot be read is a `UsageError`. */
export async function readText(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return textOf(terminal.input());
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let written = '';
  for await (const chunk of chunks) written += chunk;
  return written;
}
