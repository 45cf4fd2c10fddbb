import {
  type ComparedIntervals,
  coveredTime,
  cutInterval,
  type Difference,
  expandFuzzy,
  type FoundDifferences,
  type FoundLatencyShifts,
  findDifferences,
  findLatencyShifts,
  findUpgrades,
  type Interval,
  type LatencyShift,
  type LogSelection,
  selectIntervals,
} from '../../analysis/index.ts';
import {
  boolFilter,
  disMaxFilter,
  type Filter,
  matchAllFilter,
  parse,
  resolve,
} from '../../language/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readTime } from '../command-line/option.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources, type Sources } from '../input/open-sources.ts';
import { readScoredFilter } from '../input/read-query.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import { requestedOf } from '../output/overview.ts';
import type { diffSpec } from '../specs/analysis-specs.ts';
import { formatCount, formatNumber, printPieces } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Compares two sets of logs. */
export const diffCommand: RunCommand<typeof diffSpec> = async ({ arguments: values, options, terminal }) => {
  const format = readPrintedFormat(options);
  const logZone = logZoneOf(options);
  const [first, second, ...named] = values.source;
  const { upgrade } = options;
  if (first === undefined || (second === undefined && upgrade === undefined))
    throw new UsageError(
      'diff requires BEFORE and AFTER: two sources, or two intervals or queries and their sources',
    );
  if (values.source.filter((source) => source === '-').length > 1)
    throw new UsageError('"-" can be given once: the standard input is read to its end by the first one');
  const areSides = upgrade === undefined && 0 < named.length;
  const [before, after] = areSides
    ? [first, second ?? ''].map((text) => readSide(text, options, terminal))
    : [];
  if (areSides && (!before || !after)) return exitCodes.no;
  const paths = upgrade !== undefined ? values.source : areSides ? named : [first];
  const { search: query, engine } = options;
  const shared = readFilteredQuery(
    { query, engine, options: { ...options, ...noTimes }, now: Date.now() },
    terminal,
  );
  if (!shared) return exitCodes.no;
  const either = before && after ? disMaxFilter([before.filter, after.filter]) : matchAllFilter;
  // The messages of upgrades are looked for in all logs.
  const copied = upgrade === undefined ? boolFilter({ must: [either, shared.filter] }) : matchAllFilter;
  const sourceOptions = { logZone, clusters: { copied } };
  await using sources = await openSources(paths, sourceOptions, terminal);
  await using others =
    upgrade !== undefined || areSides
      ? undefined
      : await openSources([second ?? ''], sourceOptions, terminal);
  const sides =
    upgrade === undefined
      ? ([before, after] as const)
      : await aroundUpgrade(sources, { upgrade, zone: options.zone }, terminal);
  if (!sides) return exitCodes.no;
  const asked = sides.map((side) => side?.interval);
  const covered = asked.some((interval) => interval) ? await spanOf(sources) : undefined;
  const cuts = asked.map((interval) => interval && cutInterval(interval, covered));
  const outside = cuts.findIndex((cut, index) => asked[index] && !cut);
  if (outside !== -1) {
    const times = covered ? `from ${rangeText(covered, options.zone)}` : 'without times';
    terminal.message(
      `The interval ${sideNames[outside]} is outside of all logs, which are ${times}: nothing to compare.`,
    );
    return exitCodes.no;
  }
  const { sameHours, ...selections } =
    cuts[0] && cuts[1]
      ? selectIntervals(await selectionOf(sources, undefined, shared.filter), {
          before: cuts[0],
          after: cuts[1],
        })
      : {
          before: await selectionOf(sources, sides[0], shared.filter),
          after: await selectionOf(others ?? sources, sides[1], shared.filter),
        };
  const found = await findDifferences(selections);
  const latencies = await findLatencyShifts(selections);
  const shown = { ...found, groups: found.groups.slice(0, options.limit(terminal.stdout)) };
  const rest = found.groups.length - shown.groups.length;
  if (format === 'json') {
    const { shifts, compared } = latencies;
    await terminal.print(
      `${toJson({ ...shown, others: rest, latencies: shifts, latenciesCompared: compared, ...(sameHours && { sameHours }) }, 2)}\n`,
    );
  } else {
    await printPieces(formatRows(rowsOf(shown, latencies.shifts), format, terminal.stdout), terminal);
    terminal.message(summaryOf(found, latencies, rest));
  }
  for (const [index, cut] of cuts.entries())
    if (cut && (cut.oldest !== asked[index]?.oldest || cut.newest !== asked[index]?.newest))
      terminal.message(
        `The interval ${sideNames[index]} is cut to the time of the logs, for the rates: ${rangeText(cut, options.zone)}.`,
      );
  if (sameHours) terminal.message(sameHoursText(sameHours, options.zone));
  return others?.outcome ?? sources.outcome;
};

const sideNames = ['BEFORE', 'AFTER'] as const;

function rangeText({ oldest, newest }: Interval, zone: TimeZone): string {
  return `${formatTime(oldest, zone)} to ${formatTime(newest, zone)}`;
}

