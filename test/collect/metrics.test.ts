import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metricsText } from '../../src/collect/metrics.ts';
import type { SourceStatus } from '../../src/collect/status.ts';

const status: SourceStatus = {
  source: 'gis',
  isReady: true,
  lastSuccess: 1_764_417_600_500,
  coveredTo: 1_764_417_540_000,
  secondsUntilLoss: 86_400,
  gaps: [{ oldest: 1, newest: 2 }],
  backfill: [],
  lost: [],
  logs: 12,
  counts: { logs: 10, late: 2, turns: 3, calls: 9 },
  failures: { UNREACHABLE: 4 },
  lowered: [],
  cases: 1,
  bytes: 1000,
};

test('the state of a source is shown in the text form of Prometheus', () => {
  const lines = metricsText([status], '0.1.0').split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE logquarry_collect_last_success_timestamp_seconds gauge',
      'logquarry_collect_last_success_timestamp_seconds{source="gis"} 1764417600.5',
      '# TYPE logquarry_collect_logs_total counter',
      'logquarry_collect_logs_total{source="gis"} 10',
      'logquarry_collect_late_logs_total{source="gis"} 2',
      'logquarry_collect_gaps{source="gis"} 1',
      'logquarry_collect_errors_total{source="gis",code="UNREACHABLE"} 4',
      'logquarry_collect_build_info{version="0.1.0"} 1',
    ]),
  );
});

test('what is not known has no line, and no heading', () => {
  const { secondsUntilLoss: _, ...others } = status;
  expect(metricsText([others], '0.1.0')).not.toContain('until_loss');
});

/** The rules of the format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
const help = /^# HELP [a-zA-Z_:][a-zA-Z0-9_:]* (?:[^\\]|\\\\|\\n)*$/;
const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:counter|gauge)$/;
const sample =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*",?)*\} -?(?:\d+(?:\.\d+)?(?:e[+-]\d+)?|NaN|[+-]Inf)$/;

test('any state keeps to the rules of the format', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (source, version, value) => {
        const text = metricsText([{ ...status, source, secondsUntilLoss: value }], version);
        expect(text.endsWith('\n')).toBe(true);
        let current: string | undefined;
        const named = new Set<string>();
        for (const line of text.slice(0, -1).split('\n')) {
          const begun = type.exec(line)?.[1];
          if (begun !== undefined) {
            // All lines of a metric are one group.
            expect(named.has(begun)).toBe(false);
            named.add(begun);
            current = begun;
          } else if (line.startsWith('#')) expect(line).toMatch(help);
          else expect(sample.exec(line)?.[1]).toBe(current);
        }
      },
    ),
  );
});
