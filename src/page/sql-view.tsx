import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Completion } from '../language/index.ts';
import type { Streams } from '../server/index.ts';
import { exampleSql, formatCount, formatNumber, formatTime, visible } from './format.ts';
import { CancelButton, CaseSelect, insertText } from './parts.tsx';
import { CompletionList } from './query-bar.tsx';
import { CallError, streamFromServer } from './server-calls.ts';
import {
  type ChartData,
  type ChartedResult,
  chartData,
  completeSql,
  isNumericColumn,
  type SqlNames,
} from './sql.ts';
import { usePage } from './use-page-state.ts';

type Columns = Extract<Streams['sql']['result'], { readonly kind: 'columns' }>['columns'];
type Rows = Extract<Streams['sql']['result'], { readonly kind: 'rows' }>['rows'];

interface Result {
  readonly columns: Columns;
  readonly rows: Rows;
  readonly isRunning: boolean;
  readonly hasMore: boolean;
  /** What is shown after the user ended the statement. */
  readonly cancelled?: string;
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
      if (running.current !== controller) return;
      if (controller.signal.aborted) setResult((before) => cancelledResult(found, before));
      else
        setResult({
          ...found,
          isRunning: false,
          error: error instanceof CallError ? error.message : String(error),
        });
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
          {result?.isRunning && <CancelButton cancel={() => running.current?.abort()} />}
          <CaseSelect {...{ names, chosen: ofCase, choose: (sqlCase) => go({ sqlCase }) }} />
          <span class="note">
            Read only. Views: <code>logs</code>, <code>requests</code>, <code>parts</code>,{' '}
            <code>unreadable</code>, <code>coverage</code>; <code>matches('msg:timeout')</code> takes a query.
          </span>
          <strong role="status">{result ? statusOf(result) : ''}</strong>
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

/** What a cancelled statement leaves: the rows that came, else those of the statement before. */
function cancelledResult(found: Result, before: Result | undefined): Result {
  const rows = formatCount(found.rows.length, 'row');
  if (0 < found.columns.length) return { ...found, isRunning: false, cancelled: `Cancelled after ${rows}` };
  const { error: _, ...last } = before ?? found;
  const what = last.columns.length === 0 ? '' : '; the rows are of the statement before';
  return { ...last, isRunning: false, cancelled: `Cancelled${what}` };
}

/** How many rows there are, and why there may be no more. */
function statusOf({ rows, hasMore, isRunning, cancelled, error }: Result): string {
  if (isRunning || error) return '';
  if (cancelled !== undefined) return cancelled;
  return `${formatCount(rows.length, 'row')}${hasMore ? ', and more' : ''}`;
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

const columnsSql = `SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = 'main' ORDER BY table_name <> 'logs', table_name, ordinal_position`;

const functionsSql = `SELECT DISTINCT function_name FROM duckdb_functions()
WHERE function_type IN ('scalar', 'aggregate', 'macro') AND regexp_full_match(function_name, '[a-z]\\w*') ORDER BY 1`;

const none: SqlNames = { columns: [], functions: [] };

/** Reads the views, columns and functions of a case by SQL, as a user can; empty until they are there. */
function useSqlNames(ofCase: number): SqlNames {
  const [names, setNames] = useState(none);
  useEffect(() => {
    const controller = new AbortController();
    const read = async () => {
      const columns = await rowsOf(columnsSql, ofCase, controller.signal);
      const functions = await rowsOf(functionsSql, ofCase, controller.signal);
      setNames({
        columns: columns.map(([table, name, type]) => ({
          table: String(table),
          name: String(name),
          type: String(type),
        })),
        functions: functions.map(([name]) => String(name)),
      });
    };
    // Without names nothing is suggested; the statement itself reports what is wrong.
    read().catch(() => undefined);
    return () => controller.abort();
  }, [ofCase]);
  return names;
}

async function rowsOf(
  sql: string,
  ofCase: number,
  signal: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  for await (const piece of streamFromServer('sql', { sql, ofCase, limit: 5000 }, signal))
    if (piece.kind === 'rows') rows.push(...piece.rows);
  return rows;
}

interface SqlEditorProps {
  readonly text: string;
  readonly names: SqlNames;
  readonly change: (text: string) => void;
  readonly submit: () => void;
}

/** The field for a statement, with suggestions of views, columns, functions and keywords. */
function SqlEditor({ text, names, change, submit }: SqlEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, setChosen] = useState(-1);
  const close = () => {
    setCompletion(undefined);
    setChosen(-1);
  };
  const suggest = ({ value, selectionStart }: HTMLTextAreaElement) => {
    const found = completeSql(value, selectionStart, names);
    setCompletion(found.suggestions.length === 0 ? undefined : found);
    setChosen(-1);
  };
  const accept = (index: number) => {
    const suggestion = completion?.suggestions[index];
    if (!completion || !suggestion || !field.current) return;
    insertText(field.current, suggestion.insert, completion);
    change(field.current.value);
    close();
  };
  const move = (step: number) => {
    const count = completion?.suggestions.length ?? 0;
    if (0 < count) setChosen((chosen + step + count + (chosen < 0 && step < 0 ? 1 : 0)) % count);
    return 0 < count;
  };
  const keys: { readonly [key: string]: (event: KeyboardEvent) => boolean } = {
    Enter: ({ ctrlKey, metaKey }) => {
      if (ctrlKey || metaKey) submit();
      else if (completion && 0 <= chosen) accept(chosen);
      else return false;
      return true;
    },
    Tab: ({ shiftKey }) => {
      if (!completion || shiftKey) return false;
      accept(Math.max(0, chosen));
      return true;
    },
    Escape: () => {
      close();
      return completion !== undefined;
    },
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ' ': ({ ctrlKey }) => {
      if (ctrlKey && field.current) suggest(field.current);
      return ctrlKey;
    },
  };
  return (
    <div class="editor">
      <textarea
        ref={field}
        class="sql-field"
        aria-label="SQL"
        rows={6}
        spellcheck={false}
        autocomplete="off"
        aria-autocomplete="list"
        aria-controls={completion ? 'sql-suggestions' : undefined}
        aria-activedescendant={completion && 0 <= chosen ? `sql-suggestions-${chosen}` : undefined}
        value={text}
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          suggest(currentTarget);
        }}
        onKeyDown={(event) => {
          if (!event.isComposing && keys[event.key]?.(event)) event.preventDefault();
        }}
        onBlur={close}
      />
      {completion && <CompletionList id="sql-suggestions" {...{ completion, chosen, accept }} />}
    </div>
  );
}

/** Size of the chart of times, in units of its view box. */
const size = { width: 1000, height: 180 } as const;

/** Draws a result by time as lines, or by category as bars; nothing for any other result. */
function SqlChart({ columns, rows }: ChartedResult) {
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
    const place = `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    // A line of no length is a point, for a value between two that are missing.
    const step = isDrawn ? `L${place}` : `M${place}h0`;
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
