import { join } from 'node:path';
import { caseWith, expandFuzzy } from '../../analysis/index.ts';
import { readCoverageOf } from '../../export/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { handOverFiles, hashFile, writeHandOver } from '../evidence/hand-over.ts';
import { readSealOptions } from '../evidence/seal.ts';
import { readFilteredQuery, readLogFilters } from '../input/log-filters.ts';
import { openSource } from '../input/open-cases.ts';
import { requireAllShards } from '../input/refuse-cluster.ts';
import type { handOverSpec } from '../specs/case-specs.ts';
import { displayProgress, formatCount } from '../terminal/progress.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** Writes the logs selected by a query, with a manifest, into a folder. */
export const handOverCommand: RunCommand<typeof handOverSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const folder = options.out;
  if (folder === undefined) throw new UsageError('--out FOLDER is required: the folder to create');
  const sealing = await readSealOptions(options, terminal);
  const now = Date.now();
  const { query } = values;
  const scored = readFilteredQuery({ query, engine: options.engine, options, now }, terminal);
  if (!scored) return exitCodes.no;
  requireAllShards('hand-over', values.case);
  await using opened = await openSource(values.case, terminal);
  const { source, name } = opened;
  const { filter } = await expandFuzzy([source], scored);
  const of = await caseWith(source, filter, { contents: 'whole' });
  const display = displayProgress(terminal);
  const manifest = await writeHandOver({
    of,
    name,
    coverage: await readCoverageOf(source),
    query,
    engine: options.engine,
    now,
    filter,
    folder,
    sealing,
    filters: readLogFilters(options, now),
    signal: terminal.interruption(),
    style: terminal.stdout.style,
    onFile: (name) => display.update({ doing: `Writing ${name}` }),
  }).finally(() => display.end());
  if (options.json) {
    await terminal.print(`${toJson(manifest, 2)}\n`);
    return exitCodes.done;
  }
  const { sha256 } = await hashFile(join(folder, handOverFiles.manifest));
  await terminal.print(
    [
      `${formatCount(manifest.found, 'log')} written to "${escapeUnsafe(folder)}".`,
      `SHA-256 of the manifest: ${sha256}`,
      ...(manifest.case.head === undefined ? [] : [`Last hash of the case: ${manifest.case.head}`]),
      '',
    ].join('\n'),
  );
  if (0 < manifest.gaps.length)
    terminal.message(
      `${terminal.stderr.style.yellow('INCOMPLETE')}: the case has gaps in ${formatCount(manifest.gaps.length, 'interval')}, as listed in the manifest.`,
    );
  return exitCodes.done;
};
