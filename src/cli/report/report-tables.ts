import type { Report, ServiceGroup, ServiceReport } from '../../analysis/index.ts';
import type { StoredLog } from '../../case/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { statementsOf } from '../output/investigation-lines.ts';
import { escapeMarkdown, markdownHead, markdownRow } from '../output/output-format.ts';
import { arrivalText, formatSeconds, formatShare, noElapsedNote } from '../output/services.ts';
import { drawSparkline } from '../output/sparkline.ts';
import { formatTime } from '../terminal/time-format.ts';
import { firstPage, type ReportStyle } from './first-page.ts';

/** Maximum number of characters of a message and of a stack trace. */
const longest = { message: 1000, stack: 4000 } as const;

/** Returns the sections of a report that are tables, in their order. Every format shows the same ones. */
export function reportTables(report: Report, { zone, isCluster }: ReportStyle): readonly ReportTable[] {
  return [
    investigationTable(report, zone),
    detectionsTable(report),
    sourcesTable(report),
    failuresTable(report),
    ...serviceTables(report, zone),
    patternsTable(report),
    notesTable(report),
    searchesTable(report),
    logsTable(report),
    coverageTable(report),
    partsTable(report, isCluster),
  ].filter(({ id, rows }) => 0 < rows.length || required.has(id));
}

/** Tables that say so where they are empty. */
const required: ReadonlySet<string> = new Set(['failures', 'services', 'times']);

function investigationTable({ investigation }: Report, zone: TimeZone): ReportTable {
  const statements = statementsOf(investigation, zone);
  return {
    id: 'investigation',
    title: 'What changed',
    total: statements.length,
    isFiltered: false,
    about: 'Changes that chance does not explain. What came before is listed, not as a cause.',
    columns: toColumns({ about: 'text', finding: 'message', query: 'code' }),
    rows: statements.map(({ label, text, query }) => ({
      cells: [label, cut(text, longest.message), query],
    })),
  };
}

function detectionsTable({ detections }: Report): ReportTable {
  return {
    id: 'detections',
    title: 'Detections',
    total: detections.length,
    isFiltered: true,
    about: 'Rules of this program that found something.',
    columns: toColumns({
      severity: 'text',
      rule: 'message',
      logs: 'count',
      occurrences: 'count',
      first: 'time',
      last: 'time',
    }),
    rows: detections.map(({ level, title, count, occurrences, first, last }) => ({
      cells: [level, title, count, occurrences, first, last],
      first,
      last,
    })),
  };
}

function sourcesTable({ sources }: Report): ReportTable {
  return {
    id: 'services',
    title: 'Services',
    total: sources.total,
    isFiltered: true,
    about:
      'Logs by source. Elapsed times are of logs that have one, in seconds: the median, the 95th percentile and the longest.',
    columns: toColumns({
      source: 'text',
      logs: 'count',
      severe: 'count',
      warnings: 'count',
      users: 'count',
      first: 'time',
      last: 'time',
      measured: 'count',
      median: 'seconds',
      p95: 'seconds',
      longest: 'seconds',
    }),
    rows: sources.values.map((value) => ({
      cells: [
        ...[
          value.source ?? '(none)',
          value.count,
          value.severe,
          value.warnings,
          value.users,
          value.first,
          value.last,
        ],
        ...[value.measured, value.median, value.p95, value.longest],
      ],
      first: value.first,
      last: value.last,
      sources: [value.source ?? ''],
      ...(value.source !== undefined && { service: value.source }),
    })),
  };
}

function failuresTable({ failures }: Report): ReportTable {
  return {
    id: 'failures',
    title: 'Errors',
    total: failures.total,
    isFiltered: true,
    about: 'Severe logs and warnings by code, with the message of the first one.',
    columns: toColumns({
      level: 'text',
      code: 'id',
      logs: 'count',
      first: 'time',
      last: 'time',
      source: 'text',
      sources: 'count',
      users: 'count',
      id: 'id',
      message: 'message',
    }),
    rows: failures.values.map((value) => ({
      cells: [
        ...[
          value.level,
          value.code,
          value.count,
          value.first,
          value.last,
          value.source,
          value.sources,
          value.users,
        ],
        ...[String(value.id), cut(value.message ?? '', longest.message)],
      ],
      first: value.first,
      last: value.last,
      levels: [value.level],
      ...(value.sources === 1 && { sources: [value.source ?? ''] }),
    })),
  };
}

