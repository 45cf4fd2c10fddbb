import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { NamedFile } from '../../protocol/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from './exit-code.ts';

/**
 * Reads a JSON file; `-` is the standard input. `parse` replaces JSON.parse if numbers must keep their
 * spelling. Throws `UsageError` if the file cannot be read or is not JSON.
 */
export async function readJsonFile(
  path: string,
  terminal: Terminal,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const text = await readTextInput(path, terminal);
  try {
    return parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`The file "${path}" must be JSON: ${error.message}`, { cause: error });
  }
}

/** Reads a text file; `-` is the standard input. Throws `UsageError` if it cannot be read. */
export async function readTextInput(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return textOf(terminal.input());
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** Reads the trimmed, non-blank lines of a file; `-` is the standard input. */
export async function readLines(path: string, terminal: Terminal): Promise<string[]> {
  const text = await readTextInput(path, terminal);
  const lines = text.replace(/^\ufeff/, '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** Reads a small UTF-8 file named by an option. Rejects with a `UsageError` that names both. */
export async function readTextFile(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The file "${path}" of ${name} cannot be read: ${reason}`, { cause });
  }
}

/** Reads a file for an upload: base name and bytes. Throws `UsageError` if it is unreadable or empty. */
export async function readNamedFile(path: string): Promise<NamedFile> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  });
  if (bytes.length === 0) throw new UsageError(`The file "${path}" is empty`);
  return { name: basename(path), bytes: new Uint8Array(bytes) };
}

/** True if a file is a DuckDB database, like all cases; undefined if it cannot be read. */
export async function isDatabase(path: string): Promise<boolean | undefined> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return bytesRead === 12 && buffer.toString('latin1', 8, 12) === 'DUCK';
  } catch {
    return undefined;
  }
}
