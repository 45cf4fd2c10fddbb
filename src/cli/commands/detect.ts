import {
  compareDetections,
  type DetectedLog,
  type Detection,
  detect,
  expandFuzzy,
  isHit,
  type RuleLevel,
  rankOfLevel,
  type UnsupportedRule,
} from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources, type Sources } from '../input/open-sources.ts';
import { readRules } from '../input/read-rules.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import { requestedOf } from '../output/overview.ts';
import type { detectSpec } from '../specs/analysis-specs.ts';
import { formatCount, formatNumber, printPieces } from '../terminal/progress.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatSecond, formatTime, timeHeading } from '../terminal/time-format.ts';

/** Occurrences of a correlation that JSON lists; `others` counts the rest. */
const mostOccurrences = 1_000;

/** Evaluates Sigma rules. */
export const detectCommand: RunCommand<typeof detectSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const format = readPrintedFormat(options);
  const filtered = { query: options.search, engine: options.engine, options, now: Date.now() };
  const scored = readFilteredQuery(filtered, terminal);
  if (!scored) return exitCodes.no;
  const compiled = await readRules(options.rules, options.mapping);
  await using sources = await openSources(
    values.source,
    { logZone: logZoneOf(options), clusters: { copied: scored.filter } },
    terminal,
  );
  await noteNewestLog(sources, filtered, terminal);
  const { filter } = await expandFuzzy(sources.logs, scored);
  const requested = await requestedOf(sources.logs);
  const found = await detect(sources.cases, compiled.rules, {
    filter,
    ...(0 < requested.length && { requested }),
  });
  const unsupported = [...compiled.unsupported, ...found.unsupported];
  const hits = found.detections.filter(isHit);
  const listed = (options.all ? found.detections : hits).toSorted(compareDetections);
  const shown = listed.slice(0, options.limit(terminal.stdout));
  const others = listed.length - shown.length;
  if (format === 'json') {
    const detections = shown.map((detection) => toJsonDetection(detection, sources));
    await terminal.print(
      `${toJson({ rules: found.detections.length, detections, others, unsupported }, 2)}\n`,
    );
  } else {
    await printPieces(formatRows(rowsOf(shown, sources, options.zone), format, terminal.stdout), terminal);
    for (const rule of unsupported) terminal.message(unsupportedLine(rule));
    const more = others === 0 ? '' : ` ${formatNumber(others)} more with --limit ${listed.length}.`;
    terminal.message(`${summaryOf(hits.length, found.detections.length, unsupported.length)}${more}`);
  }
  return outcomeOf(sources, { hits, unsupported, failOn: options.failOn });
};

function outcomeOf(
  { outcome }: Sources,
  {
    hits,
    unsupported,
    failOn,
  }: {
    readonly hits: readonly Detection[];
    readonly unsupported: readonly UnsupportedRule[];
    readonly failOn: RuleLevel | undefined;
  },
): ExitCode {
  const failing = hits.some(
    ({ rule }) => failOn !== undefined && rankOfLevel(failOn) <= rankOfLevel(rule.level),
  );
  if (failing) return exitCodes.no;
  return outcome === exitCodes.done && 0 < unsupported.length ? exitCodes.incomplete : outcome;
}

function rowsOf(detections: readonly Detection[], sources: Sources, zone: TimeZone): Rows<Detection> {
  return {
    items: detections,
    columns: [
      { name: 'level' },
      { name: 'logs', align: 'right' },
      { name: timeHeading('first', zone), dropRank: 1 },
      { name: timeHeading('last', zone), dropRank: 2 },
      { name: 'look at' },
      { name: 'rule', min: 32 },
    ],
    shown: (detection) => [
      detection.rule.level ?? '',
      formatNumber(detection.count),
      secondOf(detection.first, zone),
      secondOf(detection.last, zone),
      lookAt(detection, sources),
      `${detection.rule.title}${occurrencesOf(detection)}`,
    ],
    names: ['level', 'logs', 'occurrences', 'first', 'last', 'rule', 'id', 'query', 'sql', 'firstLog'],
    cells: ({ rule, count, occurrences, first, last }) => [
      ...[rule.level, count, occurrences?.length],
      ...[timeOf(first, zone), timeOf(last, zone), rule.title, rule.id],
      ...(rule.kind === 'detection' ? [rule.query, rule.sql] : [undefined, undefined]),
      first?.id,
    ],
  };
}

function timeOf(log: DetectedLog | undefined, zone: TimeZone): string {
  return log?.time === undefined ? '' : formatTime(log.time, zone);
}

function secondOf(log: DetectedLog | undefined, zone: TimeZone): string {
  return log?.time === undefined ? '' : formatSecond(log.time, zone);
}

/** The group of a single occurrence, or the number of several. */
function occurrencesOf({ occurrences = [] }: Detection): string {
  const [only, ...more] = occurrences;
  if (!only) return '';
  if (0 < more.length) return ` (${formatNumber(occurrences.length)} times)`;
  const group = only.group.map(({ name, value }) => `${name} ${value}`);
  return group.length === 0 ? '' : ` (${group.join(', ')})`;
}

/** A query for the logs, or the command that shows the first of them. */
function lookAt({ rule, first }: Detection, { names, areSeveral }: Sources): string {
  if (!first) return '';
  if (rule.kind === 'detection' && rule.query !== undefined) return `search '${rule.query}'`;
  return `show ${first.id}${areSeveral ? ` ${names[first.case] ?? ''}` : ''}`;
}

function toJsonDetection({ rule, occurrences, ...found }: Detection, { names }: Sources): unknown {
  const { file, document, title, id, name, level, description } = rule;
  const named = ({ case: ofCase, ...log }: DetectedLog) => ({ case: names[ofCase], ...log });
  return {
    rule: { title, id, name, level, description, file, document },
    count: found.count,
    ...(found.first && { first: named(found.first) }),
    ...(found.last && { last: named(found.last) }),
    ...(rule.kind === 'detection' && { query: rule.query, sql: rule.sql }),
    ...(occurrences && {
      occurrences: occurrences.slice(0, mostOccurrences).map((occurrence) => ({
        ...occurrence,
        first: named(occurrence.first),
        last: named(occurrence.last),
      })),
      otherOccurrences: Math.max(0, occurrences.length - mostOccurrences),
    }),
  };
}

function unsupportedLine({ file, document, title, reason }: UnsupportedRule): string {
  const location = document === undefined ? file : `${file}, document ${document}`;
  return escapeUnsafe(`Not evaluated: ${title === undefined ? '' : `"${title}" `}(${location}): ${reason}`);
}

function summaryOf(hits: number, evaluated: number, unsupported: number): string {
  const rest = unsupported === 0 ? '' : ` ${formatCount(unsupported, 'rule')} could not be evaluated.`;
  return `${formatNumber(hits)} of ${formatCount(evaluated, 'rule')} found something.${rest}`;
}
