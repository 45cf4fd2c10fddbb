/**
 * Calibrates what `investigate` finds, and prints the tables of docs/reliability.md:
 *
 *     npm run build && node test/bench/investigate.mjs [--seeds N]
 *
 * False alarms by kind of quiet: the part of investigations that find any change, over 24 series each. Power by kind of
 * incident, kind of quiet, length and size: the part that finds the incident at its time. All is drawn by seeds, so that
 * each run prints the same. Ends with exit code 1 if a goal is missed.
 */
import { parseArgs } from 'node:util';
import { findAllEpisodes, fitExposure } from '../../dist/analysis/find-episodes.js';
// biome-ignore lint/correctness/useImportExtensions: JavaScript, with its types beside it.
import { addIncident, drawSeries, quietKinds, toSeries } from './investigate/generators.js';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '300' } } });
const seeds = Number(values.seeds);

function investigateCounts(drawn, offset) {
  const { length, series } = toSeries(drawn, offset, fitExposure);
  return { length, episodes: findAllEpisodes(series, { perDay: 1440 / length }).flat() };
}

const missed = [];
console.log('| quiet logs | investigations | false alarms |\n| --- | --- | --- |');
for (const kind of Object.keys(quietKinds)) {
  let alarms = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const { episodes } = investigateCounts(drawSeries(kind, seed), seed % 7);
    if (0 < episodes.length) alarms++;
  }
  console.log(`| ${kind} | ${seeds} | ${alarms} |`);
  if (0.01 * seeds < alarms) missed.push(`${alarms} false alarms on ${kind}`);
}

const incidents = [
  ...[20, 54, 'tenth'].flatMap((length) => [60, 200].map((size) => ({ kind: 'new', length, size }))),
  { kind: 'atStart', length: 40, size: 60 },
  ...[20, 54, 'tenth'].map((length) => ({ kind: 'rise', length, size: 60 })),
  ...[60, 'tenth'].map((length) => ({ kind: 'silence', length, size: 0 })),
  ...[60, 'tenth'].map((length) => ({ kind: 'tenth', length, size: 0 })),
  { kind: 'vanished', length: 'tenth', size: 0 },
];
console.log(
  `\n| incident | length | logs | ${Object.keys(quietKinds).join(' | ')} |\n| --- | --- | --- |${' --- |'.repeat(4)}`,
);
for (const { kind, length, size } of incidents) {
  const cells = Object.keys(quietKinds).map((quiet) => {
    let found = 0;
    const tries = Math.ceil(seeds / 3);
    for (let seed = 1; seed <= tries; seed++) {
      const drawn = drawSeries(quiet, 100000 + seed);
      const minutes = length === 'tenth' ? drawn.minutes / 10 : length;
      const { start } = addIncident(kind, drawn, { length: minutes, size });
      const offset = seed % 7;
      const result = investigateCounts(drawn, offset);
      const onset = (start + offset) / result.length;
      if (result.episodes.some((each) => Math.abs(each.start - onset) <= 2)) found++;
    }
    if (kind === 'new' && found < 0.98 * tries)
      missed.push(`${kind} ${length} ${size} on ${quiet}: ${found}`);
    return `${Math.round((100 * found) / tries)} %`;
  });
  console.log(`| ${kind} | ${length} min | ${size || ''} | ${cells.join(' | ')} |`);
}
if (0 < missed.length) {
  console.error(`Goals missed: ${missed.join('; ')}`);
  process.exitCode = 1;
}