function sameHoursText({ side, parts }: NonNullable<ComparedIntervals['sameHours']>, zone: TimeZone): string {
  const [long, short] = side === 'before' ? sideNames : sideNames.toReversed();
  const [first] = parts;
  const example = first ? ` (${1 < parts.length ? 'the first ' : ''}${rangeText(first, zone)})` : '';
  return `Of ${long}, only the hours of ${short} are compared, those of ${formatCount(parts.length, 'day')}${example}: other hours have other logs.`;
}

async function spanOf({ logs }: Sources): Promise<Interval | undefined> {
  return coveredTime(logs, await requestedOf(logs));
}

/** Times are those of the two sides. */
const noTimes = { from: undefined, to: undefined, last: undefined } as const;

/** All logs before and after an upgrade, up to the next one; undefined after saying that there is none. */
async function aroundUpgrade(
  { cases }: Sources,
  { upgrade: which, zone }: { readonly upgrade: 'last' | number; readonly zone: TimeZone },
  terminal: Terminal,
): Promise<readonly [Side, Side] | undefined> {
  const all = await findUpgrades(cases);
  const index = which === 'last' ? all.length - 1 : which - 1;
  const upgrade = all[index];
  if (!upgrade) {
    const known = all.length === 0 ? 'no upgrade' : formatCount(all.length, 'upgrade');
    terminal.message(
      `These logs know of ${known}: there is no ${which === 'last' ? 'last one' : `number ${which}`}.`,
    );
    return undefined;
  }
  const { message, from, to } = upgrade;
  terminal.message(
    `Upgrade of ${formatTime(from, zone)} to ${formatTime(to, zone)}: ${escapeUnsafe(message)}`,
  );
  const [earliest, latest] = [all[index - 1]?.to ?? -8.64e15, all[index + 1]?.from ?? 8.64e15];
  return [sideOf(earliest + 1, from - 1), sideOf(to + 1, latest - 1)];
}

function sideOf(oldest: number, newest: number): Side {
  return { filter: resolve(parse(`time:[${oldest} TO ${newest}]`).query) };
}

/** One side of a comparison: a filter, and its interval, if it is one. */
interface Side {
  readonly filter: LogSelection['filter'];
  readonly interval?: Interval;
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
    const filter = readScoredFilter(text, engine, terminal)?.filter;
    return filter && { filter };
  }
  if (newest <= oldest) throw new UsageError(`The interval "${text}" ends before it begins`);
  const filter = readScoredFilter(`time:[${oldest} TO ${newest}}`, engine, terminal)?.filter;
  return filter && { filter, interval: { oldest, newest: newest - 1 } };
}

async function selectionOf(
  { cases, logs }: Sources,
  side: Side | undefined,
  shared: Filter,
): Promise<LogSelection> {
  const combined = side ? boolFilter({ must: [side.filter, shared] }) : shared;
  const { filter } = await expandFuzzy(logs, { filter: combined, boosts: new Map() });
  return { cases, filter };
}

/** A difference or a shift of elapsed times, and the number of its group. */
interface Row extends Pick<Difference, 'value' | 'before' | 'after' | 'effect' | 'p' | 'query'> {
  readonly group: number;
  readonly kind: Difference['kind'] | LatencyShift['kind'];
  readonly field: string;
}

/** Each shift of elapsed times is a group; its effect is the ratio of the medians. */
function rowOfShift(shift: LatencyShift, group: number): Row {
  const { source, method, code, medianBefore, medianAfter, ...rest } = shift;
  const seconds = (value: number) => `${Number(value.toPrecision(3))} s`;
  const name = [source, method, ...(code === '' ? [] : [`(code ${code})`])]
    .filter((part) => part !== '')
    .join(' ');
  const value = `${name}: median ${seconds(medianBefore)} to ${seconds(medianAfter)}`;
  return { ...rest, group, field: 'elapsed', value, effect: Math.log2(medianAfter / medianBefore) };
}

function rowsOf({ groups }: FoundDifferences, shifts: readonly LatencyShift[]): Rows<Row> {
  const rows = [
    ...groups.flatMap(({ differences }, index) =>
      differences.map((difference): Row => ({ group: index + 1, ...difference })),
    ),
    ...shifts.map((shift, index) => rowOfShift(shift, groups.length + index + 1)),
  ];
  return {
    items: rows,
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

function summaryOf(
  { before, after, compared, groups }: FoundDifferences,
  latencies: FoundLatencyShifts,
  rest: number,
): string {
  const logs = `${formatCount(before, 'log')} before, ${formatNumber(after)} after`;
  const found = groups.length === 0 ? 'no difference' : formatCount(groups.length, 'group');
  const more = rest === 0 ? '' : `, ${formatNumber(rest)} more with --limit ${groups.length}`;
  const shifts =
    latencies.compared === 0
      ? ''
      : ` ${formatNumber(latencies.shifts.length)} of ${formatNumber(latencies.compared)} elapsed times shifted.`;
  return `${logs}: ${found} among ${formatNumber(compared)} patterns and values${more}.${shifts}`;
}
