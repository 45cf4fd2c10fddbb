import { useEffect, useState } from 'preact/hooks';
import type { Answers } from '../server/index.ts';
import { formatBytes, formatCount, formatNumber, visible } from './format.ts';
import { CoverageGroups } from './overview.tsx';
import { CopyButton, StateNote } from './parts.tsx';
import { CallError, callServer, useAnswer } from './server-calls.ts';
import { caseName } from './sources.tsx';
import { usePage } from './use-page-state.ts';

type Status = NonNullable<Answers['exportStatus']['result']>;
type Coverage = Answers['coverage']['result'];
type Order = Answers['startExport']['parameters'];

/** Pause between two looks at a running export, in milliseconds. */
const pause = 500;

const stateTexts: { readonly [S in Status['state']]: string } = {
  running: 'Exporting',
  complete: 'Complete: these are all requested logs',
  incomplete: 'Incomplete: the messages and the coverage name what is missing',
  stopped: 'Stopped: what came is kept, and Resume goes on',
  failed: 'Failed: what came is kept',
};

/** An export of a deployment: ordered, watched, stopped and resumed. */
export function ExportView() {
  const answer = useAnswer('offers', {});
  const { status, coverage, error, act } = useExport();
  const { result: offers } = answer;
  return (
    <section class="view" aria-label="Export">
      <StateNote answer={answer} doing="Reading the profiles" />
      {error !== undefined && (
        <p class="failure" role="alert">
          {visible(error)}
        </p>
      )}
      {status && <Progress {...{ status, coverage, act }} />}
      {offers && (
        <ExportForm
          offers={offers}
          isRunning={status?.state === 'running'}
          start={(order) => act((signal) => callServer('startExport', order, signal))}
        />
      )}
    </section>
  );
}

type Act = (work: (signal: AbortSignal) => Promise<Status | null>) => void;

/** The last export, looked at again while it runs, and the coverage of its case. */
function useExport() {
  const [status, setStatus] = useState<Status>();
  const [coverage, setCoverage] = useState<Coverage>([]);
  const [error, setError] = useState<string>();
  const isRunning = status?.state === 'running';
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const now = await callServer('exportStatus', {}, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (now) {
        setStatus(now);
        // The case has nothing to read before its first window.
        const found = await callServer('coverage', {}, signal, [now.order.case]).catch(() => undefined);
        if (found && !signal.aborted) setCoverage(found);
      }
      if (now?.state === 'running' && !signal.aborted) timer = setTimeout(() => void look(), pause);
    };
    void look();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [isRunning]);
  const act: Act = (work) => {
    setError(undefined);
    work(new AbortController().signal).then(
      (next) => next && setStatus(next),
      (reason: unknown) => setError(reason instanceof CallError ? reason.message : String(reason)),
    );
  };
  return { status, coverage, error, act };
}

interface ProgressProps {
  readonly status: Status;
  readonly coverage: Coverage;
  readonly act: Act;
}

function Progress({ status, coverage, act }: ProgressProps) {
  const { go } = usePage();
  const { order, state, totals, messages, command } = status;
  const again = (kind: Order['kind']) =>
    act((signal) => callServer('startExport', { ...order, kind }, signal));
  return (
    <section class="export-status" aria-label="The last export">
      <h2>{visible(order.case)}</h2>
      <p>
        <strong role="status" class={`export-${state}`}>
          {stateTexts[state]}
        </strong>{' '}
        {totals && <span class="note">{totalsText(totals)}</span>}
      </p>
      {totals && state === 'running' && (
        <progress
          aria-label="Exported logs"
          {...(totals.remaining !== undefined && {
            value: totals.logs,
            max: Math.max(1, totals.logs + totals.remaining),
          })}
        />
      )}
      <p class="actions">
        {state === 'running' && (
          <button type="button" onClick={() => act((signal) => callServer('stopExport', {}, signal))}>
            Stop
          </button>
        )}
        {(state === 'stopped' || state === 'failed') && (
          <button type="button" class="primary" onClick={() => again('resume')}>
            Resume
          </button>
        )}
        {state === 'incomplete' && (
          <button type="button" onClick={() => again('retry gaps')}>
            Try the gaps again
          </button>
        )}
        {state === 'complete' && (
          <button type="button" onClick={() => again('since last')}>
            Export what came since
          </button>
        )}
        {0 < coverage.flat().length && (
          <button type="button" onClick={() => go({ cases: [order.case], view: 'search', log: undefined })}>
            Show its logs
          </button>
        )}
        <CopyButton label="Copy the export as command" text={() => command} />
      </p>
      {0 < messages.length && (
        <ul class="messages" aria-label="Messages of the export">
          {messages.map((message, index) => (
            <li key={index}>{visible(message)}</li>
          ))}
        </ul>
      )}
      <CoverageGroups groups={coverage.flat()} />
    </section>
  );
}

