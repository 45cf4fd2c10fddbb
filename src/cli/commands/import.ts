import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AddedFile,
  buildIndex,
  type Case,
  type IndexState,
  indexState,
  type NamedOverlap,
  openCase,
  type PartSample,
  partSamples,
  removeIndex,
  type StoredPart,
} from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { isDatabase } from '../command-line/files.ts';
import { nameFilter } from '../command-line/glob.ts';
import { temporaryFolder } from '../command-line/write-output.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { fillCase, isLeftOut, loadFiles, spoolInput } from '../input/open-sources.ts';
import { filesToImport } from '../loading/files-to-import.ts';
import { shortOverview } from '../output/overview.ts';
import { partColumns, partName, toPartRow } from '../output/part-table.ts';
import { type Column, formatTable } from '../output/table.ts';
import type { importSpec, indexSpec } from '../specs/case-specs.ts';
import { displayProgress, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeFileName, escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatSecond, zoneNote } from '../terminal/time-format.ts';

type Options = CommandCall<typeof importSpec>['options'];

/** Loads files into a case. */
export const importCommand: RunCommand<typeof importSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const isWantedEntry = nameFilter(options);
  const { files: named, isDoubtful } = await filesToImport(values.file, { names: options, terminal });
  const outcomeOf = (outcome: ExitCode) =>
    isDoubtful && outcome === exitCodes.done ? exitCodes.incomplete : outcome;
  if (options.dryRun) return await tryImport(named, { isWantedEntry, outcomeOf, options, terminal });
  const path = await checked(named, options);
  const logZone = logZoneOf(options);
  if (isClusterAddress(path) && (options.noDuplicates || 0 < options.include.length + options.exclude.length))
    throw new UsageError(
      '--no-duplicates, --include and --exclude require a case with --into: each file of a cluster is loaded whole, and by itself',
    );
  if (isClusterAddress(path)) return outcomeOf(await importIntoCluster(path, named, { options, terminal }));
  if (options.originals !== undefined)
    throw new UsageError(
      '--originals requires the address of a cluster with --into: a case has its own folder',
    );
  await using input = await spoolInput(named, terminal);
  const { added, overlaps, outcome, about } = await fillCase(path, { terminal }, async (into) => {
    const { noIndex, noDuplicates, strict } = options;
    const loaded = await loadFiles(into, input.paths, {
      zone: logZone,
      index: !noIndex,
      noDuplicates,
      strict,
      isWantedEntry,
      terminal,
    });
    return { ...loaded, about: options.json ? [] : await shortOverview(into, { zone: options.zone }) };
  });
  const report = { ...(existsSync(path) && { case: path }), files: added, overlaps: overlaps.map(toOverlap) };
  await terminal.print(options.json ? `${toJson(report, 2)}\n` : summaryOf(added, terminal));
  for (const line of about) terminal.message(line);
  return outcomeOf(outcome);
};

function toOverlap({ part, logs, isLeftOut, earlier }: NamedOverlap) {
  const nameOf = ({ part: number, file, entry }: StoredPart) => ({ part: number, file, entry });
  return {
    ...nameOf(part),
    logs,
    isLeftOut,
    earlier: earlier.map((other) => ({ ...nameOf(other.part), logs: other.logs })),
  };
}

