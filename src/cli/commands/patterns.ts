import {
  countLogs,
  type DescribedPattern,
  describePattern,
  expandFuzzy,
  findPatterns,
  type MessagePattern,
  type CountedValue as PatternValue,
} from '../../analysis/index.ts';
import type { Case } from '../../case/index.ts';
import { parse, resolve } from '../../language/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { explainFewResults, noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources } from '../input/open-sources.ts';
import { levelStyle } from '../output/log-output.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import { drawSparkline } from '../output/sparkline.ts';
import type { patternsSpec } from '../specs/analysis-specs.ts';
import { formatCount, formatNumber, printPieces } from '../terminal/progress.ts';
import { escapeUnsafe, toJson, wrapLines } from '../terminal/text.ts';
import { formatRange, formatTime } from '../terminal/time-format.ts';

/** Groups messages into patterns. */
export const patternsCommand: RunCommand<typeof patternsSpec> = async (call) => {
  const { arguments: values, options, terminal } = call;
  const format = readPrintedFormat(options);
  const logZone = logZoneOf(options);
  const filtered = { query: options.search, engine: options.engine, options, now: Date.now() };
  const scored = readFilteredQuery(filtered, terminal);
  if (!scored) return exitCodes.no;
  await using sources = await openSources(
    values.source,
    { logZone, clusters: { copied: scored.filter } },
    terminal,
  );
  await noteNewestLog(sources, filtered, terminal);
  const { filter } = await expandFuzzy(sources.logs, scored);
  if (options.id !== undefined) {
    const pattern = await describePattern(sources.cases, { filter, id: options.id });
    if (!pattern) {
      terminal.message(`No single pattern of these logs has an id that begins with "${options.id}".`);
      return exitCodes.no;
    }
    const selected = await selectedBy(pattern, sources);
    const lines = [...describedLines(pattern, options.zone), ...othersLines(pattern, selected)];
    const text = wrapLines(lines.join('\n'), terminal.stdout.width);
    await terminal.print(`${format === 'json' ? toJson({ ...pattern, selected }, 2) : text}\n`);
    return sources.outcome;
  }
  const { total, buckets, patterns: all } = await findPatterns(sources.cases, { filter });
  const since = options.newSince?.(Date.now(), options.zone);
  const chosen = all.filter(({ first }) => since === undefined || (first !== undefined && since <= first));
  const sorted = options.rare ? chosen.toReversed() : chosen;
  const shown = sorted.slice(0, options.limit(terminal.stdout));
  const rest = sorted.length - shown.length;
  if (format === 'json') {
    await terminal.print(`${toJson({ total, buckets, patterns: shown, others: rest }, 2)}\n`);
    return sources.outcome;
  }
  await printPieces(formatRows(rowsOf(shown, total), format, terminal.stdout), terminal);
  const more = rest === 0 ? '' : `, ${formatNumber(rest)} more with --limit ${sorted.length}`;
  terminal.message(`${formatCount(sorted.length, 'pattern')} of ${formatCount(total, 'log')}${more}.`);
  if (format === 'table') await explainFewResults(sources, { ...filtered, count: total }, terminal);
  return sources.outcome;
};

/** Counts the logs that the query of a pattern selects; undefined without one. */
async function selectedBy(
  { query }: DescribedPattern,
  { cases }: { readonly cases: readonly Case[] },
): Promise<number | undefined> {
  if (query === undefined) return undefined;
  const filter = resolve(parse(query).query);
  const counts = await Promise.all(cases.map((from) => countLogs(from, filter)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Says how many logs besides those of the pattern its query selects, if any. */
function othersLines({ count }: DescribedPattern, selected = count): readonly string[] {
  if (selected <= count) return [];
  return [
    `The query selects ${formatCount(selected, 'log')}: ${formatNumber(selected - count)} more than are of this pattern here.`,
  ];
}

function rowsOf(patterns: readonly MessagePattern[], total: number): Rows<MessagePattern> {
  return {
    items: patterns,
    columns: [
      { name: 'id' },
      { name: 'logs', align: 'right' },
      { name: 'share', align: 'right' },
      { name: 'level' },
      { name: 'over time' },
      { name: 'pattern' },
    ],
    shown: ({ id, count, levels, buckets, template }) => [
      id,
      formatNumber(count),
      `${((100 * count) / total).toFixed(1)} %`,
      { text: levels[0]?.value ?? '', style: levelStyle(levels[0]?.value ?? '') },
      drawSparkline(buckets),
      template === '' ? '(no message)' : template,
    ],
    names: ['id', 'logs', 'first', 'last', 'level', 'source', 'pattern', 'query'],
    cells: ({ id, count, first, last, levels, sources, template, query }) => [
      id,
      count,
      first === undefined ? undefined : formatTime(first),
      last === undefined ? undefined : formatTime(last),
      levels[0]?.value,
      sources[0]?.value,
      template,
      query,
    ],
  };
}

/** Values listed for each field and place. */
const mostListed = 5;

function describedLines(pattern: DescribedPattern, zone: TimeZone): readonly string[] {
  const { id, template, count, first, last, buckets, query, excludeQuery, places } = pattern;
  const span =
    first === undefined || last === undefined
      ? 'without times'
      : formatRange({ oldest: first, newest: last }, zone);
  return [
    `${id}  ${template === '' ? '(no message)' : template}`,
    `${formatCount(count, 'log')}, ${span}`,
    ...(buckets.some((bucket) => 0 < bucket) ? [`over time: ${drawSparkline(buckets).trimEnd()}`] : []),
    ...[
      ['level', pattern.levels] as const,
      ['source', pattern.sources] as const,
      ['user', pattern.users] as const,
    ].map(([name, values]) => `${name}: ${listed(values, 0)}`),
    ...places.map(({ mask, values, others }, index) => `${index + 1}. ${mask}: ${listed(values, others)}`),
    ...(query === undefined ? [] : [`include: ${query}`, `exclude: ${excludeQuery}`]),
  ].map(escapeUnsafe);
}

/** The most frequent values with their logs, and the number of other values. */
function listed(values: readonly PatternValue[], others: number): string {
  const shown = values
    .slice(0, mostListed)
    .map(({ value, count }) => `${value || '(none)'} ${formatNumber(count)}`);
  const rest = values.length - shown.length;
  const more = rest === 0 ? [] : [`${0 < others ? 'over ' : ''}${formatNumber(rest)} other values`];
  return [...shown, ...more].join(', ');
}
