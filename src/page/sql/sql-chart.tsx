import { useMemo } from 'preact/hooks';
import { formatNumber } from '../format/numbers.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { type ChartData, type ChartedResult, chartData } from './chart-data.ts';

/** Size of the chart of times, in units of its view box. */
const size = { width: 1000, height: 180 } as const;

/** Draws a result by time as lines, or by category as bars; nothing for any other result. */
export function SqlChart({ columns, rows }: ChartedResult) {
  const data = useMemo(() => chartData({ columns, rows }), [columns, rows]);
  if (!data) return null;
  return (
    <figure class="sql-chart" aria-label="Chart of the result">
      {data.kind === 'time' ? <Lines data={data} /> : <Bars data={data} />}
      {(1 < data.series.length || data.kind === 'time') && (
        <figcaption>
          {data.series.map(({ name }, index) => (
            <span key={name} class={`series series-${index}`}>
              <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
                <rect width="10" height="10" />
              </svg>{' '}
              {visible(name)}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

function Lines({ data: { points, series, least, most, name } }: { readonly data: ChartData }) {
  const times = points.map(Number);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const x = (index: number) => (size.width * ((times[index] ?? 0) - first)) / Math.max(1, last - first);
  const y = (value: number) => size.height * (1 - (value - least) / Math.max(Number.MIN_VALUE, most - least));
  return (
    <>
      <div class="chart-scale">
        <span>{formatNumber(most)}</span>
        <span>{formatNumber(least)}</span>
      </div>
      <svg
        class="chart-lines"
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${series.map((each) => visible(each.name)).join(', ')} by ${visible(name)}`}
      >
        {series.map(({ name: own, values }, index) => (
          <path key={own} class={`series-${index}`} d={pathOf(values, x, y)} />
        ))}
      </svg>
      <div class="chart-times">
        <span>{formatTime(first, 'UTC')}</span>
        <span>{formatTime(last, 'UTC')} UTC</span>
      </div>
    </>
  );
}

/** A line through the values, with a break where one is missing. */
function pathOf(
  values: readonly (number | undefined)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let isDrawn = false;
  const steps = values.map((value, index) => {
    if (value === undefined) {
      isDrawn = false;
      return '';
    }
    const step = `${isDrawn ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    isDrawn = true;
    return step;
  });
  return steps.join('');
}

function Bars({ data: { points, series, least, most } }: { readonly data: ChartData }) {
  const width = Math.max(Number.MIN_VALUE, most - least);
  const zero = (100 * -least) / width;
  return (
    <table class="chart-bars">
      <tbody>
        {points.map((point, row) => (
          <tr key={row}>
            <th scope="row">{visible(String(point).slice(0, 80))}</th>
            <td>
              {series.map(({ name, values }, index) => {
                const length = (100 * (values[row] ?? 0)) / width;
                return (
                  <svg
                    key={name}
                    class="chart-bar"
                    viewBox="0 0 100 10"
                    preserveAspectRatio="none"
                    role="img"
                    aria-label={`${visible(name)} ${formatNumber(values[row] ?? 0)}`}
                  >
                    <rect
                      class={`series-${index}`}
                      x={zero + Math.min(0, length)}
                      width={Math.abs(length)}
                      height="10"
                    />
                  </svg>
                );
              })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
