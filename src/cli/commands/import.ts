import { existsSync } from 'node:fs';
import { type AddedFile, addFile, type Case, openCase } from '../../store/index.ts';
import type { Call, Run } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { reportFailure } from '../failure.ts';
import { partColumns, partRemarks, toPartRow } from '../part-table.ts';
import { toJson } from '../printable.ts';
import { displayProgress } from '../progress.ts';
import type { importSpec } from '../specs/logs.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Loads files into a case. */
export const importFiles: Run<typeof importSpec> = async ({ arguments: given, options, terminal }) => {
  const path = checked(given.file, options);
  const signal = terminal.interruption();
  await using into = await openCase(path, { access: 'write', create: true });
  const added: AddedFile[] = [];
  let worst: ExitCode = exitCodes.done;
  for (const file of given.file) {
    const outcome = await addOne(into, file, { signal, terminal });
    if ('failed' in outcome) worst = outcome.failed;
    else added.push(outcome);
  }
  await terminal.print(
    options.json ? `${toJson({ case: path, files: added }, 2)}\n` : summaryOf(added, terminal),
  );
  for (const line of added.flatMap(({ parts }) => parts.flatMap(partRemarks))) terminal.say(line);
  const hasProblem = added.some(({ parts }) => parts.some(({ problem }) => problem));
  return worst === exitCodes.done && hasProblem ? exitCodes.no : worst;
};

/** The path of the case. Nothing is made before all files are known to be there. */
function checked(files: readonly string[], { into }: Call<typeof importSpec>['options']): string {
  if (into === undefined) throw new UsageError('"--into CASE" is required');
  for (const file of files) {
    if (!existsSync(file)) throw new UsageError(`There is no file "${file}"`);
  }
  return into;
}

/** Failures of one file, after which the others are loaded all the same. */
const ofTheFile: ReadonlySet<unknown> = new Set(['FILE_UNREADABLE', 'TRUNCATED_ZIP', 'BAD_ZIP', 'TOO_BIG']);

interface Work {
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
}

async function addOne(
  into: Case,
  file: string,
  { signal, terminal }: Work,
): Promise<AddedFile | { readonly failed: ExitCode }> {
  const display = displayProgress(terminal);
  try {
    return await addFile(into, file, {
      signal,
      onProgress: ({ bytes, totalBytes }) =>
        display.update({
          doing: `Loading ${file}`,
          done: bytes,
          unit: 'B',
          ...(totalBytes !== undefined && { total: totalBytes }),
        }),
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ofTheFile.has(error.code))) throw error;
    return { failed: reportFailure(error, terminal) };
  } finally {
    display.end();
  }
}

function summaryOf(added: readonly AddedFile[], { data: { style, width } }: Terminal): string {
  const rows = added.flatMap((file) => {
    if (file.parts.length === 0) return [[file.name, '', '', '0', '0', 'no entries']];
    return file.parts.map((part) => toPartRow(part, { already: file.already }));
  });
  return rows.length === 0 ? '' : `${table(partColumns, rows, { style, width }).join('\n')}\n`;
}
