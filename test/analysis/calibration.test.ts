import { describe, expect, test } from 'vitest';
import { findAllEpisodes, fitExposure } from '../../src/analysis/find-episodes.ts';
import { addIncident, type DrawnLogs, drawSeries, toSeries } from '../bench/investigate/generators.js';
import { drawHeldOut, heldOutKinds } from '../bench/investigate/held-out.js';
import { rounds } from '../effort.ts';

function episodesOf(drawn: DrawnLogs, offset: number) {
  const { length, series } = toSeries(drawn, offset, fitExposure);
  return { length, episodes: findAllEpisodes(series, { perDay: 1440 / length }).flat() };
}

describe.each(['poisson', 'clustered', 'autocorrelated', 'weekly'] as const)('logs that are %s', (quiet) => {
  test('have no change while nothing happens', () => {
    const seeds = Array.from({ length: rounds(300, 8) }, (_, index) => 500 + index);
    const alarms = seeds.filter((seed) => 0 < episodesOf(drawSeries(quiet, seed), seed % 7).episodes.length);
    expect(alarms.length).toBeLessThanOrEqual(Math.floor(seeds.length / 100));
  });

  test.each([
    ['new', 20, 60],
    ['new', 54, 200],
    ['atStart', 40, 60],
  ] as const)('show an incident "%s" of %i min at any onset', (kind, length, size) => {
    const seeds = Array.from({ length: rounds(200, 6) }, (_, index) => 3000 + index);
    const lost = seeds.filter((seed) => {
      const drawn = drawSeries(quiet, seed);
      const { start } = addIncident(kind, drawn, { length, size });
      const { episodes, length: bucket } = episodesOf(drawn, seed % 7);
      const onset = (start + (seed % 7)) / bucket;
      return !episodes.some((each) => Math.abs(each.start - onset) <= 2);
    });
    // Sixty logs are as many as eight of the clusters of these, each of a minute or two.
    expect(lost.length).toBeLessThanOrEqual(Math.ceil(seeds.length / (quiet === 'clustered' ? 4 : 20)));
  });
});

test.each(heldOutKinds)('logs that are %s by other rules have no change', (quiet) => {
  const seeds = Array.from({ length: rounds(300, 8) }, (_, index) => 70_000 + index);
  const alarms = seeds.filter((seed) => 0 < episodesOf(drawHeldOut(quiet, seed), seed % 7).episodes.length);
  expect(alarms.length).toBeLessThanOrEqual(Math.ceil(seeds.length / 100));
});

test.each(heldOutKinds)(
  'among logs that are %s by other rules, a new kind is found at any onset',
  (quiet) => {
    const seeds = Array.from({ length: rounds(200, 6) }, (_, index) => 80_000 + index);
    const lost = seeds.filter((seed) => {
      const drawn = drawHeldOut(quiet, seed);
      const { start } = addIncident('new', drawn, { length: 20, size: 60 });
      const { episodes, length } = episodesOf(drawn, seed % 7);
      return !episodes.some((each) => Math.abs(each.start - (start + (seed % 7)) / length) <= 2);
    });
    expect(lost.length).toBeLessThanOrEqual(Math.ceil(seeds.length / 50));
  },
);
