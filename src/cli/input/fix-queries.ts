import { readFile } from 'node:fs/promises';
import type { ValidateOptions } from '../../language/index.ts';
import { type AppliedFix, fixQuery } from '../../language/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { writeOutput } from '../files/write-output.ts';
import { lineAndColumn } from '../terminal/excerpt.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isQueryLine } from './query-line.ts';
import type { GivenQuery } from './read-queries.ts';

/**
 * Applies the safe fixes of all queries of a file, and reports them. All other bytes of the file stay
 * as they are; a file without such fixes is not written. Throws `UsageError` if it cannot be read, is
 * not UTF-8 or cannot be written.
 */
export async function fixQueryFile(
  path: string,
  options: ValidateOptions,
  terminal: Terminal,
): Promise<void> {
  const written = await readUtf8(path);
  const lines = written.split('\n').map((line, index) => {
    // A byte order mark and the end of the line are no part of the query.
    const [, mark = '', text = '', end = ''] = /^(\ufeff?)(.*?)(\r?)$/s.exec(line) ?? [];
    if (!isQueryLine(text)) return line;
    return mark + fixAndReport({ text, source: { name: path, line: index + 1 } }, options, terminal) + end;
  });
  const fixed = lines.join('\n');
  if (fixed !== written) await writeOutput(fixed, { path, terminal });
}

/** Returns a query with its safe fixes applied, and reports these. */
export function fixAndReport(given: GivenQuery, options: ValidateOptions, terminal: Terminal): string {
  const { text, applied } = fixQuery(given.text, options);
  for (const each of applied) terminal.say(fixLine(given, each));
  return text;
}

function fixLine({ source }: GivenQuery, { finding, fix, before }: AppliedFix): string {
  const { line, column } = lineAndColumn(before, finding.from);
  const place = source ? `${escapeUnsafe(source.name)}:${source.line + line - 1}:${column}: ` : '';
  return `${place}fixed: ${escapeUnsafe(fix.title)} [${finding.code}]`;
}

async function readUtf8(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    const isSystemError = error instanceof Error && 'syscall' in error;
    if (isSystemError)
      throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`The file "${path}" is not UTF-8, so --fix leaves it alone`, { cause: error });
  }
}
