import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adaptConcurrency, type JobOutcome, startConcurrency } from '../../src/export/run/worker-pool.ts';

const done = (milliseconds = 1000): JobOutcome => ({ kind: 'done', milliseconds });
const overloaded: JobOutcome = { kind: 'overloaded' };
const permitsAfter = (outcomes: readonly JobOutcome[], permits: number, limit: number) =>
  outcomes.reduce(adaptConcurrency, startConcurrency(permits, limit));

describe('the number of jobs', () => {
  test('grows by one a round while the deployment answers well, to its limit', () => {
    expect(permitsAfter(Array(5).fill(done()), 2, 16).permits).toBe(4);
    expect(permitsAfter(Array(500).fill(done()), 2, 16).permits).toBe(16);
    expect(permitsAfter(Array(500).fill(done()), 3, 3).permits).toBe(3);
  });

  test('is halved once for all jobs of a round that fail together, and grows again', () => {
    const outcomes = Array(8).fill(overloaded);
    expect(permitsAfter(outcomes, 8, 16).permits).toBe(4);
    expect(permitsAfter([...outcomes, overloaded], 8, 16).permits).toBe(2);
    expect(permitsAfter([...outcomes, ...Array(9).fill(done())], 8, 16).permits).toBe(6);
  });

  test('does not grow while jobs take much longer than the quickest', () => {
    const outcomes = Array.from({ length: 40 }, (_, index) => done(index % 2 === 0 ? 1000 : 9000));
    expect(permitsAfter(outcomes, 2, 16).permits).toBe(2);
  });

  test('stays within its limits whatever comes, and ends at one or the limit when nothing changes', () => {
    const outcome = fc.oneof(
      fc.constant(overloaded),
      fc.integer({ min: 0, max: 1e6 }).map((milliseconds) => done(milliseconds)),
    );
    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 100 }),
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 1, max: 16 }),
        (outcomes, permits, limit) => {
          let state = startConcurrency(permits, limit);
          for (const each of outcomes) {
            const before = state.permits;
            state = adaptConcurrency(state, each);
            expect(state.permits).toBeGreaterThanOrEqual(1);
            expect(state.permits).toBeLessThanOrEqual(limit);
            expect(state.permits - before).toBeLessThanOrEqual(each.kind === 'done' ? 1 : 0);
          }
          expect(Array(400).fill(done()).reduce(adaptConcurrency, state).permits).toBe(limit);
          expect(Array(100).fill(overloaded).reduce(adaptConcurrency, state).permits).toBe(1);
        },
      ),
    );
  });

  test('grows to no more than it may, and begins with no more', () => {
    expect([startConcurrency(8, 4).permits, startConcurrency(2, 4).permits]).toEqual([4, 2]);
    expect(permitsAfter([done(), done(), done()], 2, 16)).toMatchObject({ permits: 3, calm: 1, limit: 16 });
  });

  test('waits for as many good jobs again after one that was slow or failed', () => {
    expect(permitsAfter([done(1000), done(3000), done(3308)], 3, 16)).toMatchObject({ permits: 3, calm: 0 });
    expect(permitsAfter([done(1000), done(3000), done(3307)], 3, 16).permits).toBe(4);
    expect(permitsAfter([done(), overloaded, done()], 2, 16)).toMatchObject({ permits: 2, calm: 0 });
    expect(permitsAfter([overloaded, done(), overloaded], 4, 16)).toMatchObject({ permits: 2, calm: 0 });
  });

  test('looks at no job that began before it was halved', () => {
    expect(permitsAfter([overloaded], 4, 16)).toMatchObject({ permits: 2, ignored: 3 });
    expect(permitsAfter([overloaded, done(), overloaded], 4, 16)).toMatchObject({ permits: 2, ignored: 1 });
    expect(permitsAfter([overloaded, ...Array(9).fill(done(1))], 4, 16).ignored).toBe(0);
  });

  test('forgets by and by how quick the quickest were', () => {
    expect(permitsAfter([done(1000)], 1, 1).quickest).toBe(1000);
    expect(permitsAfter([done(1000), done(2000)], 1, 1).quickest).toBe(1050);
    expect(permitsAfter([done(1000), done(500)], 1, 1).quickest).toBe(500);
    expect(permitsAfter([done(0)], 1, 1).quickest).toBe(1);
  });
});
