import type { Answers } from '../server/index.ts';
import { colourClass, formatDuration, formatNumber, formatTime, visible } from './format.ts';
import { Sparkline, StateNote } from './parts.tsx';
import { clauseFor } from './query-text.ts';
import { useAnswer } from './server-calls.ts';
import { usePage } from './use-page-state.ts';

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
        {overview.coveredUntil !== undefined && (
          <Card name="covered until" value={when(overview.coveredUntil)} />
        )}
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

/** The times that the exports of the cases requested, and what is missing. */
export function CoverageView({ names }: { readonly names: readonly string[] }) {
  const answer = useAnswer('coverage', {});
  const ofCases = answer.result ?? [];
  const groups = ofCases.flat();
  return (
    <section class="view" aria-label="Coverage">
      <StateNote answer={answer} doing="Reading the coverage" />
      {answer.result && groups.length === 0 && (
        <div class="empty">
          <h2>No export of a time range</h2>
          <p class="note">Imported files do not show what is missing.</p>
        </div>
      )}
      {ofCases.map((each, index) =>
        0 < each.length ? (
          <section key={index}>
            {1 < names.length && <h2>{visible(names[index] ?? '')}</h2>}
            <CoverageGroups groups={each} />
          </section>
        ) : null,
      )}
    </section>
  );
}

const texts = {
  complete: 'complete',
  capped: 'incomplete: the deployment returned no more',
  open: 'not exported yet',
} as const;

type Groups = Answers['coverage']['result'][number];

/** The times that exports requested with the same filters, as a line and as a table. */
export function CoverageGroups({ groups }: { readonly groups: Groups }) {
  const { state, go } = usePage();
  const edges = groups.flatMap(({ covered }) => covered.flatMap(({ oldest, newest }) => [oldest, newest]));
  const finite = edges.filter((time) => Math.abs(time) < 8e15);
  const [first, last] = [Math.min(...finite), Math.max(...finite)];
  const x = (time: number) =>
    (1000 * (Math.min(Math.max(time, first), last) - first)) / Math.max(1, last - first);
  const when = (time: number) => (Math.abs(time) < 8e15 ? formatTime(time, state.zone) : 'the beginning');
  return (
    <>
      {groups.map(({ deployment, filters, covered }, index) => (
        <section key={index} class="coverage-group">
          <h2>{visible(deployment)}</h2>
          <p class="note">
            {Object.entries(filters)
              .map(([name, value]) => `${name} ${visible(value)}`)
              .join(', ')}
          </p>
          <svg
            class="coverage-line"
            viewBox="0 0 1000 16"
            preserveAspectRatio="none"
            role="img"
            aria-label="Coverage over time"
          >
            <rect class="coverage-never" width="1000" height="16" />
            {covered.map(({ oldest, newest, state: each }) => (
              <rect
                key={oldest}
                class={`covered-${each}`}
                x={x(oldest)}
                width={Math.max(1, x(newest) - x(oldest))}
                height="16"
              />
            ))}
          </svg>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">from</th>
                <th scope="col">to</th>
                <th scope="col">length</th>
                <th scope="col">state</th>
              </tr>
            </thead>
            <tbody>
              {covered.map(({ oldest, newest, state: each }) => (
                <tr key={oldest}>
                  <td class="time">
                    <button
                      type="button"
                      class="template"
                      onClick={() => go({ view: 'search', from: Math.max(oldest, -8e15), to: newest })}
                    >
                      {when(oldest)}
                    </button>
                  </td>
                  <td class="time">{when(newest)}</td>
                  <td>{Math.abs(oldest) < 8e15 ? formatDuration(newest - oldest + 1) : ''}</td>
                  <td>
                    <span class={`covered covered-${each}`}>{texts[each]}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}
