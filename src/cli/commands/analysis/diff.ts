import {
  type Difference,
  type FoundDifferences,
  findDifferences,
  type LogSelection,
} from '../../../analysis/index.ts';
import { matchAllFilter } from '../../../meaning/filter.ts';
import { expandFuzzy } from '../../../store/index.ts';
import type { CommandCall, RunCommand } from '../../command-line/command.ts';
import { exitCodes } from '../../command-line/exit-code.ts';
import { readTime } from '../../command-line/read-time.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { logZoneOf } from '../../command-line/zone-option.ts';
import { openSources, type Sources } from '../../input/open-sources.ts';
import { readFilter } from '../../input/read-query.ts';
import { formatRows, type Rows, readPrintedFormat } from '../../output/output-format.ts';
import type { diffSpec } from '../../specs/patterns.ts';
import { printPieces } from '../../terminal/print-pieces.ts';
import { toJson } from '../../terminal/printable.ts';
import { formatCount, formatNumber } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Compares two sets of logs. */
export const diffCommand: RunCommand<typeof diffSpec> = async ({ arguments: given, options, terminal }) => {
  const format = readPrintedFormat(options);
  const logZone = logZoneOf(options);
  const [first, second, ...named] = given.source;
  if (first === undefined || second === undefined)
    throw new UsageError(
      'diff requires BEFORE and AFTER: two sources, or two intervals or queries and their sources',
    );
  const [before, after] =
    named.length === 0 ? [] : [first, second].map((text) => readSide(text, options, terminal));
  if (0 < named.length && (!before || !after)) return exitCodes.no;
  await using sources = await openSources(0 < named.length ? named : [first], { logZone }, terminal);
  await using others = 0 < named.length ? undefined : await openSources([second], { logZone }, terminal);
  const found = await findDifferences({
    before: await selectionOf(sources, others ? undefined : before),
    after: await selectionOf(others ?? sources, others ? undefined : after),
    ...(!others && before?.length && after?.length
      ? { exposure: { before: before.length, after: after.length } }
      : {}),
  });
  const shown = { ...found, groups: found.groups.slice(0, options.limit(terminal.data)) };
  const rest = found.groups.length - shown.groups.length;
  if (format === 'json') await terminal.print(`${toJson({ ...shown, others: rest }, 2)}\n`);
  else {
    await printPieces(formatRows(rowsOf(shown), format, terminal.data), terminal);
    terminal.say(summaryOf(found, rest));
  }
  return others?.outcome ?? sources.outcome;
};

/** One side of a comparison: a filter, and the length of its interval in milliseconds. */
interface Side {
  readonly filter: LogSelection['filter'];
  readonly length?: number;
}

/** Reads an interval `FROM..TO`, or a query; undefined after reporting its errors. */
function readSide(
  text: string,
  { engine, zone }: CommandCall<typeof diffSpec>['options'],
  terminal: Terminal,
): Side | undefined {
  const [from, to, ...more] = text.split('..');
  const now = Date.now();
  const oldest = from === undefined ? undefined : readTime(from, { roundUp: false, now, zone });
  const newest = to === undefined ? undefined : readTime(to, { roundUp: false, now, zone });
  if (0 < more.length || oldest === undefined || newest === undefined) {
    const filter = readFilter(text, engine, terminal);
    return filter && { filter };
  }
  if (newest <= oldest) throw new UsageError(`The interval "${text}" ends before it begins`);
  const filter = readFilter(`time:[${oldest} TO ${newest}}`, engine, terminal);
  return filter && { filter, length: newest - oldest };
}

async function selectionOf({ cases }: Sources, side: Side | undefined): Promise<LogSelection> {
  if (!side) return { cases, filter: matchAllFilter };
  const { filter } = await expandFuzzy(cases, { filter: side.filter, boosts: new Map() });
  return { cases, filter };
}

/** A difference and the number of its group. */
type Row = Difference & { readonly group: number };

function rowsOf({ groups }: FoundDifferences): Rows<Row> {
  const rows = groups.flatMap(({ differences }, index) =>
    differences.map((difference): Row => ({ group: index + 1, ...difference })),
  );
  return {
    items: each(rows),
    columns: [
      { name: 'group', align: 'right' },
      { name: 'change' },
      { name: 'before', align: 'right' },
      { name: 'after', align: 'right' },
      { name: 'rate', align: 'right' },
      { name: 'field' },
      { name: 'pattern or value' },
    ],
    shown: ({ group, kind, before, after, effect, field, value }) => [
      String(group),
      kind,
      formatNumber(before),
      formatNumber(after),
      kind === 'new' || kind === 'gone' ? '' : `×${(2 ** effect).toPrecision(2)}`,
      field,
      value === '' ? '(no message)' : value,
    ],
    names: ['group', 'change', 'before', 'after', 'effect', 'p', 'field', 'value', 'query'],
    cells: ({ group, kind, before, after, effect, p, field, value, query }) => [
      ...[group, kind, before, after, effect, p],
      ...[field, value, query],
    ],
  };
}

function summaryOf({ before, after, compared, groups }: FoundDifferences, rest: number): string {
  const logs = `${formatCount(before, 'log')} before, ${formatNumber(after)} after`;
  const found = groups.length === 0 ? 'no difference' : formatCount(groups.length, 'group');
  const more = rest === 0 ? '' : `, ${formatNumber(rest)} more with --limit ${groups.length}`;
  return `${logs}: ${found} among ${formatNumber(compared)} patterns and values${more}.`;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}