function patternsTable({ patterns }: Report): ReportTable {
  return {
    id: 'patterns',
    title: 'Patterns',
    total: patterns.total,
    isFiltered: true,
    about:
      'Messages that differ only in their values: those of severe logs and warnings first, then the most frequent. All logs are counted.',
    columns: toColumns({
      id: 'id',
      logs: 'count',
      'over time': 'spark',
      first: 'time',
      last: 'time',
      level: 'text',
      source: 'text',
      pattern: 'message',
      query: 'code',
    }),
    rows: patterns.values.map((pattern) => ({
      cells: [
        ...[
          pattern.id,
          pattern.count,
          pattern.buckets,
          pattern.first,
          pattern.last,
          pattern.levels[0]?.value,
        ],
        ...[pattern.sources[0]?.value, cut(pattern.template, longest.message), pattern.query],
      ],
      first: pattern.first,
      last: pattern.last,
      levels: pattern.levels.map(({ value }) => value.toUpperCase()),
      sources: pattern.sources.map(({ value }) => value),
    })),
  };
}

function notesTable({ notes }: Report): ReportTable {
  return {
    id: 'notes',
    title: 'Notes',
    total: notes.length,
    isFiltered: false,
    about: '',
    columns: toColumns({
      note: 'id',
      written: 'time',
      author: 'text',
      logs: 'code',
      tags: 'text',
      comment: 'message',
    }),
    rows: notes.map(({ note, written, author, logs, tags, text }) => ({
      cells: [String(note), written, author, logs.join(', '), tags.join(', '), text || '(bookmark)'],
    })),
  };
}

function searchesTable({ searches }: Report): ReportTable {
  return {
    id: 'searches',
    title: 'Saved searches',
    total: searches.length,
    isFiltered: false,
    about: '',
    columns: toColumns({ name: 'text', query: 'code', author: 'text', saved: 'time' }),
    rows: searches.map(({ name, query, author, saved }) => ({ cells: [name, query, author, saved] })),
  };
}

function logsTable({ sample, logs }: Report): ReportTable {
  const isAll = sample.length === logs;
  return {
    id: 'logs',
    title: 'Logs',
    total: logs,
    isFiltered: true,
    about: isAll
      ? 'All logs, in the order of time.'
      : 'A choice of logs in the order of time: the most severe levels first, of a level that does not fit some of each interval, and all logs with notes.',
    columns: toColumns({
      time: 'time',
      level: 'text',
      source: 'text',
      code: 'id',
      user: 'text',
      request: 'code',
      id: 'id',
      message: 'message',
    }),
    rows: sample.map(logRow),
  };
}

function logRow({ id, log }: StoredLog): ReportRow {
  const { time, logLevel, source, logCode, username, requestID, msg = '', stackTraces } = log;
  return {
    cells: [
      ...[time, logLevel, source, logCode === undefined ? undefined : String(logCode), username, requestID],
      ...[String(id), cut(msg, longest.message)],
    ],
    first: time,
    last: time,
    levels: [logLevel?.toUpperCase() ?? ''],
    sources: [source ?? ''],
    ...(stackTraces !== undefined && { more: cut(stackTraces, longest.stack) }),
  };
}

function coverageTable({ requested, gaps, exportedOnly: only }: Report): ReportTable {
  const complete = requested.filter(({ state }) => state === 'complete').length;
  const count =
    only === undefined
      ? `${complete} of ${requested.length} requested intervals are complete.`
      : `${complete} of ${requested.length} requested intervals were received as requested: ${only}.`;
  return {
    id: 'coverage',
    title: 'Coverage',
    total: gaps.length,
    isFiltered: false,
    about: `${count} Listed are the times whose logs are not: capped, not received (open) or never requested.`,
    columns: toColumns({ from: 'time', to: 'time', state: 'text' }),
    rows: gaps.map(({ oldest, newest, state }) => ({ cells: [oldest, newest, state] })),
  };
}

function withoutChain(isCluster: boolean): string {
  return isCluster
    ? 'A cluster keeps no record of actions; a case has one.'
    : 'There is no record of actions: it is gone, or the logs are in no case file.';
}

