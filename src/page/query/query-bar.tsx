import { useEffect, useMemo, useState } from 'preact/hooks';
import { applyFix, type Fix } from '../../language/finding.ts';
import { checkQuery, hasErrors, offlineOptions } from '../../lint/check-query.ts';
import { SavedSearchesDialog } from '../notes/saved-searches-dialog.tsx';
import { usePage } from '../state/use-page-state.ts';
import { useSchema } from '../state/use-schema.ts';
import { BuilderDialog } from './builder.tsx';
import { FindingList } from './findings.tsx';
import { rememberQuery } from './history.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { QueryEditor } from './query-editor.tsx';
import { ReadingView } from './reading.tsx';

interface QueryBarProps {
  /** Receives true when a query with errors is sent, and false when it has none any more. */
  readonly reportRefused: (isRefused: boolean) => void;
}

/** The query of the page: written, checked and explained while typing, searched for by Enter. */
export function QueryBar({ reportRefused }: QueryBarProps) {
  const { state, go } = usePage();
  const schema = useSchema();
  const check = (query: string) => checkQuery(query, { ...offlineOptions, schema, now: Date.now() }).findings;
  const [text, setText] = useState(state.q);
  const [open, setOpen] = useState<'history' | 'builder' | 'saved'>();
  useEffect(() => setText(state.q), [state.q]);
  const findings = useMemo(() => (text.trim() === '' ? [] : check(text)), [text, schema]);
  const isBroken = hasErrors(findings);
  useEffect(() => {
    if (!isBroken) reportRefused(false);
  }, [isBroken]);
  const search = (query: string) => {
    setText(query);
    if (query.trim() !== '' && hasErrors(check(query))) return reportRefused(true);
    rememberQuery(query);
    go({ q: query.trim() });
  };
  const apply = (fix: Fix) => setText(applyFix(text, fix));
  const close = () => setOpen(undefined);
  return (
    <>
      <form
        class="query-bar"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <div class="query-line">
          <QueryEditor
            {...{ text, findings }}
            change={setText}
            submit={() => search(text)}
            fix={() => {
              const fix = findings.find(({ fixes }) => 0 < fixes.length)?.fixes[0];
              if (fix) apply(fix);
            }}
          />
          <button type="submit" class="primary" disabled={isBroken}>
            Search
          </button>
          <button type="button" onClick={() => setOpen('builder')}>
            Add filter
          </button>
          <button type="button" onClick={() => setOpen('history')}>
            History
          </button>
          <button type="button" onClick={() => setOpen('saved')}>
            Saved
          </button>
        </div>
        <FindingList {...{ findings, apply }} />
        <ReadingView text={text} replace={setText} />
        {open === 'history' && <HistoryDialog {...{ search, close }} />}
        {open === 'builder' && <BuilderDialog query={text} {...{ search, close }} />}
      </form>
      {open === 'saved' && <SavedSearchesDialog close={close} />}
    </>
  );
}
