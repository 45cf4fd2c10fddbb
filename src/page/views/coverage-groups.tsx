import type { Answers } from '../../server/index.ts';
import { formatDuration, formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { usePage } from '../state/use-page-state.ts';

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
