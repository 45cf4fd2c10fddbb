import { useEffect, useState } from 'preact/hooks';
import type { Streams } from '../../server/index.ts';
import { streamFromServer } from '../api/call.ts';
import { colourClass } from '../format/levels.ts';
import { formatNumber } from '../format/numbers.ts';
import { visible } from '../format/visible.ts';
import { addClause, clauseFor } from '../query/clauses.ts';
import { usePage } from '../state/use-page-state.ts';
import type { SelectionParameters } from './use-search.ts';

type FacetData = Streams['facets']['line'];

const fields = [
  ...(['logLevel', 'logCode', 'source', 'username', 'className', 'methodName'] as const),
  ...(['serviceTypes', 'machine', 'process', 'thread', 'requestID'] as const),
];

/** Values of a field that are shown, and those that are asked for. */
const shown = 6;
const asked = 25;

/** Above this share of different values, a field names single logs. */
const unique = 0.5;

interface FacetsProps {
  readonly selection: SelectionParameters;
  /** True once the user has cancelled the search. */
  readonly isCancelled: boolean;
}

/** The most frequent values of fields, each a filter by a click. */
export function FacetList({ selection, isCancelled }: FacetsProps) {
  const [found, setFound] = useState<readonly FacetData[]>([]);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    if (isCancelled) return;
    const controller = new AbortController();
    void (async () => {
      const parameters = { ...selection, fields, limit: asked };
      const next: FacetData[] = [];
      for await (const facet of streamFromServer('facets', parameters, controller.signal)) {
        next.push(facet);
        // A facet takes the place of its earlier self, so that nothing jumps.
        setFound((before) => [
          ...next,
          ...before.filter((each) => !next.some(({ field }) => field === each.field)),
        ]);
      }
    })().catch(() => {});
    return () => controller.abort();
  }, [selection, isCancelled]);
  const telling = found.filter((each) => isWhole || isTelling(each));
  return (
    <aside class="facets" aria-label="Fields">
      {telling.map((facet) => (
        <Facet key={facet.field} {...facet} />
      ))}
      {(isWhole || telling.length < found.length) && (
        <button type="button" class="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Only telling fields' : `${found.length - telling.length} more fields`}
        </button>
      )}
    </aside>
  );
}

/** A field is hidden if all logs have one value, or each has its own. */
function isTelling({ total, values, others }: FacetData): boolean {
  const known = values.filter(({ value }) => value !== undefined);
  const [most] = known;
  if (!most || (known.length === 1 && others === 0 && most.count === total)) return false;
  return !(2 < known.length && asked <= values.length && most.count <= 2 && unique * total < others);
}

function Facet({ field, total, values, others }: FacetData) {
  const { state, go } = usePage();
  const [isOpen, setOpen] = useState(false);
  const some = isOpen ? values : values.slice(0, shown);
  const rest = values.length - some.length;
  const most = Math.max(1, ...values.map(({ count }) => count));
  return (
    <section class="facet">
      <h2>{field}</h2>
      <ul>
        {some.map(({ value, count }, index) => {
          const label = value === undefined ? '(none)' : visible(String(value));
          const clause = clauseFor(field, value);
          return (
            <li key={label} class="facet-value">
              <button
                type="button"
                class="facet-include"
                title={`Only ${label}`}
                onClick={() => go({ q: addClause(state.q, clause) })}
              >
                <span class="facet-label">{label}</span>
                <span class="facet-count">{formatNumber(count)}</span>
                <svg class="facet-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    class={field === 'logLevel' ? colourClass(value, index) : 'facet-share'}
                    width={(100 * count) / most}
                    height="1"
                  />
                </svg>
              </button>
              <button
                type="button"
                class="facet-exclude"
                aria-label={`Without ${label}`}
                title={`Without ${label}`}
                onClick={() => go({ q: addClause(state.q, clause, true) })}
              >
                −
              </button>
            </li>
          );
        })}
      </ul>
      {(0 < rest || isOpen) && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer' : `${rest} more`}
        </button>
      )}
      {isOpen && 0 < others && (
        <p class="note">
          {formatNumber(others)} of {formatNumber(total)} logs have other values
        </p>
      )}
    </section>
  );
}
