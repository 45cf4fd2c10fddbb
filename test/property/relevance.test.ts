import fc from 'fast-check';
import { expect, test } from 'vitest';
import { match, toDocument } from '../../src/language/meaning/match.ts';
import { joinStatistics, needsOf, statisticsOf, termScore } from '../../src/language/meaning/score.ts';
import { log } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';
import { scoredFilter as filter, scoresOf } from './scores.ts';

test('a log has a score just when it matches, finite and not negative', () => {
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 20 }), filter, (logs, asked) => {
      for (const [index, score] of scoresOf(asked, logs).entries()) {
        expect(score !== undefined).toBe(match(asked, logs[index] ?? {}));
        if (score === undefined) continue;
        expect(score).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(score)).toBe(true);
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('the order in which logs were loaded changes no score', () => {
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 12 }), filter, fc.nat(), (logs, asked, turn) => {
      const at = turn % logs.length;
      const turned = [...logs.slice(at), ...logs.slice(0, at)];
      const scores = scoresOf(asked, logs);
      expect(scoresOf(asked, turned)).toEqual([...scores.slice(at), ...scores.slice(0, at)]);
    }),
  );
});

test('several sets of logs taken together are scored like one', () => {
  fc.assert(
    fc.property(fc.array(log, { maxLength: 12 }), fc.nat(12), filter, (logs, at, asked) => {
      const needs = needsOf(asked);
      const parts = [logs.slice(0, at), logs.slice(at)].map((part) =>
        statisticsOf(part.map(toDocument), needs),
      );
      expect(joinStatistics(parts)).toEqual(statisticsOf(logs.map(toDocument), needs));
    }),
  );
});

test('a term scores the more the more often it occurs, and the less the longer the field is', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 1000, noNaN: true }),
      fc.double({ min: 0.001, max: 20, noNaN: true }),
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 1, max: 5000 }),
      (average, weight, frequency, length) => {
        const score = termScore(average);
        const w = Math.fround(weight);
        expect(score(w, frequency + 1, length)).toBeGreaterThanOrEqual(score(w, frequency, length));
        expect(score(w, frequency, length + 1)).toBeLessThanOrEqual(score(w, frequency, length));
        expect(score(w, frequency, length)).toBeLessThanOrEqual(w);
      },
    ),
  );
});
