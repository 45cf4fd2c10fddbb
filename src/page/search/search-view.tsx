import { useState } from 'preact/hooks';
import { logFields } from '../../records/index.ts';
import type { Answers } from '../../server/index.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatCount, formatNumber } from '../format/numbers.ts';
import { StateNote } from '../parts/state-note.tsx';
import { usePage } from '../state/use-page-state.ts';
import { titleOf } from './columns.ts';
import { ColumnsDialog } from './columns-dialog.tsx';
import { DownloadMenu } from './download.tsx';
import { FacetList } from './facets.tsx';
import { HistogramChart } from './histogram.tsx';
import { LogTable } from './log-table.tsx';
import { type SelectionParameters, useSelection } from './use-search.ts';
import { WhyNone } from './why-none.tsx';

interface SearchViewProps {
  readonly about: Answers['about']['result'] | undefined;
}

/** Fields by which the bars can be divided: all but the time itself. */
const divisions = logFields
  .filter((each) => each !== 'time')
  .toSorted((a, b) => Number(b === 'logLevel') - Number(a === 'logLevel'));

/** The logs of the query: over time, by the values of fields, and one by one. */
export function SearchView({ about }: SearchViewProps) {
  const { state, go } = usePage();
  const selection = useSelection(state);
  const [isChoosing, setChoosing] = useState(false);
  const [hasFields, setFields] = useState(false);
  const by = divisions.find((each) => each === state.by) ?? 'logLevel';
  const answer = useAnswer('histogram', { ...selection, by, buckets: 90 });
  const { result, isStale } = answer;
  const total = result ? result.total + result.timeless : 0;
  const [cancelled, setCancelled] = useState<SelectionParameters>();
  const isCancelled = cancelled === selection;
  const cancel = () => {
    answer.cancel();
    setCancelled(selection);
  };
  return (
    <div class={`search-view ${hasFields ? 'with-fields' : ''}`}>
      <FacetList {...{ selection, isCancelled }} />
      <section class="results" aria-label="Results">
        <div class="results-bar">
          <button
            type="button"
            class="fields-toggle"
            aria-expanded={hasFields}
            onClick={() => setFields(!hasFields)}
          >
            Fields
          </button>
          <strong class="results-count" role="status">
            {result && !isStale ? formatCount(total, 'log') : ''}
          </strong>
          {result && 0 < result.timeless && !isStale && (
            <span class="note">{formatNumber(result.timeless)} without a time</span>
          )}
          <StateNote answer={{ ...answer, cancel }} doing="Counting" />
          <span class="spring" />
          <label>
            by{' '}
            <select
              value={by}
              aria-label="Divide the bars by"
              onChange={({ currentTarget }) => go({ by: currentTarget.value })}
            >
              {divisions.map((each) => (
                <option key={each} value={each}>
                  {titleOf(each)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => setChoosing(true)}>
            Columns
          </button>
          <DownloadMenu {...{ selection, total, names: about?.names ?? [] }} />
        </div>
        {result && (
          <div class={isStale ? 'stale' : ''}>
            <HistogramChart data={result} zone={state.zone} choose={(interval) => go(interval)} />
          </div>
        )}
        {result && total === 0 && !isStale ? (
          <NoResult selection={selection} />
        ) : (
          <LogTable
            {...{ selection, total, isCancelled }}
            last={about?.overview.last}
            names={about?.names ?? []}
          />
        )}
      </section>
      {isChoosing && <ColumnsDialog close={() => setChoosing(false)} />}
    </div>
  );
}

function NoResult({ selection }: { readonly selection: SelectionParameters }) {
  const { state, go } = usePage();
  const hasTimes = state.from !== undefined || state.to !== undefined;
  return (
    <div class="empty">
      <h2>No log matches</h2>
      {state.q !== '' && <WhyNone selection={selection} />}
      {hasTimes && (
        <button type="button" onClick={() => go({ from: undefined, to: undefined })}>
          Search all times
        </button>
      )}
      {state.q !== '' && (
        <button type="button" onClick={() => go({ q: '' })}>
          Show all logs
        </button>
      )}
    </div>
  );
}
