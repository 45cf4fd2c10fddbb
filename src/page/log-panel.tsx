import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Span } from '../language/index.ts';
import type { Answers } from '../server/index.ts';
import { colourClass, formatNumber, formatTime, showCommandOf, visible } from './format.ts';
import { allColumns, HighlightedText, highlighterOf, titleOf } from './log-table.tsx';
import { NoteCard, NoteForm } from './notes.tsx';
import { type LogPart, logParts } from './page-state.ts';
import { CopyButton, StateNote, useKeys } from './parts.tsx';
import { addClause, clauseFor, queryOf } from './query-text.ts';
import { useAnswer, useWriter, useWritten } from './server-calls.ts';
import { usePage } from './use-page-state.ts';

type WholeLog = Answers['log']['result'];

const titles: { readonly [P in LogPart]: string } = {
  fields: 'Fields',
  context: 'Context',
  record: 'Record',
  notes: 'Notes',
};

interface LogPanelProps {
  readonly address: string;
  /** Names of the cases; of several, the heading has that of the log. */
  readonly names: readonly string[];
  /** The words of a command line that name the cases. */
  readonly paths: readonly string[];
}

/** One log whole, beside the table: fields, what happened around it, and where it comes from. */
export function LogPanel({ address, names, paths }: LogPanelProps) {
  const { state, go } = usePage();
  const [ofCase = 0, id = 0] = address.split(':').map(Number);
  const { result, error } = useAnswer('log', { ofCase, id });
  const part = state.part ?? 'fields';
  /** How often a key asked for a note, whose comment has the focus then. */
  const [noted, setNoted] = useState(0);
  const open = (next: LogPart) => {
    setNoted(0);
    go({ part: next });
  };
  useKeys({
    n: () => {
      open('notes');
      setNoted(noted + 1);
    },
  });
  const request = result?.log.requestID;
  const title = `Log ${id}${1 < names.length ? ` of ${visible(names[ofCase] ?? '')}` : ''}`;
  const isThis = result?.id === id && result.ofCase === ofCase;
  return (
    <aside class="log-panel" aria-label={title}>
      <header class="panel-head">
        <h2>
          <span class={`level-badge ${colourClass(result?.log.logLevel)}`}>
            {visible((result?.log.logLevel ?? 'log').slice(0, 40))}
          </span>{' '}
          {title}
        </h2>
        <button type="button" class="quiet" onClick={() => go({ log: undefined })}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {error && <p class="failure">{error.message}</p>}
      {result && (
        <div class={isThis ? '' : 'stale'}>
          <div class="panel-actions">
            <CopyButton label="Copy query" text={() => queryOf(result.log)} />
            <CopyButton label="Copy JSON" text={() => JSON.stringify(result, undefined, 2)} />
            <CopyButton label="Copy link" text={() => location.href} />
            {paths.length === names.length && (
              <CopyButton label="Copy command" text={() => showCommandOf(id, paths[ofCase] ?? '')} />
            )}
            {request !== undefined && (
              <button type="button" class="small" onClick={() => go({ view: 'trace', request })}>
                Trace request
              </button>
            )}
          </div>
          <Tabs {...{ part, open }} />
          <div role="tabpanel" id="log-part" aria-labelledby={`tab-${part}`}>
            {part === 'fields' && <Fields log={result} />}
            {part === 'context' && <LogContext ofCase={ofCase} id={id} />}
            {part === 'record' && <Record log={result} />}
            {part === 'notes' && <LogNotes {...{ ofCase, id, noted }} />}
          </div>
        </div>
      )}
    </aside>
  );
}

interface TabsProps {
  readonly part: LogPart;
  readonly open: (part: LogPart) => void;
}

/** The parts of the log as tabs; arrow keys move between them. */
function Tabs({ part, open }: TabsProps) {
  const move = (step: number, list: HTMLElement) => {
    const next = logParts.at((logParts.indexOf(part) + step) % logParts.length) ?? part;
    open(next);
    list.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label="Parts of the log"
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'ArrowRight') move(1, currentTarget);
        else if (key === 'ArrowLeft') move(-1, currentTarget);
      }}
    >
      {logParts.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-controls="log-part"
          aria-selected={each === part}
          tabIndex={each === part ? 0 : -1}
          onClick={() => open(each)}
        >
          {titles[each]}
        </button>
      ))}
    </div>
  );
}

