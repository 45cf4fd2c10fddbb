import { overlapsOf } from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import { readCoverageOf } from '../../export/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { openSource } from '../input/open-cases.ts';
import { coverageText } from '../output/coverage-text.ts';
import { overlapLines } from '../output/part-table.ts';
import type { coverageSpec } from '../specs/case-specs.ts';
import { toJson } from '../terminal/text.ts';

/** Shows the times a case covers, by filters, and their states. */
export const coverageCommand: RunCommand<typeof coverageSpec> = async ({
  arguments: { case: path },
  options,
  terminal,
}) => {
  await using opened = await openSource(path, terminal);
  const all = await readCoverageOf(opened.source);
  await terminal.print(
    options.json ? `${toJson(all, 2)}\n` : coverageText(all, terminal.stdout, options.zone),
  );
  if (all.length === 0)
    terminal.message(
      `The ${isClusterAddress(path) ? 'cluster' : 'case'} has no export over a time range: imported files and exports of the newest logs do not show what is missing.`,
    );
  if ('path' in opened.source)
    for (const line of overlapLines(await overlapsOf(opened.source), Number.POSITIVE_INFINITY))
      terminal.message(line);
  const isWhole = all.every(({ covered }) => covered.every(({ state }) => state === 'complete'));
  return isWhole ? exitCodes.done : exitCodes.incomplete;
};
