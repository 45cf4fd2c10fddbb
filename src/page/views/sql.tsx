import { useEffect, useRef, useState } from 'preact/hooks';
import type { Streams } from '../../server/index.ts';
import { CallError, streamFromServer } from '../api/call.ts';
import { exampleSql } from '../format/command.ts';
import { formatCount } from '../format/numbers.ts';
import { visible } from '../format/visible.ts';
import { CaseSelect } from '../parts/case-select.tsx';
import { isNumericColumn } from '../sql/chart-data.ts';
import { SqlChart } from '../sql/sql-chart.tsx';
import { SqlEditor } from '../sql/sql-editor.tsx';
import { useSqlNames } from '../sql/use-sql-names.ts';
import { usePage } from '../state/use-page-state.ts';

type Columns = Extract<Streams['sql']['line'], { readonly kind: 'columns' }>['columns'];
type Rows = Extract<Streams['sql']['line'], { readonly kind: 'rows' }>['rows'];

interface Result {
  readonly columns: Columns;
  readonly rows: Rows;
  readonly isRunning: boolean;
  readonly hasMore: boolean;
  readonly error?: string;
}

/** Rows that are shown. */
const limit = 1000;

/** SQL on a case: a SELECT, which can change nothing, and its result as a table. */
export function SqlView({ names }: { readonly names: readonly string[] }) {
  const { state, go } = usePage();
  const [text, setText] = useState(state.sql ?? exampleSql);
  const ofCase = Math.min(state.sqlCase ?? 0, Math.max(0, names.length - 1));
  const sqlNames = useSqlNames(ofCase);
  const [result, setResult] = useState<Result>();
  const running = useRef<AbortController | undefined>(undefined);
  const run = async (sql: string) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    let found: Result = { columns: [], rows: [], isRunning: true, hasMore: false };
    setResult((before) => (before ? { ...before, isRunning: true } : found));
    try {
      for await (const piece of streamFromServer('sql', { sql, ofCase, limit }, controller.signal)) {
        if (piece.kind === 'columns') found = { ...found, columns: piece.columns };
        else if (piece.kind === 'rows') found = { ...found, rows: [...found.rows, ...piece.rows] };
        else if (piece.kind === 'end') found = { ...found, hasMore: piece.more };
        setResult(found);
      }
      setResult({ ...found, isRunning: false });
    } catch (error) {
      const message = controller.signal.aborted
        ? 'Cancelled.'
        : error instanceof CallError
          ? error.message
          : String(error);
      if (running.current === controller) setResult({ ...found, isRunning: false, error: message });
    }
  };
  useEffect(() => {
    if (state.sql !== undefined) {
      setText(state.sql);
      void run(state.sql);
    }
    return () => running.current?.abort();
  }, [state.sql, ofCase]);
  const submit = () => (text === state.sql ? void run(text) : go({ sql: text }));
  return (
    <section class="view" aria-label="SQL">
      <form
        class="sql-form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SqlEditor {...{ text, names: sqlNames, change: setText, submit }} />
        <div class="results-bar">
          <button type="submit" class="primary">
            Run <kbd>Ctrl Enter</kbd>
          </button>
          {result?.isRunning && (
            <button type="button" onClick={() => running.current?.abort()}>
              Cancel
            </button>
          )}
          <CaseSelect {...{ names, chosen: ofCase, choose: (sqlCase) => go({ sqlCase }) }} />
          <span class="note">
            Read only. Views: <code>logs</code>, <code>requests</code>, <code>parts</code>,{' '}
            <code>unreadable</code>, <code>coverage</code>; <code>matches('msg:timeout')</code> takes a query.
          </span>
          <strong role="status">
            {result && !result.isRunning && !result.error
              ? `${formatCount(result.rows.length, 'row')}${result.hasMore ? ', and more' : ''}`
              : ''}
          </strong>
        </div>
      </form>
      {result?.error && (
        <pre class="failure" role="alert">
          {visible(result.error)}
        </pre>
      )}
      {result && 0 < result.columns.length && (
        <>
          {!result.isRunning && <SqlChart columns={result.columns} rows={result.rows} />}
          <SqlTable {...result} />
        </>
      )}
    </section>
  );
}

function SqlTable({ columns, rows, isRunning }: Result) {
  return (
    <div class={`sql-result ${isRunning ? 'stale' : ''}`} tabIndex={0} role="region" aria-label="Result">
      <table class="list">
        <thead>
          <tr>
            {columns.map(({ name, type }) => (
              <th key={name} scope="col" title={type} class={isNumericColumn(type) ? 'number' : ''}>
                {visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column} class={isNumericColumn(columns[column]?.type ?? '') ? 'number' : ''}>
                  {value === null ? (
                    <em class="null">NULL</em>
                  ) : (
                    visible(typeof value === 'string' ? value : JSON.stringify(value))
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
