import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  applyFix,
  checkQuery,
  explicit,
  type Fix,
  hasErrors,
  offlineOptions,
  parse,
} from '../../language/index.ts';
import { SavedSearchesDialog } from '../notes/saved-searches-dialog.tsx';
import { usePage } from '../state/use-page-state.ts';
import { useSchema } from '../state/use-schema.ts';
import { BuilderDialog } from './builder.tsx';
import { FindingList } from './findings.tsx';
import { rememberQuery } from './history.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { insertText } from './insert-text.ts';
import { QueryEditor } from './query-editor.tsx';
import { ReadingView } from './reading.tsx';
import { useCompletion } from './use-completion.ts';

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
  const completion = useCompletion();
  const field = useRef<HTMLTextAreaElement>(null);
  /** Writes another text as if it were typed, so that undo has the one before. */
  const replace = (next: string) => {
    if (field.current) insertText(field.current, next, { from: 0, to: text.length });
    completion.close();
  };
  const apply = (fix: Fix) => replace(applyFix(text, fix));
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
            {...{ field, text, findings, completion }}
            change={setText}
            submit={() => search(text)}
            fix={() => {
              const fix = findings.find(({ fixes }) => 0 < fixes.length)?.fixes[0];
              if (fix) apply(fix);
            }}
            makeSafe={() => {
              const { query, findings: found } = parse(text);
              if (found.length === 0 && text.trim() !== '') replace(explicit(query, { schema }).text);
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
        <ReadingView {...{ text, replace }} />
        {open === 'history' && <HistoryDialog {...{ search, close }} />}
        {open === 'builder' && <BuilderDialog query={text} {...{ search, close }} />}
      </form>
      {open === 'saved' && <SavedSearchesDialog close={close} />}
    </>
  );
}
