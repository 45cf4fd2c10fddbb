import type { Answers } from '../../server/index.ts';
import { colourClass } from '../format/levels.ts';
import { formatNumber } from '../format/numbers.ts';
import { formatDuration, formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { clauseFor } from '../query/clauses.ts';
import { usePage } from '../state/use-page-state.ts';

type About = Answers['about']['result'];

/** The contents of the cases at a glance. */
export function OverviewView({ about }: { readonly about: About | undefined }) {
  const { state, go } = usePage();
  if (!about) return null;
  const { overview } = about;
  const search = (q: string) => go({ view: 'search', q, from: undefined, to: undefined });
  const when = (time: number | undefined) => (time === undefined ? '' : formatTime(time, state.zone));
  return (
    <section class="view" aria-label="Overview">
      <div class="cards">
        <Card name="logs" value={formatNumber(overview.logs)} />
        <Card name="from" value={when(overview.first)} />
        <Card name="to" value={when(overview.last)} />
        <Card name="coverage" value={overview.coverage ?? 'unknown'} />
        <Card name="gaps" value={formatNumber(overview.gaps.length)} />
        <Card name="not readable" value={formatNumber(overview.unreadable)} />
      </div>
      <h2>Levels, {formatDuration(overview.every)} a bar</h2>
      <table class="list">
        <tbody>
          {overview.levels.map(({ level, count, overTime, peak }) => (
            <tr key={String(level)}>
              <th scope="row">
                <button type="button" class="template" onClick={() => search(clauseFor('logLevel', level))}>
                  <span class={`level-badge ${colourClass(level)}`}>
                    {visible(String(level ?? '(none)'))}
                  </span>
                </button>
              </th>
              <td class="number">{formatNumber(count)}</td>
              <td class={`wide ${colourClass(level)}`}>
                <Sparkline counts={overTime} label={`${formatNumber(count)} logs over time`} />
              </td>
              <td class="time">{peak ? `peak ${when(peak.start)}: ${formatNumber(peak.count)}` : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Codes with most severe logs</h2>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">code</th>
            <th scope="col" class="number">
              severe
            </th>
            <th scope="col" class="number">
              logs
            </th>
            <th scope="col">first severe</th>
            <th scope="col">message</th>
          </tr>
        </thead>
        <tbody>
          {overview.codes.values.map(({ value, severe, count, firstSevere, message = '' }) => (
            <tr key={String(value)}>
              <td>
                <button type="button" class="template" onClick={() => search(clauseFor('logCode', value))}>
                  {String(value)}
                </button>
              </td>
              <td class="number">{formatNumber(severe)}</td>
              <td class="number">{formatNumber(count)}</td>
              <td class="time">{when(firstSevere?.time)}</td>
              <td class="wide">{visible(message.slice(0, 300))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Sources with most severe logs</h2>
      <table class="list">
        <tbody>
          {overview.sources.values.map(({ value, severe, count }) => (
            <tr key={String(value)}>
              <th scope="row" class="wide">
                <button type="button" class="template" onClick={() => search(clauseFor('source', value))}>
                  {visible(String(value))}
                </button>
              </th>
              <td class="number">{formatNumber(severe)} severe</td>
              <td class="number">{formatNumber(count)} logs</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Card({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="card">
      <span class="card-value">{value}</span>
      <span class="card-name">{name}</span>
    </div>
  );
}
