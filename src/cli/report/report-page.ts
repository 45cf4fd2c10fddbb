import { createHash } from 'node:crypto';
import type { Report, ReportTimeline } from '../../analysis/index.ts';
import { changeBetween, type TimeZone, zoneDatabaseYears } from '../../records/index.ts';
import { drawSparkline } from '../output/sparkline.ts';
import { formatNumber } from '../terminal/progress.ts';
import { escapeUnsafe, escapeUnsafeLines, toJson } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';
import { type FirstPage, firstPage, type ReportStyle, type Step } from './first-page.ts';
import {
  isNumericKind,
  type ReportCell,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
  reportCellText,
  reportTables,
} from './report-tables.ts';

/**
 * Formats a report as a page of one file, which loads nothing and works without a network. Its only script is
 * allowed by its hash. Texts of logs are escaped; the data of the script are JSON in an element that is not run.
 */
export function reportPage(report: Report, face: ReportStyle): string {
  const { zone } = face;
  const tables = reportTables(report, face);
  const rows = tables.flatMap((table) => (table.isFiltered ? table.rows : []));
  const numbers = new Map(rows.map((row, index) => [row, index]));
  const first = firstPage(report, face);
  const title = escapeForReport(first.title);
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
<p class="quiet">${escapeForReport(first.byline)}</p>
${first.note === undefined ? '' : `<p class="note">${markupEscaped(escapeUnsafeLines(first.note))}</p>`}
</header>
<main>
<section class="lead"><h2>In short</h2><p>${escapeForReport(first.lead)}</p>
<dl>${first.figures.map(fact).join('')}</dl></section>
<figure><div class="chart" tabindex="0" role="region" aria-label="Logs over time">${timelineChart(report, first, zone)}</div>
${stepList(first)}</figure>
<div class="intro">
<section><h2>What this report covers</h2><dl>${first.scope.map(fact).join('')}</dl><ul>${first.summary.map(item).join('')}</ul></section>
<section class="limits"><h2>What the data cannot say</h2><ul>${report.limitations.map(({ text }) => item(text)).join('')}</ul></section>
</div>
<nav aria-label="Sections"><ul>${tables.map((table) => `<li><a href="#${table.id}">${escapeForReport(table.title)}</a></li>`).join('')}</ul></nav>
${filterForm(report, zone)}
<noscript><p>The filters need a script, which this browser does not run.</p></noscript>
${tables.map((table) => tableSection(table, numbers, zone)).join('\n')}
<p class="printed">${escapeForReport(notPrintedText(tables))}</p>
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

function fact({ name, text }: { readonly name: string; readonly text: string }): string {
  return `<div><dt>${escapeForReport(name)}</dt><dd>${escapeForReport(text)}</dd></div>`;
}

/** The marks of the chart in words, with the numbers that they have there. */
function stepList({ steps }: FirstPage): string {
  if (steps.length === 0) return '';
  return `<ol class="steps">${steps.map(({ text }) => item(text)).join('')}</ol>`;
}

/** Tables of a short print, with the number of rows of each; the others are left out of it. */
const printedRows: ReadonlyMap<string, number> = new Map([
  ['investigation', 40],
  ['detections', 15],
  ['services', 10],
  ['failures', 15],
  ['times', 10],
  ['notes', 40],
  ['coverage', 15],
  ['evidence', 10],
]);

function notPrintedText(tables: readonly ReportTable[]): string {
  const names = tables.filter(({ id }) => !printedRows.has(id)).map(({ title }) => title);
  const rest = names.length === 0 ? '' : ` Left out: ${names.join(', ')}.`;
  return `This is a short print.${rest} The page on a screen has every row, and prints them with "Print every row".`;
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
<label class="choice"><input type="checkbox" name="all">Print every row</label>
<p class="quiet">Press and draw over the chart to choose a time.</p>
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
    .map((column) => `<th scope="col" class="${classOf(column)}">${escapeForReport(column.name)}</th>`)
    .join('');
  const body = rows.map((row) => {
    const number = isFiltered ? ` data-row="${numbers.get(row)}"` : '';
    return `<tr${number}>${columns.map((column, at) => cellHtml(row, { at, column: column, zone })).join('')}</tr>`;
  });
  const printed = printedRows.get(id);
  const isCut = printed !== undefined && printed < rows.length;
  const short = printed === undefined ? ' class="unprinted"' : ` class="first${printed}"`;
  return `<section id="${id}"${short}><h2>${escapeForReport(title)}</h2>
${about === '' ? '' : `<p class="about">${escapeForReport(about)}</p>`}
<p class="none"${rows.length === 0 ? '' : ' hidden'}>None.</p>
${rows.length === 0 ? '' : `<div class="table" tabindex="0" role="region" aria-label="${escapeForReport(title)}"><table${isWide(columns) ? '' : ' class="short"'}${isFiltered ? ' data-filtered' : ''}><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`}
${isCut ? `<p class="quiet printed">The first ${printed} of ${formatNumber(total)} are printed.</p>` : ''}
${0 < rest ? `<p class="quiet${isCut ? ' whole' : ''}">${formatNumber(rest)} more are not listed.</p>` : ''}
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
  const max = Math.max(1, ...counts);
  const bars = counts.map((count, index) => {
    const height = Math.ceil((count / max) * 16);
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
    start,
    every,
    buckets,
    levels,
    offsets: offsetPeriods(zone, { first: start, last: start + buckets * every }),
    left: chartGeometry.left,
    top: chartGeometry.top,
    height: chartGeometry.height,
    step: bucketWidth(timeline),
    cells: cells.map(({ bucket, level, source, count }) => [bucket, level, source, count]),
    rows: rows.map(({ first, last, levels: own, sources: names, service }) => ({
      first: first ?? null,
      last: last ?? null,
      levels: own?.map((level) => (levels.includes(level) ? level : '')),
      sources: names && [...new Set(names.map(indexOf))],
      ...(service !== undefined && indexes.has(service) && { source: indexes.get(service) }),
    })),
  };
  // An element of a script ends at "</script", and HTML has comments in it.
  return toJson(data).replaceAll('<', '\\u003c');
}

/**
 * Script of the page of a report: filters the chart and the tables by time, level, source and text. It reads its
 * data from the element "data" and writes numbers and attributes only, never markup. The data are those of
 * `report-page.ts`; heights are those of `timeline-chart.ts`.
 */
const reportScript = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const form = document.querySelector('form');
const rows = [...document.querySelectorAll('tr[data-row]')].map((row) => ({
  row, facts: data.rows[Number(row.dataset.row)], text: row.textContent.toLowerCase(),
}));
const number = new Intl.NumberFormat('en-US');

function offsetAt(time) {
  return data.offsets.findLast(([from], index) => index === 0 || from <= time)[1];
}

/** First and last time at which clocks of the zone show a text. One that they skip is the change of the clocks. */
function timesOf(text) {
  const reading = Date.parse(text + (text.length === 16 ? ':00Z' : 'Z'));
  const times = data.offsets.map(([, offset]) => reading - offset).filter((time) => time + offsetAt(time) === reading);
  const change = data.offsets.find(([from]) => from + offsetAt(from - 1) <= reading && reading < from + offsetAt(from));
  return 0 < times.length || !change
    ? { first: Math.min(...times), last: Math.max(...times) }
    : { first: change[0], last: change[0] - 1 };
}

function readFilter() {
  const levels = [...form.querySelectorAll('input[name=level]')];
  return {
    from: form.elements.from.value === '' ? -Infinity : timesOf(form.elements.from.value).first,
    to: form.elements.to.value === '' ? Infinity : timesOf(form.elements.to.value).last,
    levels: new Set(levels.filter((each) => each.checked).map((each) => each.value)),
    isAllLevels: levels.every((each) => each.checked),
    source: form.elements.source.value === '' ? undefined : Number(form.elements.source.value),
    words: form.elements.text.value.toLowerCase().split(/\\s+/).filter((word) => word !== ''),
  };
}

function isShown({ facts, text }, filter) {
  const { first, last, levels, sources } = facts;
  const isLimited = filter.from !== -Infinity || filter.to !== Infinity;
  if (isLimited && (first === null || last < filter.from || filter.to < first)) return false;
  if (levels && !filter.isAllLevels && !levels.some((level) => filter.levels.has(level))) return false;
  if (sources && filter.source !== undefined && !sources.includes(filter.source)) return false;
  return filter.words.every((word) => text.includes(word));
}

/** Counts of the chosen cells by bucket and level, and by source. */
function countCells(filter) {
  const byBucket = new Map();
  const bySource = new Map();
  let total = 0;
  for (const [bucket, level, source, count] of data.cells) {
    const start = data.start + bucket * data.every;
    if (bucket < 0 ? filter.from !== -Infinity || filter.to !== Infinity
      : start + data.every <= filter.from || filter.to < start) continue;
    if (!filter.levels.has(String(data.levels[level] ?? ''))) continue;
    if (filter.source !== undefined && filter.source !== source) continue;
    total += count;
    byBucket.set(bucket + ' ' + level, (byBucket.get(bucket + ' ' + level) ?? 0) + count);
    const counts = bySource.get(source) ?? [0, 0, 0];
    counts[0] += count;
    if (level < 2) counts[level + 1] += count;
    bySource.set(source, counts);
  }
  return { byBucket, bySource, total };
}

function drawChart({ byBucket }) {
  const sums = new Map();
  for (const [key, count] of byBucket) {
    const bucket = key.split(' ')[0];
    if (0 <= Number(bucket)) sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  }
  const most = Math.max(1, ...sums.values());
  const below = new Map();
  for (const bar of document.querySelectorAll('.bars rect')) {
    const { bucket, level } = bar.dataset;
    const height = ((byBucket.get(bucket + ' ' + level) ?? 0) / most) * data.height;
    const base = below.get(bucket) ?? 0;
    below.set(bucket, base + height);
    bar.setAttribute('y', String(data.top + data.height - base - height));
    bar.setAttribute('height', String(height));
  }
  document.getElementById('most').textContent = number.format(most);
}

function markChosen(filter) {
  const mark = document.querySelector('.chosen');
  const x = (time) => data.left + ((time - data.start) / data.every) * data.step;
  const end = data.left + data.buckets * data.step;
  const from = Math.min(Math.max(x(filter.from), data.left), end);
  const to = Math.min(Math.max(x(filter.to), data.left), end);
  const isAll = filter.from === -Infinity && filter.to === Infinity;
  mark.setAttribute('x', String(from));
  mark.setAttribute('width', String(isAll ? 0 : Math.max(1, to - from)));
}

function apply() {
  const filter = readFilter();
  const counted = countCells(filter);
  if (0 < data.buckets) {
    drawChart(counted);
    markChosen(filter);
  }
  let shown = 0;
  for (const each of rows) {
    const isService = each.facts.source !== undefined;
    const counts = counted.bySource.get(each.facts.source) ?? [0, 0, 0];
    if (isService) {
      const cells = each.row.querySelectorAll('td');
      for (const [index, count] of counts.entries()) cells[index + 1].textContent = number.format(count);
    }
    each.row.hidden = !isShown(each, filter) || (isService && counts[0] === 0);
    if (!each.row.hidden && each.row.closest('#logs')) shown += 1;
  }
  for (const table of document.querySelectorAll('table[data-filtered]')) {
    const isEmpty = [...table.tBodies[0].rows].every((row) => row.hidden);
    table.closest('section').querySelector('.none').hidden = !isEmpty;
  }
  form.querySelector('output').textContent = number.format(counted.total)
    + ' logs match time, level and service; ' + number.format(shown) + ' of those listed also match the text.';
}

/** Chooses the time between two positions of the chart. */
function choose(first, second) {
  const toText = (bucket) => {
    const time = data.start + bucket * data.every;
    return new Date(time + offsetAt(time)).toISOString().slice(0, 19);
  };
  form.elements.from.value = toText(Math.min(first, second));
  form.elements.to.value = toText(Math.max(first, second) + 1);
  apply();
}

const chart = document.querySelector('.chart svg');
let pressed;
function bucketAt(event) {
  const box = chart.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width - data.left;
  return Math.min(Math.max(Math.floor(x / data.step), 0), data.buckets - 1);
}
chart?.addEventListener('pointerdown', (event) => { pressed = bucketAt(event); });
addEventListener('pointerup', (event) => {
  if (pressed !== undefined) choose(pressed, bucketAt(event));
  pressed = undefined;
});
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(apply));
form.hidden = false;
apply();
`;

/** Style of the page of a report, in light, dark and print. */
const reportStyle = `
:root {
  color-scheme: light dark;
  --text: #1c2733; --quiet: #51606f; --page: #fff; --panel: #f5f7f9; --frame: #d3dae1; --link: #0b5a9d;
  --severe: #c0262d; --warning: #b35c00; --info: #2b6cb0; --fine: #5b7f95; --verbose: #7d8b99; --debug: #98a4b0; --other: #8a6fb0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e9ef; --quiet: #a5b2bf; --page: #12181f; --panel: #1a222b; --frame: #34414e; --link: #8cc4f5;
    --severe: #ff6b6b; --warning: #f0a040; --info: #6aaef2; --fine: #8fb3c9; --verbose: #8796a5; --debug: #66727f; --other: #b79be0;
  }
}
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 0 auto; padding: 1rem; color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.25rem; scroll-margin-top: 1rem; }
a { color: var(--link); }
.quiet, .about { color: var(--quiet); }
.about { margin: 0 0 0.5rem; max-width: 60rem; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0; padding: 0; }
nav a { display: inline-block; min-height: 1.75rem; }
li { overflow-wrap: anywhere; }
.note { white-space: pre-line; overflow-wrap: anywhere; background: var(--panel); border: 1px solid var(--frame); border-left: 4px solid var(--link); padding: 0.5rem 1rem; margin: 0.5rem 0; font-weight: 600; }
.lead p { font-size: 1.25rem; line-height: 1.4; margin: 0.25rem 0 0.75rem; max-width: 70rem; overflow-wrap: anywhere; }
.lead h2 { margin-top: 1rem; }
dl { margin: 0.5rem 0; } dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
.lead dl { display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; }
.lead dt { font-size: 0.85rem; } .lead dd { font-size: 1.1rem; font-weight: 600; }
.intro dl > div { display: grid; grid-template-columns: 6rem 1fr; gap: 0 0.5rem; }
.steps { margin: 0.25rem 0 1rem; padding-left: 1.5rem; }
.printed { display: none; }
.choice { display: flex; gap: 0.25rem; align-items: center; min-height: 2rem; }
form .quiet { margin: 0; }
.intro { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.limits { border-left: 4px solid var(--warning); background: var(--panel); padding: 0.25rem 1rem; }
.intro h2 { margin-top: 0.5rem; }
.intro ul { padding-left: 1.25rem; margin: 0.5rem 0; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; background: var(--panel); border: 1px solid var(--frame); border-radius: 6px; padding: 0.75rem; margin: 1rem 0; }
form label { display: grid; font-size: 0.85rem; color: var(--quiet); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: 0 0.75rem; }
legend { font-size: 0.85rem; color: var(--quiet); padding: 0; }
fieldset label { display: flex; gap: 0.25rem; align-items: center; color: var(--text); min-height: 2rem; }
input, select, button { font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.5rem; min-height: 2rem; max-width: 100%; }
input[type=checkbox] { min-height: 0; width: 1.1rem; height: 1.1rem; }
select { max-width: 16rem; }
output { flex-basis: 100%; }
figure { margin: 0; }
svg { display: block; }
.chart { overflow-x: auto; touch-action: pan-x; cursor: crosshair; }
.chart > svg { min-width: 40rem; width: 100%; height: auto; }
text { font: 12px system-ui, sans-serif; fill: var(--quiet); }
.axis { stroke: var(--frame); }
.l0 { fill: var(--severe); } .l1 { fill: var(--warning); } .l2 { fill: var(--info); } .l3 { fill: var(--fine); }
.l4 { fill: var(--verbose); } .l5 { fill: var(--debug); } .l6 { fill: var(--other); }
.complete { fill: var(--frame); } .capped, .open, .partly { fill: var(--warning); } .never { fill: var(--severe); }
.chosen { fill: var(--link); opacity: 0.15; }
.change { fill: var(--severe); opacity: 0.16; }
.marks line { stroke: var(--text); stroke-dasharray: 3 3; } .marks circle { fill: var(--text); }
.marks text { fill: var(--page); font-weight: 700; } .marks { pointer-events: none; }
.spark rect { fill: var(--info); }
.key { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; margin: 0.25rem 0; padding: 0; font-size: 0.85rem; }
.key svg { display: inline-block; vertical-align: -1px; margin-right: 0.3rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; width: 100%; }
table.short { width: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--frame); }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.code { font-family: ui-monospace, monospace; font-size: 0.8rem; max-width: 18rem; overflow-wrap: anywhere; }
#investigation .code { min-width: 26rem; }
.id { font-family: ui-monospace, monospace; font-size: 0.8rem; white-space: nowrap; }
.text { min-width: 8rem; overflow-wrap: anywhere; }
.message { min-width: 24rem; overflow-wrap: anywhere; }
.SEVERE { color: var(--severe); font-weight: 600; } .WARNING { color: var(--warning); font-weight: 600; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.25rem 0; }
summary { cursor: pointer; color: var(--quiet); min-height: 1.5rem; }
[hidden] { display: none !important; }
@media screen and (max-width: 40rem) {
  .chart { overflow: visible; }
  .chart > svg { min-width: 0; overflow: visible; }
  .chart text { font-size: 30px; }
  .chart > svg > text[text-anchor=middle] { display: none; }
  .marks circle { r: 15px; } .chart .marks text { font-size: 22px; transform: translateY(3px); }
}
@page { size: A4 landscape; margin: 12mm; }
@media print {
  :root { color-scheme: light; --text: #000; --quiet: #444; --page: #fff; --panel: #fff; --frame: #bbb; --link: #000;
    --severe: #c0262d; --warning: #b35c00; --info: #2b6cb0; --fine: #5b7f95; --verbose: #7d8b99; --debug: #98a4b0; --other: #8a6fb0; }
  body { font-size: 9pt; line-height: 1.35; padding: 0; max-width: none; }
  form, nav, noscript { display: none; }
  h1 { font-size: 15pt; margin: 0; } h2 { font-size: 11pt; margin-top: 12pt; break-after: avoid; }
  header p { margin: 2pt 0; }
  .lead p { font-size: 12pt; margin: 2pt 0 4pt; max-width: none; } .lead h2 { margin-top: 4pt; }
  .lead dd { font-size: 11pt; } .lead dt { font-size: 8pt; } .lead dl { margin: 2pt 0 4pt; }
  .steps { margin: 2pt 0; } dl { margin: 2pt 0; }
  .intro { break-after: page; grid-template-columns: 1fr 1fr; gap: 12pt; font-size: 8.5pt; }
  .intro h2 { margin-top: 4pt; } .intro ul { margin: 2pt 0; } .limits { padding: 0 8pt; }
  .about, .none { break-after: avoid; max-width: none; }
  tr, figure { break-inside: avoid; }
  thead { display: table-header-group; }
  .table, .chart { overflow: visible; }
  .chart > svg { min-width: 0; max-height: 46mm; }
  .key { font-size: 7.5pt; margin: 0; }
  table, table.short { font-size: 7pt; line-height: 1.3; }
  th, td { padding: 1.5pt 5pt 1.5pt 0; }
  .code, .id { font-size: 6.5pt; }
  .code, #investigation .code { max-width: none; min-width: 14rem; }
  .number { white-space: nowrap; } .time, .id { white-space: normal; }
  .text { min-width: 4rem; max-width: 11rem; }
  .message { min-width: 14rem; }
  svg.spark { width: 4rem; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body:not(:has([name=all]:checked)) {
    .printed { display: block; }
    .whole, .unprinted { display: none; }
${[...new Set(printedRows.values())].map((rows) => `    .first${rows} tbody tr:nth-child(n+${rows + 1} of :not([hidden])) { display: none; }`).join('\n')}
  }
}
@page { @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
`;

/** Geometry of the chart, in units of its view box. */
const chartGeometry = { width: 1200, left: 60, top: 44, height: 180 } as const;

/** Width of a bucket in units of the view box. */
function bucketWidth({ buckets }: ReportTimeline): number {
  return (chartGeometry.width - chartGeometry.left) / Math.max(1, buckets);
}

/**
 * Draws logs over time as stacked bars by level, with the completeness of each bucket below, the main change shaded, and
 * the steps to it marked by their numbers.
 */
function timelineChart(
  { timeline, exportedOnly }: Report,
  { steps, change }: FirstPage,
  zone: TimeZone,
): string {
  const { buckets, levels, coverage } = timeline;
  const bottom = chartGeometry.top + chartGeometry.height;
  return [
    `<svg viewBox="0 0 ${chartGeometry.width} ${bottom + 40}" role="img" aria-label="Logs over time by level">`,
    `<text x="${chartGeometry.left - 6}" y="${chartGeometry.top + 10}" text-anchor="end" id="most">${mostOf(timeline).toLocaleString('en-US')}</text>`,
    `<text x="${chartGeometry.left - 6}" y="${bottom}" text-anchor="end">0</text>`,
    `<line class="axis" x1="${chartGeometry.left}" x2="${chartGeometry.width}" y1="${bottom}" y2="${bottom}"/>`,
    change ? shade(timeline, change) : '',
    `<g class="bars">${bars(timeline, zone).join('')}</g>`,
    ...coverage.map((state, index) => {
      const x = chartGeometry.left + index * bucketWidth(timeline);
      return `<rect class="${state}" x="${short(x)}" y="${bottom + 3}" width="${short(bucketWidth(timeline))}" height="5"><title>${exportedOnly !== undefined && state === 'complete' ? 'as requested, with a filter' : state}</title></rect>`;
    }),
    `<g class="marks">${marks(timeline, steps).join('')}</g>`,
    ...ticks(timeline, zone).map(
      ({ x, text, anchor }) =>
        `<text x="${short(x)}" y="${bottom + 26}" text-anchor="${anchor}">${text}</text>`,
    ),
    `<rect class="chosen" x="0" y="${chartGeometry.top}" width="0" height="${chartGeometry.height}"/>`,
    '</svg>',
    `<ul class="key">${[...levels, 'other']
      .map((level, index) => (usedLevels(timeline).has(index) ? keyEntry(`l${index}`, level) : ''))
      .join(
        '',
      )}${change ? keyEntry('change', 'main change') : ''}${coverageKey(coverage, exportedOnly)}</ul>`,
    buckets === 0 ? '<p>No log has a time.</p>' : '',
  ].join('');
}

function keyEntry(name: string, text: string): string {
  return `<li><svg width="12" height="12" aria-hidden="true"><rect class="${name}" width="12" height="12"/></svg>${text}</li>`;
}

/** What the colours below the axis say, as far as they occur. */
function coverageKey(coverage: ReportTimeline['coverage'], only: string | undefined): string {
  const found = new Set(coverage);
  const partly = (['capped', 'open', 'partly'] as const).some((state) => found.has(state));
  const complete = only === undefined ? 'all logs exported' : 'exported with a filter';
  return [
    found.has('complete') ? keyEntry('complete', complete) : '',
    partly ? keyEntry('partly', 'exported in part') : '',
    found.has('never') ? keyEntry('never', 'never exported') : '',
  ].join('');
}

/** Position of a time in the chart; times beyond it are at its ends. */
function positionOf(timeline: ReportTimeline, time: number): number {
  const { start, every, buckets } = timeline;
  const bucket = Math.min(Math.max((time - start) / every, 0), buckets);
  return chartGeometry.left + bucket * bucketWidth(timeline);
}

function shade(
  timeline: ReportTimeline,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const x = positionOf(timeline, from);
  const width = Math.max(2, positionOf(timeline, to) - x);
  return `<rect class="change" x="${short(x)}" y="${chartGeometry.top}" width="${short(width)}" height="${chartGeometry.height}"/>`;
}

/** Lines at the steps, each with its number above; one that is near the line before is a row lower or higher. */
function marks(timeline: ReportTimeline, steps: readonly Step[]): readonly string[] {
  const bottom = chartGeometry.top + chartGeometry.height;
  let before = Number.NEGATIVE_INFINITY;
  let row = 0;
  return steps.map(({ time }, index) => {
    const x = positionOf(timeline, time);
    row = Math.abs(x - before) < 24 ? 1 - row : 0;
    before = x;
    const y = 11 + row * 20;
    return `<line x1="${short(x)}" x2="${short(x)}" y1="${y}" y2="${bottom}"/><circle cx="${short(x)}" cy="${y}" r="9"/><text x="${short(x)}" y="${y + 4}" text-anchor="middle">${index + 1}</text>`;
  });
}

/** Indexes of the levels that have logs. */
function usedLevels({ cells }: ReportTimeline): ReadonlySet<number> {
  return new Set(cells.map(({ level }) => level));
}

function mostOf(timeline: ReportTimeline): number {
  return Math.max(1, ...[...byBucket(timeline).values()].map((counts) => sum([...counts.values()])));
}

/** Counts by bucket and level. */
function byBucket({ cells }: ReportTimeline): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const counts = new Map<number, Map<number, number>>();
  for (const { bucket, level, count } of cells) {
    if (bucket < 0) continue;
    const found = counts.get(bucket) ?? new Map<number, number>();
    counts.set(bucket, found.set(level, (found.get(level) ?? 0) + count));
  }
  return counts;
}

function bars(timeline: ReportTimeline, zone: TimeZone): readonly string[] {
  const max = mostOf(timeline);
  const width = bucketWidth(timeline);
  return [...byBucket(timeline)].flatMap(([bucket, counts]) => {
    let base = chartGeometry.top + chartGeometry.height;
    const time = formatTime(timeline.start + bucket * timeline.every, zone);
    return [...counts]
      .sort(([first], [second]) => first - second)
      .map(([level, count]) => {
        const height = (count / max) * chartGeometry.height;
        base -= height;
        const title = `<title>${time}: ${count} ${timeline.levels[level] ?? 'other'}</title>`;
        return `<rect class="l${level}" data-bucket="${bucket}" data-level="${level}" x="${short(chartGeometry.left + bucket * width)}" y="${short(base)}" width="${short(Math.max(0.5, width - 0.6))}" height="${short(height)}">${title}</rect>`;
      });
  });
}

interface Tick {
  readonly x: number;
  readonly text: string;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Times under the axis: the first, the last and some between. */
function ticks(timeline: ReportTimeline, zone: TimeZone): readonly Tick[] {
  const { start, every, buckets } = timeline;
  if (buckets === 0) return [];
  const count = Math.min(6, buckets);
  return Array.from({ length: count }, (_, index) => {
    const bucket = count === 1 ? 0 : Math.round((index * buckets) / (count - 1));
    return {
      x: chartGeometry.left + bucket * bucketWidth(timeline),
      text: formatTime(start + bucket * every, zone).slice(0, every < 1000 ? 23 : 16),
      anchor: index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle',
    };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Formats a coordinate. */
function short(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** A time from which an offset from UTC holds, and that offset; both in milliseconds. */
type OffsetPeriod = readonly [from: number, offset: number];

const day = 86_400_000;

/** Returns the offsets of a zone within a span, in the order of time. The first one holds before it, too. */
function offsetPeriods(
  { offsetAt }: TimeZone,
  { first, last }: { readonly first: number; readonly last: number },
): readonly OffsetPeriod[] {
  const { first: from, last: to } = zoneDatabaseYears;
  const end = Math.min(last, to);
  let time = Math.min(Math.max(first, from), to);
  const periods: OffsetPeriod[] = [[time, offsetAt(time)]];
  for (; time < end; time += day) {
    const next = offsetAt(time + day);
    if (next !== periods.at(-1)?.[1]) periods.push([changeBetween(offsetAt, time, time + day), next]);
  }
  return periods;
}