function Fields({ log: { log, extra } }: { readonly log: WholeLog }) {
  const { state } = usePage();
  const { q, zone } = state;
  const marks = useMemo(() => highlighterOf(q, Date.now())(log), [q, log]);
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
              <div class="stack-trace">
                <LongText text={String(value)} draw={(text) => <StackTrace text={text} />} />
              </div>
            ) : (
              <span class="field-value">
                {name === 'time' ? (
                  timeTexts(Number(value), zone)
                ) : (
                  <LongText
                    text={String(value)}
                    draw={(text) => (
                      <HighlightedText text={text} spans={within(marks.get(name) ?? [], text)} />
                    )}
                  />
                )}
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
              <LongText text={typeof value === 'string' ? value : JSON.stringify(value)} draw={visible} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The spans that lie within the shown beginning of a text. */
function within(spans: readonly Span[], text: string): readonly Span[] {
  return spans.filter(({ to }) => to <= text.length);
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
        <pre class="raw">
          <LongText text={log.raw} draw={visible} />
        </pre>
      )}
    </div>
  );
}

interface LogContextProps {
  readonly ofCase: number;
  readonly id: number;
}

/** The logs before and after one in its case, whatever the query selects. */
function LogContext({ ofCase, id }: LogContextProps) {
  const { state, go } = usePage();
  const [around, setAround] = useState(10);
  const { result = [] } = useAnswer('context', { ofCase, id, around });
  return (
    <div class="context">
      <p class="note">All logs around this one, without the query.</p>
      <ol>
        {result.map(({ id: each, log }) => (
          <li
            key={each}
            class={each === id ? 'context-hit' : ''}
            aria-current={each === id ? 'true' : undefined}
          >
            <button
              type="button"
              class={`context-log ${colourClass(log.logLevel)}`}
              onClick={() => go({ log: `${ofCase}:${each}` })}
            >
              <time>{log.time === undefined ? '' : formatTime(log.time, state.zone).slice(11)}</time>
              <span class="context-level">{visible(log.logLevel ?? '')}</span>
              <span class="context-text">{visible((log.msg ?? '').slice(0, 300))}</span>
            </button>
          </li>
        ))}
      </ol>
      {around < 100 && (
        <button type="button" class="small" onClick={() => setAround(around * 3)}>
          More before and after
        </button>
      )}
    </div>
  );
}

interface LogNotesProps {
  readonly ofCase: number;
  readonly id: number;
  /** How often a key asked for a note. */
  readonly noted: number;
}

/** The notes on one log, and a form for another. */
function LogNotes({ ofCase, id, noted }: LogNotesProps) {
  const answer = useAnswer('notes', {}, useWritten());
  const { write, isWriting, error } = useWriter();
  const found = (answer.result ?? []).filter((each) => each.ofCase === ofCase && each.logs.includes(id));
  return (
    <div class="log-notes">
      <StateNote answer={answer} doing="Reading notes" />
      {found.map((each) => (
        <NoteCard key={each.note} note={each} />
      ))}
      <NoteForm
        {...{ action: 'Add note', isWriting, error, focused: noted }}
        save={({ text, tags }) => write('addNote', { ofCase, logs: [id], text, tags: [...tags] })}
      />
    </div>
  );
}

/** Longest text that is shown at once, in UTF-16 units: a browser takes seconds to lay out a megabyte. */
const longest = 8000;

interface LongTextProps {
  readonly text: string;
  /** Draws the text or its beginning. */
  readonly draw: (text: string) => ComponentChildren;
}

/** A text, of a long one the beginning with a button for all of it. */
function LongText({ text, draw }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= longest) return <>{draw(text)}</>;
  return (
    <>
      {draw(text.slice(0, longest))}…{' '}
      <button type="button" class="small" onClick={() => setWhole(true)}>
        All {formatNumber(text.length)} characters
      </button>
    </>
  );
}

/** Frames of a run that are shown before the rest is folded. */
const shownFrames = 3;

interface FrameRun {
  readonly isFrames: boolean;
  readonly lines: readonly string[];
}

/** A stack trace whose long runs of frames are folded. */
function StackTrace({ text }: { readonly text: string }) {
  return (
    <>
      {runsOf(text).map((run, index) => (
        <Frames key={index} {...run} />
      ))}
    </>
  );
}

function Frames({ isFrames, lines }: FrameRun) {
  const [isOpen, setOpen] = useState(false);
  const rest = isFrames ? lines.length - shownFrames : 0;
  const shown = isOpen || rest <= 0 ? lines : lines.slice(0, shownFrames);
  return (
    <>
      <pre class={isFrames ? 'frames' : 'cause'}>{visible(shown.join('\n'))}</pre>
      {0 < rest && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : `… ${rest} more frames`}
        </button>
      )}
    </>
  );
}

function runsOf(text: string): readonly FrameRun[] {
  const runs: { isFrames: boolean; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const isFrames = /^\s+at\s/.test(line);
    const last = runs.at(-1);
    if (last?.isFrames === isFrames) last.lines.push(line);
    else runs.push({ isFrames, lines: [line] });
  }
  return runs;
}
