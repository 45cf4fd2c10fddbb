/**
 * Script of the page of a report: filters the chart and the tables by time, level, source and text. It reads its
 * data from the element "data" and writes numbers and attributes only, never markup. The data are those of
 * `report-page.ts`; heights are those of `timeline-chart.ts`.
 */
export const reportScript = `
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
