import {
  type Case,
  listSearches,
  openCase,
  removeSearch,
  type SavedSearch,
  saveSearch,
} from '../../case/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readTimeRange } from '../command-line/option.ts';
import { readScoredFilter } from '../input/read-query.ts';
import { systemUser } from '../input/system-user.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import type { savedAddSpec, savedListSpec, savedRemoveSpec } from '../specs/analysis-specs.ts';
import { printPieces } from '../terminal/progress.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Saves a search; one whose query has errors is refused. */
export const savedAddCommand: RunCommand<typeof savedAddSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const { from, to } = readTimeRange(options, Date.now());
  const name = values.name.trim();
  if (name === '') throw new UsageError('The name of a search must not be empty');
  if (!readScoredFilter(values.query, options.engine, terminal)) return exitCodes.no;
  await using into = await openCase(values.case, { access: 'write' });
  await saveSearch(into, { name, query: values.query, from, to, author: options.author ?? systemUser() });
  if (options.json) await terminal.print(`${toJson(await searchNamed(into, name), 2)}\n`);
  terminal.message(`Saved "${escapeUnsafe(name)}" in "${escapeUnsafe(values.case)}".`);
  return exitCodes.done;
};

/** Lists the saved searches of a case. */
export const savedListCommand: RunCommand<typeof savedListSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const format = readPrintedFormat(options);
  await using from = await openCase(values.case, { access: 'read' });
  const all = await listSearches(from);
  const shown = all.slice(0, options.limit(terminal.stdout));
  await printPieces(formatRows(searchRows(shown, options.zone), format, terminal.stdout), terminal);
  const rest = all.length - shown.length;
  const count = all.length === 1 ? '1 saved search' : `${all.length} saved searches`;
  terminal.message(`${count}${rest === 0 ? '' : `, ${rest} more with --limit N`}.`);
  return exitCodes.done;
};

/** Removes a saved search. */
export const savedRemoveCommand: RunCommand<typeof savedRemoveSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  await using into = await openCase(values.case, { access: 'write' });
  const found = await searchNamed(into, values.name);
  if (!found) throw new UsageError(`"${values.case}" has no saved search "${values.name}"`);
  await removeSearch(into, { name: found.name, author: options.author ?? systemUser() });
  if (options.json) await terminal.print(`${toJson(found, 2)}\n`);
  terminal.message(`Removed "${escapeUnsafe(found.name)}" from "${escapeUnsafe(values.case)}".`);
  return exitCodes.done;
};

async function searchNamed(from: Case, name: string): Promise<SavedSearch | undefined> {
  return (await listSearches(from)).find((search) => search.name === name);
}

function searchRows(searches: readonly SavedSearch[], zone: TimeZone): Rows<SavedSearch> {
  const time = (instant: number | undefined) =>
    instant === undefined ? undefined : formatTime(instant, zone);
  return {
    items: searches,
    columns: [
      { name: 'name' },
      { name: 'query', canShrink: true, min: 20 },
      { name: 'from' },
      { name: 'to' },
      { name: 'author' },
      { name: 'saved' },
    ],
    shown: ({ name, query, from, to, author, saved }) => [
      ...[name, query, time(from) ?? '', time(to) ?? '', author, formatTime(saved, zone)],
    ],
    names: ['name', 'query', 'from', 'to', 'author', 'saved'],
    cells: ({ name, query, from, to, author, saved }) => [
      ...[name, query, time(from), time(to), author, formatTime(saved, zone)],
    ],
  };
}