/** Loads files into a cluster, through a temporary case for each. */
async function importIntoCluster(
  address: string,
  files: readonly string[],
  { options, terminal }: { readonly options: Options; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { importToCluster } = await import('../loading/load-cluster.ts');
  const zone = logZoneOf(options);
  await using input = await spoolInput(files, terminal);
  const { outcome, ...imported } = await importToCluster(address, input.paths, {
    zone,
    terminal,
    originals: options.originals,
    strict: options.strict,
  });
  const rows = imported.files.map(({ file, sha256, already, parts, logs }) => [
    ...[escapeFileName(file), sha256.slice(0, 12), formatNumber(parts), formatNumber(logs)],
    already ? 'already there' : '',
  ]);
  const { style, width } = terminal.stdout;
  const table = () => formatTable(importedColumns, rows, { style, width }).join('\n');
  await terminal.print(options.json ? `${toJson(imported, 2)}\n` : `${table()}\n`);
  return outcome;
}

const importedColumns: readonly Column[] = [
  { name: 'file', canShrink: true },
  { name: 'SHA-256' },
  { name: 'new parts', align: 'right' },
  { name: 'new logs', align: 'right' },
  { name: 'remark' },
];

/** What `--dry-run` reads, and how. */
interface Trial {
  readonly isWantedEntry: (path: string) => boolean;
  /** The exit code after what `loadFiles` returns. */
  readonly outcomeOf: (outcome: ExitCode) => ExitCode;
  readonly options: Options;
  readonly terminal: Terminal;
}

/** Loads files into a temporary case and prints what they were read as. */
async function tryImport(
  named: readonly string[],
  { isWantedEntry, outcomeOf, options, terminal }: Trial,
): Promise<ExitCode> {
  await checkFiles(named);
  await using input = await spoolInput(named, terminal);
  await using folder = await temporaryFolder();
  await using into = await openCase(join(folder.path, 'tried.duckdb'), {
    ...({ access: 'write', create: true, originals: 'in place' } as const),
  });
  const { noDuplicates, strict } = options;
  const { added, overlaps, outcome } = await loadFiles(into, input.paths, {
    zone: logZoneOf(options),
    noDuplicates,
    strict,
    isWantedEntry,
    terminal,
  });
  const parts = added.flatMap((file) => file.parts);
  const samples = await partSamples(into, parts.slice(0, shownParts), shownLogs);
  const report = { files: added, overlaps: overlaps.map(toOverlap), samples };
  const lines = samples.flatMap((sample) => sampleLines(sample, parts, options.zone));
  const text = `${summaryOf(added, terminal)}${lines.map((line) => `${line}\n`).join('')}`;
  await terminal.print(options.json ? `${toJson(report, 2)}\n` : text);
  terminal.message('Nothing was written: --dry-run reads into a temporary case, and compares with no other.');
  return outcomeOf(outcome);
}

/** Logs of a part that a trial shows. */
const shownLogs = 3;

function sampleLines(
  { part: number, first, last, logs }: PartSample,
  parts: readonly StoredPart[],
  zone: TimeZone,
): readonly string[] {
  const part = parts.find((part) => part.part === number);
  if (!part) return [];
  const span =
    first === undefined || last === undefined
      ? 'no log has a time'
      : `${formatSecond(first, zone)} to ${formatSecond(last, zone)}${zoneNote(zone)}`;
  return ['', `${partName(part)}: ${span}`, ...logs.map((log) => `  ${escapeUnsafe(toJson(log))}`)];
}

/**
 * Checks that all files exist and are log files, before anything is created. Returns the path of the
 * case.
 */
async function checked(files: readonly string[], { into }: Options): Promise<string> {
  if (into === undefined) throw new UsageError('--into CASE is required');
  await checkFiles(files);
  return into;
}

async function checkFiles(files: readonly string[]): Promise<void> {
  for (const file of files.filter((file) => file !== '-')) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) throw new UsageError(`The file "${file}" does not exist`);
    // A pipe can be opened only once: its writer stops when it is closed.
    if (found.isFile() && (await isDatabase(file)))
      throw new UsageError(
        `"${file}" is already a case; commands such as "logquarry search" take several cases`,
      );
  }
}

/** Parts that a file shows at most; the view "parts" has all of them. */
const shownParts = 40;

function summaryOf(added: readonly AddedFile[], { stdout: { style, width } }: Terminal): string {
  const rows = added.flatMap((file) => {
    if (file.parts.length === 0)
      return [[file.name, '', '', '0', '0', isLeftOut(file) ? 'left out' : 'no entries']];
    const shown = file.parts.length <= shownParts ? file.parts : mostTelling(file.parts);
    const partRows = shown.map((part) => toPartRow(part, { already: file.already }));
    return [...partRows, ...(shown.length < file.parts.length ? [sumRow(file.parts, shown)] : [])];
  });
  return rows.length === 0 ? '' : `${formatTable(partColumns, rows, { style, width }).join('\n')}\n`;
}

/** The parts to show of a file with many entries: those with a problem first, in their order. */
function mostTelling(parts: readonly StoredPart[]): readonly StoredPart[] {
  const [troubled, whole] = [parts.filter(isTroubled), parts.filter((part) => !isTroubled(part))];
  return [...troubled, ...whole].slice(0, shownParts).sort((a, b) => a.part - b.part);
}

const isTroubled = ({ problem, unreadable }: StoredPart): boolean => problem !== undefined || 0 < unreadable;

/** The row for all parts that are not shown. */
function sumRow(parts: readonly StoredPart[], shown: readonly StoredPart[]): string[] {
  const isShown = new Set(shown);
  const rest = parts.filter((part) => !isShown.has(part));
  const sum = (numberOf: (part: StoredPart) => number) =>
    formatNumber(rest.reduce((total, part) => total + numberOf(part), 0));
  const remark = rest.some(isTroubled) ? 'some have problems' : '';
  const [logs, unreadable] = [sum((part) => part.logs), sum((part) => part.unreadable)];
  return ['', `${formatNumber(rest.length)} more entries`, '', logs, unreadable, remark];
}

/** Indexes all logs of a case that are not indexed yet and shows the progress. */
async function buildIndexOf(into: Case, terminal: Terminal): Promise<IndexState> {
  const display = displayProgress(terminal);
  try {
    return await buildIndex(into, {
      isAlone: true,
      signal: terminal.interruption(),
      onProgress: ({ done, total }) => display.update({ doing: 'Indexing', done, total, unit: 'logs' }),
    });
  } finally {
    display.end();
  }
}

/** Builds or removes the word index of a case. */
export const indexCommand: RunCommand<typeof indexSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const { rebuild, remove, json } = options;
  await using into = await openCase(values.case, { access: 'write' });
  if (rebuild || remove) await removeIndex(into);
  const state = remove ? await indexState(into) : await buildIndexOf(into, terminal);
  await terminal.print(json ? `${toJson(state, 2)}\n` : `${report(state)}\n`);
  return exitCodes.done;
};

function report({ logs, indexed, tokens, segments }: IndexState): string {
  if (segments === 0) return `None of ${formatNumber(logs)} logs is indexed.`;
  return `${formatNumber(indexed)} of ${formatNumber(logs)} logs are indexed, with ${formatNumber(tokens)} words.`;
}