function totalsText({ logs, remaining, windows, underWay, bytes }: NonNullable<Status['totals']>): string {
  const about = remaining === undefined ? '' : ` of about ${formatNumber(logs + Math.round(remaining))}`;
  return `${formatCount(logs, 'log')}${about}, ${formatCount(windows, 'window')}, ${formatBytes(bytes)}, ${formatCount(underWay, 'job')} running`;
}

type ExportFormOrder = Answers['startExport']['parameters'];

interface ExportFormProps {
  readonly offers: Answers['offers']['result'];
  readonly isRunning: boolean;
  readonly start: (order: ExportFormOrder) => void;
}

const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'] as const;

const kinds: readonly (readonly [ExportFormOrder['kind'], string])[] = [
  ['new', 'the logs of a time range'],
  ['since last', 'what came since its last export'],
  ['resume', 'the rest of its stopped export'],
  ['retry gaps', 'the gaps of its last export'],
];

/** The order of an export, in the words of the command line. Of a profile the page knows the name alone. */
function ExportForm({ offers, isRunning, start }: ExportFormProps) {
  const { profiles } = offers;
  const [order, setOrder] = useState<ExportFormOrder>({
    profile: profiles[0] ?? '',
    case: 'incident.duckdb',
    kind: 'new',
    from: 'now-6h',
    to: '',
    search: '',
    logLevel: '',
  });
  const change = (next: Partial<ExportFormOrder>) => setOrder({ ...order, ...next });
  const isNew = order.kind === 'new';
  if (profiles.length === 0)
    return (
      <p class="note">
        There is no profile. <code>logquarry sign-in --save NAME --url URL --user USER</code> makes one: a
        page has no field for a password.
      </p>
    );
  return (
    <form
      class="export-form"
      aria-label="Order an export"
      onSubmit={(event) => {
        event.preventDefault();
        start({ ...order, case: caseName(order.case) });
      }}
    >
      <h2>Order an export</h2>
      <label>
        Profile
        <select
          value={order.profile}
          onChange={({ currentTarget }) => change({ profile: currentTarget.value })}
        >
          {profiles.map((name) => (
            <option key={name} value={name}>
              {name === '' ? 'settings of the environment' : visible(name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Into the case
        <input
          list="export-cases"
          required
          value={order.case}
          onInput={({ currentTarget }) => change({ case: currentTarget.value })}
        />
      </label>
      <datalist id="export-cases">
        {offers.files.map(({ name, kind }) => (kind === 'case' ? <option key={name} value={name} /> : null))}
      </datalist>
      <label>
        Export
        <select
          value={order.kind}
          onChange={({ currentTarget: { value } }) =>
            change({ kind: kinds.find(([kind]) => kind === value)?.[0] ?? 'new' })
          }
        >
          {kinds.map(([kind, about]) => (
            <option key={kind} value={kind}>
              {about}
            </option>
          ))}
        </select>
      </label>
      {isNew && (
        <>
          <Text
            label="From"
            value={order.from}
            hint="such as now-6h or 2025-03-12"
            change={(from) => change({ from })}
          />
          <Text label="To" value={order.to} hint="now" change={(to) => change({ to })} />
          <Text label="Query" value={order.search} hint="all logs" change={(search) => change({ search })} />
          <label>
            Level
            <select
              value={order.logLevel ?? ''}
              onChange={({ currentTarget }) => change({ logLevel: currentTarget.value })}
            >
              <option value="">the usual one of export</option>
              {levels.map((level) => (
                <option key={level} value={level}>
                  {level} and more severe
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <button type="submit" class="primary" disabled={isRunning}>
        Start the export
      </button>
    </form>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly hint: string;
  readonly change: (value: string) => void;
}

function Text({ label, value = '', hint, change }: TextProps) {
  return (
    <label>
      {label}
      <input value={value} placeholder={hint} onInput={({ currentTarget }) => change(currentTarget.value)} />
    </label>
  );
}
