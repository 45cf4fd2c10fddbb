/**
 * Calibrates what `investigate` finds, and prints the tables of docs/reliability.md:
 *
 *     npm run build && node test/bench/investigate.mjs [--seeds N] [--first N]
 *
 * False alarms by kind of quiet: the part of investigations that find any change, over 12 to 60 series each. Power by
 * kind of incident, kind of quiet, length and size: the part that finds the incident at its time. The generators are
 * those of held-out.js; all is drawn by seeds, so that each run prints the same.
 */
import { parseArgs } from 'node:util';
import { findAllEpisodes, fitExposure } from '../../dist/analysis/find-episodes.js';
import { silencesOf } from '../../dist/analysis/find-silences.js';
import { addIncident, silenceOptions, toSeries, toSlots } from './investigate/generators.js';
import { drawHeldOut, heldOutKinds } from './investigate/held-out.js';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '300' }, first: { type: 'string', default: '1' } },
});
const [seeds, firstSeed] = [Number(values.seeds), Number(values.first)];

/** The onsets of all that an investigation finds, in minutes of the drawn times. */
function onsetsOf(drawn, offset) {
  const { length, series } = toSeries(drawn, offset, fitExposure);
  const episodes = findAllEpisodes(series, { perDay: 1440 / length }).flat();
  const { silences, lulls } = silencesOf(toSlots(drawn), silenceOptions(drawn));
  return {
    length,
    episodes: episodes.map(({ start }) => start * length - offset),
    silences: [...silences, ...lulls].map(({ from }) => from / 60_000),
  };
}

console.log('| quiet logs | investigations | false alarms |\n| --- | --- | --- |');
for (const kind of heldOutKinds) {
  let alarms = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const { episodes, silences } = onsetsOf(drawHeldOut(kind, seed), seed % 7);
    if (0 < episodes.length + silences.length) alarms++;
  }
  console.log(`| ${kind} | ${seeds} | ${alarms} |`);
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
  `\n| incident | length | logs | ${heldOutKinds.join(' | ')} |\n| --- | --- | --- |${' --- |'.repeat(heldOutKinds.length)}`,
);
for (const { kind, length, size } of incidents) {
  const cells = heldOutKinds.map((quiet) => {
    let found = 0;
    const tries = Math.ceil(seeds / 3);
    for (let seed = firstSeed; seed < firstSeed + tries; seed++) {
      const drawn = drawHeldOut(quiet, 100000 + seed);
      const minutes = length === 'tenth' ? drawn.minutes / 10 : length;
      const { start } = addIncident(kind, drawn, { length: minutes, size });
      const { episodes, silences, length: interval } = onsetsOf(drawn, seed % 7);
      if ([...episodes, ...silences].some((onset) => Math.abs(onset - start) <= 2 * interval)) found++;
    }
    return `${Math.round((100 * found) / tries)} %`;
  });
  console.log(
    `| ${kind} | ${length === 'tenth' ? 'a tenth of all' : `${length} min`} | ${size || ''} | ${cells.join(' | ')} |`,
  );
}
