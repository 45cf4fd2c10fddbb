import { useState } from 'preact/hooks';
import type { Answers } from '../../ui/api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { LogNotes } from '../notes/log-notes.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { addClause, clauseFor } from '../query/clauses.ts';
import { usePage } from '../state/use-page-state.ts';
import { allColumns, titleOf } from './columns.ts';
import { colourClass } from './levels.ts';
import { LogContext } from './log-context.tsx';
import { StackTrace } from './stack-trace.tsx';

type WholeLog = Answers['log']['result'];

const tabs = ['Fields', 'Context', 'Record', 'Notes'] as const;

/** One log whole, beside the table: fields, what happened around it, and where it comes from. */
export function LogPanel({ address }: { readonly address: string }) {
  const { state, go } = usePage();
  const [ofCase = 0, id = 0] = address.split(':').map(Number);
  const { result, error } = useAnswer('log', { ofCase, id });
  const [tab, setTab] = useState<(typeof tabs)[number]>('Fields');
  useKeys({ n: () => setTab('Notes') });
  const request = result?.log.requestID;
  const isThis = result?.id === id && result.ofCase === ofCase;
  return (
    <aside class="log-panel" aria-label={`Log ${id}`}>
      <header class="panel-head">
        <h2>
          <span class={`level-badge ${colourClass(result?.log.logLevel)}`}>
            {visible(result?.log.logLevel ?? 'log')}
          </span>{' '}
          Log {id}
        </h2>
        <button type="button" class="quiet" onClick={() => go({ log: undefined })}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {error && <p class="failure">{error.message}</p>}
      {result && (
        <div class={isThis ? '' : 'stale'}>
          <div class="panel-actions">
            <CopyButton label="Copy JSON" text={() => JSON.stringify(result, undefined, 2)} />
            <CopyButton label="Copy link" text={() => location.href} />
            {request !== undefined && (
              <button type="button" class="small" onClick={() => go({ view: 'trace', request })}>
                Trace request
              </button>
            )}
          </div>
          <div class="tabs" role="tablist" aria-label="Parts of the log">
            {tabs.map((each) => (
              <button
                key={each}
                type="button"
                role="tab"
                aria-selected={each === tab}
                onClick={() => setTab(each)}
              >
                {each}
              </button>
            ))}
          </div>
          {tab === 'Fields' && <Fields log={result} zone={state.zone} />}
          {tab === 'Context' && <LogContext ofCase={ofCase} id={id} />}
          {tab === 'Record' && <Record log={result} />}
          {tab === 'Notes' && <LogNotes ofCase={ofCase} id={id} />}
        </div>
      )}
    </aside>
  );
}

function Fields({ log: { log, extra }, zone }: { readonly log: WholeLog; readonly zone: string }) {
  const known = allColumns.flatMap((name) => {
    const value = Object.entries(log).find(([each]) => each === name)?.[1];
    return value === undefined ? [] : [{ name, value }];
  });
  return (
    <dl class="fields">
      {known.map(({ name, value }) => (
        <div key={name} class="field">
          <dt>{titleOf(name)}</dt>
          <dd>
            {name === 'stackTraces' ? (
              <StackTrace text={String(value)} />
            ) : (
              <span class="field-value">
                {name === 'time' ? timeTexts(Number(value), zone) : visible(String(value))}
              </span>
            )}
            {name !== 'stackTraces' && <FieldActions name={name} value={value} />}
          </dd>
        </div>
      ))}
      {Object.entries(extra ?? {}).map(([name, value]) => (
        <div key={`extra ${name}`} class="field">
          <dt class="extra">{visible(name)}</dt>
          <dd>
            <span class="field-value">
              {visible(typeof value === 'string' ? value : JSON.stringify(value))}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function timeTexts(time: number, zone: string): string {
  const utc = `${formatTime(time, 'UTC')} UTC`;
  return zone === 'UTC' ? utc : `${formatTime(time, zone)} (${zone}), ${utc}`;
}

function FieldActions({ name, value }: { readonly name: string; readonly value: string | number }) {
  const { state, go } = usePage();
  const isColumn = state.columns.includes(name);
  const shown = name === 'time' ? new Date(Number(value)).toISOString() : value;
  const clause = clauseFor(name, shown);
  const columns = isColumn ? state.columns.filter((each) => each !== name) : [...state.columns, name];
  return (
    <span class="field-actions">
      <button
        type="button"
        aria-label={`Only this ${titleOf(name)}`}
        title={clause}
        onClick={() => go({ view: 'search', q: addClause(state.q, clause) })}
      >
        +
      </button>
      <button
        type="button"
        aria-label={`Without this ${titleOf(name)}`}
        title={`NOT ${clause}`}
        onClick={() => go({ view: 'search', q: addClause(state.q, clause, true) })}
      >
        −
      </button>
      <button
        type="button"
        aria-label={`Column ${titleOf(name)}`}
        aria-pressed={isColumn}
        disabled={isColumn && state.columns.length === 1}
        title={isColumn ? 'Remove the column' : 'Show as a column'}
        onClick={() => go({ columns })}
      >
        ▥
      </button>
    </span>
  );
}

function Record({ log }: { readonly log: WholeLog }) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['file', log.file],
    ['entry', log.entry],
    ['position', `record ${log.position}`],
    ['part', String(log.part)],
    ['SHA-256', log.fileSha256],
  ];
  return (
    <div class="record">
      <dl class="fields">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name} class="field">
              <dt>{name}</dt>
              <dd>
                <span class="field-value">{visible(value)}</span>
              </dd>
            </div>
          ),
        )}
      </dl>
      <h3>The record as it was written</h3>
      {log.raw === undefined ? (
        <p class="note">Not there: the original is not beside the case.</p>
      ) : (
        <pre class="raw">{visible(log.raw)}</pre>
      )}
    </div>
  );
}
