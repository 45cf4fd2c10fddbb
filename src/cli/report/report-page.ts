import { createHash } from 'node:crypto';
import type { Report } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { drawSparkline } from '../output/sparkline.ts';
import { escapeUnsafe, escapeUnsafeLines, toJson } from '../terminal/printable.ts';
import { headlineLines, madeText, type ReportFace } from './headline-lines.ts';
import { offsetPeriods } from './offset-periods.ts';
import { reportScript } from './page-script.ts';
import { reportStyle } from './page-style.ts';
import { reportCellText } from './report-markdown.ts';
import {
  isNumericKind,
  type ReportCell,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
} from './report-table.ts';
import { reportTables } from './report-tables.ts';
import { bucketWidth, chartGeometry, timelineChart, usedLevels } from './timeline-chart.ts';

/**
 * Formats a report as a page of one file, which loads nothing and works without a network. Its only script is
 * allowed by its hash. Texts of logs are escaped; the data of the script are JSON in an element that is not run.
 */
export function reportPage(report: Report, face: ReportFace): string {
  const { name, zone } = face;
  const tables = reportTables(report, face);
  const rows = tables.flatMap((table) => (table.isFiltered ? table.rows : []));
  const numbers = new Map(rows.map((row, index) => [row, index]));
  const title = `Report of ${escapeForReport(name)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${hashOf(reportScript)}'; style-src '${hashOf(reportStyle)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${reportStyle}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="quiet">${escapeForReport(madeText(report, zone))}</p>
<nav aria-label="Sections"><ul>${tables.map(({ id, title: each }) => `<li><a href="#${id}">${escapeForReport(each)}</a></li>`).join('')}</ul></nav>
</header>
<main>
<div class="intro">
<section><h2>Summary</h2><ul>${headlineLines(report, zone).map(item).join('')}</ul></section>
<section class="limits"><h2>What the data cannot say</h2><ul>${report.limitations.map(({ text }) => item(text)).join('')}</ul></section>
</div>
<section><h2 id="timeline">Logs over time</h2>
${filterForm(report, zone)}
<noscript><p>The filters need a script, which this browser does not run.</p></noscript>
<figure><div class="chart" tabindex="0" role="region" aria-label="Logs over time">${timelineChart(report.timeline, zone)}</div><figcaption>Press and draw over the chart to choose a time.</figcaption></figure>
</section>
${tables.map((table) => tableSection(table, numbers, zone)).join('\n')}
</main>
<script type="application/json" id="data">${scriptData(report, rows, zone)}</script>
<script>${reportScript}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Escapes a text for HTML; characters that are invisible or reverse the direction become visible. */
export function escapeForReport(text: string): string {
  return markupEscaped(escapeUnsafe(text));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markupEscaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function item(text: string): string {
  return `<li>${escapeForReport(text)}</li>`;
}

function filterForm({ timeline }: Report, zone: TimeZone): string {
  const used = usedLevels(timeline);
  const levels = [...timeline.levels, ''].flatMap((level, index) =>
    used.has(index)
      ? [`<label><input type="checkbox" name="level" value="${level}" checked>${level || 'other'}</label>`]
      : [],
  );
  const sources = [...timeline.sources, undefined].map(
    (source, index) => `<option value="${index}">${escapeForReport(source ?? '(other or none)')}</option>`,
  );
  return `<form hidden aria-label="Filter">
<label>From (${escapeForReport(zone.name)})<input type="datetime-local" name="from" step="1"></label>
<label>To (${escapeForReport(zone.name)})<input type="datetime-local" name="to" step="1"></label>
<fieldset><legend>Level</legend>${levels.join('')}</fieldset>
<label>Service<select name="source"><option value="">all</option>${sources.join('')}</select></label>
<label>Text<input type="search" name="text"></label>
<button type="reset">Reset</button>
<output></output>
</form>`;
}

function tableSection(
  { id, title, about, columns, rows, total, isFiltered }: ReportTable,
  numbers: ReadonlyMap<ReportRow, number>,
  zone: TimeZone,
): string {
  const rest = total - rows.length;
  const head = columns
    .map((each) => `<th scope="col" class="${classOf(each)}">${escapeForReport(each.name)}</th>`)
    .join('');
  const body = rows.map((row) => {
    const number = isFiltered ? ` data-row="${numbers.get(row)}"` : '';
    return `<tr${number}>${columns.map((each, at) => cellHtml(row, { at, column: each, zone })).join('')}</tr>`;
  });
  return `<section id="${id}"><h2>${escapeForReport(title)}</h2>
${about === '' ? '' : `<p class="about">${escapeForReport(about)}</p>`}
<p class="none"${rows.length === 0 ? '' : ' hidden'}>None.</p>
${rows.length === 0 ? '' : `<div class="table" tabindex="0" role="region" aria-label="${escapeForReport(title)}"><table${isWide(columns) ? '' : ' class="short"'}${isFiltered ? ' data-filtered' : ''}><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`}
${0 < rest ? `<p class="quiet">${rest.toLocaleString('en-US')} more are not listed.</p>` : ''}
</section>`;
}

/** Tables of figures alone are not stretched, so that a row is read without a ruler. */
function isWide(columns: readonly ReportColumn[]): boolean {
  return columns.some(({ kind }) => kind === 'message' || kind === 'code');
}

function cellHtml(
  row: ReportRow,
  { at, column, zone }: { readonly at: number; readonly column: ReportColumn; readonly zone: TimeZone },
): string {
  const cell = row.cells[at];
  const isLast = at === row.cells.length - 1;
  const content =
    typeof cell === 'object' ? sparkline(cell) : escapeForReport(reportCellText(cell, column, zone));
  const more =
    isLast && row.more !== undefined
      ? `<details><summary>Stack trace</summary><pre>${markupEscaped(escapeUnsafeLines(row.more))}</pre></details>`
      : '';
  return `<td class="${classOf(column, cell)}">${content}${more}</td>`;
}

function classOf({ name, kind }: ReportColumn, cell?: ReportCell): string {
  if (isNumericKind(kind)) return 'number';
  const isFailure = name === 'level' && (cell === 'SEVERE' || cell === 'WARNING');
  return isFailure ? `${kind} ${cell}` : kind;
}

function sparkline(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, index) => {
    const height = Math.ceil((count / most) * 16);
    return height === 0 ? '' : `<rect x="${index * 4}" y="${16 - height}" width="3" height="${height}"/>`;
  });
  return `<svg class="spark" width="${counts.length * 4}" height="16" viewBox="0 0 ${counts.length * 4} 16" preserveAspectRatio="none" role="img" aria-label="${drawSparkline(counts).trim() || 'no time'}">${bars.join('')}</svg>`;
}

/** The data of the script. A source is the index of its name; the last index stands for all other sources. */
function scriptData({ timeline }: Report, rows: readonly ReportRow[], zone: TimeZone): string {
  const { start, every, buckets, levels, sources, cells } = timeline;
  const indexes = new Map(sources.map((source, index) => [source, index]));
  const indexOf = (source: string) => indexes.get(source) ?? sources.length;
  const data = {
    ...{ start, every, buckets, levels },
    offsets: offsetPeriods(zone, { first: start, last: start + buckets * every }),
    ...{
      left: chartGeometry.left,
      top: chartGeometry.top,
      height: chartGeometry.height,
      step: bucketWidth(timeline),
    },
    cells: cells.map(({ bucket, level, source, count }) => [bucket, level, source, count]),
    rows: rows.map(({ first, last, levels: own, sources: names, service }) => ({
      ...{ first: first ?? null, last: last ?? null },
      levels: own?.map((level) => (levels.includes(level) ? level : '')),
      sources: names && [...new Set(names.map(indexOf))],
      ...(service !== undefined && indexes.has(service) && { source: indexes.get(service) }),
    })),
  };
  // An element of a script ends at "</script", and HTML has comments in it.
  return toJson(data).replaceAll('<', '\\u003c');
}