function partsTable({ evidence: { parts, head, unreadable } }: Report, isCluster: boolean): ReportTable {
  const chain = head
    ? `The chain of hashes has ${head.number} actions; its last hash is ${head.hash}. "logquarry verify" compares the case with it.`
    : withoutChain(isCluster);
  return {
    id: 'evidence',
    title: 'Evidence',
    total: parts.length,
    isFiltered: false,
    about: `Files that the logs were read from, with the SHA-256 of each. ${chain} ${unreadable} records could not be read.`,
    columns: toColumns({
      part: 'id',
      file: 'text',
      entry: 'text',
      logs: 'count',
      unreadable: 'count',
      zone: 'text',
      added: 'time',
      'SHA-256': 'code',
    }),
    rows: parts.slice(0, mostParts).map((part) => ({
      cells: [
        ...[String(part.part), part.file, part.entry, part.logs, part.unreadable, part.zone ?? 'UTC'],
        ...[part.added, part.fileSha256],
      ],
    })),
  };
}

/** Maximum number of listed parts. */
const mostParts = 1000;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
}

/**
 * Returns the sections of a report on requests, as "logquarry services" prints them: the times by service, the waits,
 * the ranges of times, and the slowest requests. Errors by code are a section of their own.
 */
function serviceTables({ services }: Report, zone: TimeZone): readonly ReportTable[] {
  return [timesTable(services, zone), waitsTable(services), responsesTable(services), slowestTable(services)];
}

const statistics = ['min', 'mean', 'p50', 'p75', 'p90', 'p95', 'p99', 'max', 'deviation', 'sum'] as const;

function timesTable({ groups, total, background, arrivals }: ServiceReport, zone: TimeZone): ReportTable {
  const measured = groups.filter(({ elapsed }) => elapsed);
  const rate = arrivals ? ` Arrivals: ${arrivalText(arrivals, zone)}.` : '';
  const rest = background === 0 ? '' : ` ${background} measured logs belong to no request.`;
  return {
    id: 'times',
    title: 'Times of requests',
    total: measured.length,
    isFiltered: true,
    about: total.elapsed
      ? `Measured requests by service, the largest sum of times first. Times are in seconds.${rate}${rest}`
      : noElapsedNote,
    columns: toColumns({
      service: 'text',
      requests: 'count',
      share: 'share',
      errors: 'count',
      warnings: 'count',
      min: 'seconds',
      mean: 'seconds',
      P50: 'seconds',
      P75: 'seconds',
      P90: 'seconds',
      P95: 'seconds',
      P99: 'seconds',
      max: 'seconds',
      dev: 'seconds',
      sum: 'seconds',
      'sum share': 'share',
    }),
    rows: measured.map((group) => ({
      cells: [
        ...[nameOf(group), group.requests, group.share, group.errors, group.warnings],
        ...statistics.map((name) => group.elapsed?.[name]),
        group.sumShare,
      ],
      ...filterFacts(group),
    })),
  };
}

function waitsTable({ groups }: ServiceReport): ReportTable {
  const waiting = groups.filter(({ wait }) => wait);
  return {
    id: 'waits',
    title: 'Waiting times',
    total: waiting.length,
    isFiltered: true,
    about: 'Seconds that requests waited for a free instance, by messages of code 7615.',
    columns: toColumns({
      service: 'text',
      waits: 'count',
      mean: 'seconds',
      P50: 'seconds',
      P95: 'seconds',
      P99: 'seconds',
      max: 'seconds',
      sum: 'seconds',
    }),
    rows: waiting.map((group) => ({
      cells: [
        ...[nameOf(group), group.wait?.count],
        ...(['mean', 'p50', 'p95', 'p99', 'max', 'sum'] as const).map((name) => group.wait?.[name]),
      ],
      ...filterFacts(group),
    })),
  };
}

function responsesTable({ responses, total }: ServiceReport): ReportTable {
  return {
    id: 'responses',
    title: 'Response times',
    total: responses.length,
    isFiltered: false,
    about: 'Requests by the time that they took.',
    columns: toColumns({ seconds: 'text', requests: 'count', share: 'share' }),
    rows: responses.map(({ from, to, count }) => ({
      cells: [to === undefined ? `${from} and more` : `${from} to ${to}`, count, count / total.requests],
    })),
  };
}

function slowestTable({ slowest }: ServiceReport): ReportTable {
  return {
    id: 'slowest',
    title: 'Slowest requests',
    total: slowest.length,
    isFiltered: true,
    about: 'Measured requests, the slowest first. "logquarry trace ID" shows all logs of one.',
    columns: toColumns({
      seconds: 'seconds',
      time: 'time',
      code: 'id',
      service: 'text',
      method: 'text',
      user: 'text',
      request: 'code',
    }),
    rows: slowest.map(({ took, time, code, service, method, user, request }) => ({
      cells: [took, time, textOf(code), service, method, user, request],
      first: time,
      last: time,
      sources: [service ?? ''],
    })),
  };
}

