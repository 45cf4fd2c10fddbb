import type { SourceStatus } from './status.ts';

/** The media type of the text form of metrics. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** A value with its labels. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  /** Undefined: there is nothing to say, and no line. */
  readonly value: number | undefined;
}

/** A metric of the Prometheus text form. */
interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The state of all sources in the Prometheus text form. `version` is that of the program. */
export function metricsText(sources: readonly SourceStatus[], version: string): string {
  const metrics = [buildInfo(version), ...sourceMetrics(sources)];
  return metrics
    .filter(({ samples }) => samples.some(({ value }) => value !== undefined))
    .map(metricText)
    .join('');
}

function metricText({ name, type, help, samples }: Metric): string {
  const lines = samples.flatMap(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return value === undefined ? [] : [`${name}{${pairs.join(',')}} ${value}\n`];
  });
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function buildInfo(version: string): Metric {
  return {
    name: 'logquarry_collect_build_info',
    type: 'gauge',
    help: 'Always 1; the version is a label.',
    samples: [{ labels: { version }, value: 1 }],
  };
}

function sourceMetrics(sources: readonly SourceStatus[]): readonly Metric[] {
  const of =
    (type: Metric['type']) =>
    (what: string, help: string, value: (status: SourceStatus) => number | undefined): Metric => ({
      name: `logquarry_collect_${what}`,
      type,
      help,
      samples: sources.map((status) => ({ labels: { source: status.source }, value: value(status) })),
    });
  const gauge = of('gauge');
  const counter = of('counter');
  const seconds = (time: number | undefined) => (time === undefined ? undefined : time / 1000);
  return [
    gauge('last_success_timestamp_seconds', 'End of the last turn without a failure.', ({ lastSuccess }) =>
      seconds(lastSuccess),
    ),
    gauge('covered_until_timestamp_seconds', 'Newest time that the store has completely.', ({ coveredTo }) =>
      seconds(coveredTo),
    ),
    gauge('gaps', 'Times that were asked for and are not complete.', ({ gaps }) => gaps.length),
    gauge('lost', 'Times that the deployment deleted before they were collected.', ({ lost }) => lost.length),
    gauge(
      'until_loss_seconds',
      'Until the deployment deletes the oldest log that is missing.',
      (status) => status.secondsUntilLoss,
    ),
    gauge('store_bytes', 'Size of the cases with their originals.', ({ bytes }) => bytes),
    gauge('store_logs', 'Logs in the cases.', ({ logs }) => logs),
    gauge(
      'lowered_settings',
      'Settings of the deployment that keep fewer logs than before.',
      ({ lowered }) => lowered.length,
    ),
    counter('logs_total', 'Logs that were collected.', ({ counts }) => counts.logs),
    counter('late_logs_total', 'Logs that came after their time was covered.', ({ counts }) => counts.late),
    counter('jobs_total', 'Export jobs that were submitted.', ({ counts }) => counts.calls),
    counter('turns_total', 'Turns without a failure.', ({ counts }) => counts.turns),
    {
      name: 'logquarry_collect_errors_total',
      type: 'counter',
      help: 'Turns that failed, by code.',
      samples: sources.flatMap(({ source, failures }) =>
        Object.entries(failures).map(([code, value]) => ({ labels: { source, code }, value })),
      ),
    },
  ];
}
