import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Case } from '../../case/index.ts';
import type { CountedValue, Field } from '../../language/index.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { isDatabase } from '../files/is-database.ts';
import { valuesInCases } from '../input/values-in-cases.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { completeQuery } from './complete-query.ts';
import { findQuery } from './query-position.ts';
import { readShellLine, replacementIn, type Shell } from './shell-line.ts';

/** A command line to complete. */
export interface LineToComplete {
  readonly shell: Shell;
  /** The command line as far as the cursor. */
  readonly line: string;
  /** The command line after the cursor. */
  readonly rest: string;
  /** The end of the written word that bash replaces. */
  readonly word: string;
}

/**
 * Completes the query at the cursor of a command line, with the values of the cases and files that it names.
 * Returns a line for each completion. For bash it is the text to put in place of `word`, for other shells the
 * whole word without quotes, a tab, and its description. Empty if no query stands there.
 */
export async function queryLines(
  { shell, line, rest, word }: LineToComplete,
  specs: readonly CommandSpec[],
): Promise<readonly string[]> {
  const written = readShellLine(line, rest, shell);
  const position = findQuery(written, specs);
  if (!position) return [];
  const completed = await completeQuery(position.query, (field) => valuesInFiles(position.sources, field));
  return completed
    .filter(({ text }) => escapeUnsafe(text) === text)
    .flatMap(({ text, detail }) => {
      const whole = position.prefix + text;
      if (shell !== 'bash') return [`${whole}\t${escapeUnsafe(detail)}`];
      return replacementIn(whole, written.current, word) ?? [];
    });
}

/** The values of a field in cases and small log files; none if they cannot be read. */
async function valuesInFiles(paths: readonly string[], field: Field): Promise<readonly CountedValue[]> {
  const opened: Case[] = [];
  try {
    for (const path of new Set(paths)) opened.push(...(await openFile(path)));
    return await valuesInCases(opened, field);
  } catch {
    // Completion goes on without values: the command itself reports what is wrong with a file.
    return [];
  } finally {
    for (const each of opened.toReversed()) await each[Symbol.asyncDispose]();
  }
}

/** The most bytes of a log file that are read for a completion. */
const mostBytes = 4 * 1024 ** 2;

/** Opens a case, or loads a small log file; empty for any other path. */
async function openFile(path: string): Promise<readonly Case[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return [];
  const { addFile, openCase } = await import('../../case/index.ts');
  if (await isDatabase(path)) return [await openCase(path, { access: 'read' })];
  if (mostBytes < found.size) return [];
  const loaded = await openCase(':memory:', { access: 'write' });
  await addFile(loaded, { name: basename(path), bytes: await readFile(path) });
  return [loaded];
}