function nameOf({ key }: ServiceGroup): string {
  return textOf(key.service) ?? '(none)';
}

function filterFacts({ key, first, last }: ServiceGroup): Omit<ReportRow, 'cells'> {
  return { first, last, sources: [textOf(key.service) ?? ''] };
}

function textOf(value: string | number | bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/**
 * Kind of a column, by which each format aligns and writes its cells. Times are milliseconds since the epoch, shares
 * 0 to 1.
 */
type ColumnKind = 'text' | 'message' | 'code' | 'id' | 'count' | 'seconds' | 'share' | 'time' | 'spark';

/** A column of a table of a report. */
export interface ReportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A cell: a list of numbers for a sparkline, undefined for no value. */
export type ReportCell = string | number | readonly number[] | undefined;

/** A row, and the facts by which a page filters it. */
export interface ReportRow {
  readonly cells: readonly ReportCell[];
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** Levels in capitals; absent for a row of no level, which no level hides. */
  readonly levels?: readonly string[];
  readonly sources?: readonly string[];
  /** Source whose logs, severe logs and warnings are the cells 1, 2 and 3: a page counts them again. */
  readonly service?: string;
  /** Long text that is shown on demand. */
  readonly more?: string;
}

/** A section of a report that is a table. */
export interface ReportTable {
  /** Identifier for links, of small letters. */
  readonly id: string;
  readonly title: string;
  /** A sentence on what the table holds; empty for none. */
  readonly about: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** Number of all rows, more than those listed. */
  readonly total: number;
  /** True if the time, level, source and text of a page filter its rows. */
  readonly isFiltered: boolean;
}

/** Makes columns of kinds by name. */
function toColumns(kinds: Readonly<Record<string, ColumnKind>>): readonly ReportColumn[] {
  return Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
}

/** Reports if cells of a kind are numbers that a reader compares or adds up. */
export function isNumericKind(kind: ColumnKind): boolean {
  return kind === 'count' || kind === 'seconds' || kind === 'share';
}

/** Rows of a table in Markdown, which is read as text. */
const mostRows = 50;

/** Formats a report as Markdown. Markup in texts of logs is escaped. */
export function reportMarkdown(report: Report, face: ReportStyle): string {
  const { zone } = face;
  const { title, byline: made, note, lead, figures, scope, summary } = firstPage(report, face);
  const named = ({ name, text }: { readonly name: string; readonly text: string }) =>
    `- ${name}: ${escapeMarkdown(text)}`;
  return [
    `# ${escapeMarkdown(title)}\n`,
    `${escapeMarkdown(made)}\n`,
    ...(note === undefined ? [] : note.split('\n').map((line) => `> ${escapeMarkdown(line)}`)),
    ...(note === undefined ? [] : ['']),
    `${escapeMarkdown(lead)}\n`,
    ...figures.map(named),
    '\n## What this report covers\n',
    ...scope.map(named),
    ...summary.map((line) => `- ${escapeMarkdown(line)}`),
    '\n## What the data cannot say\n',
    ...report.limitations.map(({ text }) => `- ${escapeMarkdown(text)}`),
    '',
    ...reportTables(report, face).map((table) => tableText(table, zone)),
  ].join('\n');
}

function tableText({ title, about, columns, rows, total }: ReportTable, zone: TimeZone): string {
  const shown = rows.slice(0, mostRows);
  const rest = total - shown.length;
  return [
    `## ${title}\n`,
    ...(about === '' ? [] : [`${escapeMarkdown(about)}\n`]),
    ...(rows.length === 0
      ? ['None.\n']
      : [
          markdownHead(columns.map((column) => column.name)) +
            shown
              .map(({ cells }) =>
                markdownRow(columns.map((column, at) => reportCellText(cells[at], column, zone))),
              )
              .join(''),
        ]),
    ...(0 < rest ? [`${rest} more are not listed.\n`] : []),
  ].join('\n');
}

/** Formats a cell as plain text. */
export function reportCellText(cell: ReportCell, { kind }: ReportColumn, zone: TimeZone): string {
  if (cell === undefined) return '';
  if (typeof cell === 'object') return drawSparkline(cell);
  if (typeof cell === 'string') return cell;
  if (kind === 'time') return formatTime(cell, zone);
  if (kind === 'share') return formatShare(cell);
  return kind === 'seconds' ? formatSeconds(cell) : cell.toLocaleString('en-US');
}
