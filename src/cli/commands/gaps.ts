import { type FoundSilences, findSilences } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources } from '../input/open-sources.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import { requestedOf } from '../output/overview.ts';
import type { gapsSpec } from '../specs/analysis-specs.ts';
import { formatCount, formatDuration, formatNumber, printPieces } from '../terminal/progress.ts';
import { toJson } from '../terminal/text.ts';
import { formatSecond, formatTime, timeHeading } from '../terminal/time-format.ts';

/** Lists silences of sources, and times that were not exported. */
export const gapsCommand: RunCommand<typeof gapsSpec> = async ({ arguments: values, options, terminal }) => {
  const format = readPrintedFormat(options);
  const now = Date.now();
  const scored = readFilteredQuery({ query: undefined, engine: undefined, options, now }, terminal);
  if (!scored) return exitCodes.no;
  await using sources = await openSources(
    values.source,
    { logZone: logZoneOf(options), clusters: { copied: scored.filter } },
    terminal,
  );
  await noteNewestLog(sources, { options, now }, terminal);
  const { lulls, ...found } = await findSilences(sources.cases, {
    filter: scored.filter,
    requested: await requestedOf(sources.logs),
    ...(options.atLeast !== undefined && { min: options.atLeast }),
  });
  if (format === 'json') {
    await terminal.print(`${toJson(found, 2)}\n`);
    return sources.outcome;
  }
  const gaps = gapsOf(found);
  const shown = gaps.slice(0, options.limit(terminal.stdout));
  const rest = gaps.length - shown.length;
  if (0 < shown.length || format !== 'table')
    await printPieces(formatRows(rowsOf(shown, options.zone), format, terminal.stdout), terminal);
  const more = rest === 0 ? '' : ` ${formatNumber(rest)} more with --limit ${gaps.length}.`;
  terminal.message(`${summaryOf(found)}${more}`);
  return sources.outcome;
};

/** Few logs are no gap: an investigation names them. */
type Gaps = Omit<FoundSilences, 'lulls'>;

/** A line of the table. Times are milliseconds since the epoch. */
interface Gap {
  readonly kind: 'silent' | 'never requested' | 'not exported yet' | 'capped';
  readonly from: number;
  readonly to: number;
  readonly source: string;
  readonly expected?: number;
  readonly otherDays?: number;
  readonly note: string;
}

const stateNames = { never: 'never requested', open: 'not exported yet', capped: 'capped' } as const;

/** Silences and unknown times in one order. */
function gapsOf({ silences, notExported }: Gaps): readonly Gap[] {
  return [
    ...silences.map(
      ({ from, to, isOpen, expected, otherDays, source }): Gap => ({
        kind: 'silent',
        from,
        to,
        expected: Math.round(expected),
        otherDays,
        source: source === undefined ? '(all sources)' : source === '' ? '(no source)' : source,
        note: isOpen ? 'to the end of the logs' : '',
      }),
    ),
    ...notExported.map(
      ({ oldest, newest, state }): Gap => ({
        kind: stateNames[state],
        from: oldest,
        to: newest,
        source: '(all sources)',
        note: '',
      }),
    ),
  ].sort((first, second) => first.from - second.from);
}

function rowsOf(gaps: readonly Gap[], zone: TimeZone): Rows<Gap> {
  return {
    items: gaps,
    columns: [
      { name: timeHeading('from', zone) },
      { name: 'to' },
      { name: 'length', align: 'right' },
      { name: 'expected', align: 'right' },
      { name: 'gap' },
      { name: 'source' },
    ],
    shown: ({ from, to, kind, expected, source, note }) => [
      formatSecond(from, zone),
      formatSecond(to, zone),
      formatDuration(to - from),
      expected === undefined ? '' : formatNumber(expected),
      note === '' ? kind : `${kind} ${note}`,
      source,
    ],
    names: ['from', 'to', 'seconds', 'expected', 'gap', 'source', 'otherDays'],
    cells: ({ from, to, kind, expected, source, otherDays }) => [
      formatTime(from, zone),
      formatTime(to, zone),
      (to - from) / 1000,
      expected,
      kind,
      source,
      otherDays,
    ],
  };
}

function summaryOf({ silences, notExported, sources, logs }: Gaps): string {
  const found = silences.length === 0 ? 'No silence' : formatCount(silences.length, 'silence');
  const alone = silences.filter(({ otherDays }) => otherDays === 0).length;
  const sentences = [
    `${found} of ${formatCount(sources, 'source')} in ${formatCount(logs, 'log')} beyond what their rhythm explains.`,
    ...(alone === 0
      ? []
      : [
          `No other day has logs to compare with for ${formatNumber(alone)}: a source that rests at these hours looks the same.`,
        ]),
    ...(notExported.length === 0
      ? []
      : [`${formatCount(notExported.length, 'time')} not exported as a whole.`]),
  ];
  return sentences.join(' ');
}
