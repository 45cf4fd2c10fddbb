import type { Report, ServiceGroup, ServiceReport } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { arrivalText, noElapsedNote } from '../services/service-text.ts';
import { type ReportRow, type ReportTable, toColumns } from './report-table.ts';

/**
 * Returns the sections of a report on requests, as "logquarry services" prints them: the times by service, the waits,
 * the ranges of times, and the slowest requests. Errors by code are a section of their own.
 */
export function serviceTables({ services }: Report, zone: TimeZone): readonly ReportTable[] {
  return [timesTable(services, zone), waitsTable(services), responsesTable(services), slowestTable(services)];
}

const statistics = ['min', 'mean', 'p50', 'p75', 'p90', 'p95', 'p99', 'max', 'deviation', 'sum'] as const;

function timesTable({ groups, total, background, arrivals }: ServiceReport, zone: TimeZone): ReportTable {
  const measured = groups.filter(({ elapsed }) => elapsed);
  const rate = arrivals ? ` Arrivals: ${arrivalText(arrivals, zone)}.` : '';
  const rest = background === 0 ? '' : ` ${background} measured logs belong to no request.`;
  return {
    ...{ id: 'times', title: 'Times of requests', total: measured.length, isFiltered: true },
    about: total.elapsed
      ? `Measured requests by service, the largest sum of times first. Times are in seconds.${rate}${rest}`
      : noElapsedNote,
    columns: toColumns({
      ...{ service: 'text', requests: 'count', share: 'share', errors: 'count', warnings: 'count' },
      ...{ min: 'seconds', mean: 'seconds', P50: 'seconds', P75: 'seconds', P90: 'seconds', P95: 'seconds' },
      ...{ P99: 'seconds', max: 'seconds', dev: 'seconds', sum: 'seconds', 'sum share': 'share' },
    }),
    rows: measured.map((group) => ({
      cells: [
        ...[nameOf(group), group.requests, group.share, group.errors, group.warnings],
        ...statistics.map((name) => group.elapsed?.[name]),
        group.sumShare,
      ],
      ...filterFacts(group),
    })),
  };
}

function waitsTable({ groups }: ServiceReport): ReportTable {
  const waiting = groups.filter(({ wait }) => wait);
  return {
    ...{ id: 'waits', title: 'Waiting times', total: waiting.length, isFiltered: true },
    about: 'Seconds that requests waited for a free instance, by messages of code 7615.',
    columns: toColumns({
      ...{ service: 'text', waits: 'count', mean: 'seconds', P50: 'seconds', P95: 'seconds', P99: 'seconds' },
      ...{ max: 'seconds', sum: 'seconds' },
    }),
    rows: waiting.map((group) => ({
      cells: [
        ...[nameOf(group), group.wait?.count],
        ...(['mean', 'p50', 'p95', 'p99', 'max', 'sum'] as const).map((name) => group.wait?.[name]),
      ],
      ...filterFacts(group),
    })),
  };
}

function responsesTable({ responses, total }: ServiceReport): ReportTable {
  return {
    ...{ id: 'responses', title: 'Response times', total: responses.length, isFiltered: false },
    about: 'Requests by the time that they took.',
    columns: toColumns({ seconds: 'text', requests: 'count', share: 'share' }),
    rows: responses.map(({ from, to, count }) => ({
      cells: [to === undefined ? `${from} and more` : `${from} to ${to}`, count, count / total.requests],
    })),
  };
}

function slowestTable({ slowest }: ServiceReport): ReportTable {
  return {
    ...{ id: 'slowest', title: 'Slowest requests', total: slowest.length, isFiltered: true },
    about: 'Measured requests, the slowest first. "logquarry trace ID" shows all logs of one.',
    columns: toColumns({
      ...{ seconds: 'seconds', time: 'time', code: 'id', service: 'text', method: 'text', user: 'text' },
      request: 'code',
    }),
    rows: slowest.map(({ took, time, code, service, method, user, request }) => ({
      cells: [took, time, textOf(code), service, method, user, request],
      ...{ first: time, last: time, sources: [service ?? ''] },
    })),
  };
}

function nameOf({ key }: ServiceGroup): string {
  return textOf(key.service) ?? '(none)';
}

function filterFacts({ key, first, last }: ServiceGroup): Omit<ReportRow, 'cells'> {
  return { first, last, sources: [textOf(key.service) ?? ''] };
}

function textOf(value: string | number | bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
