import { useState } from 'preact/hooks';
import type { Answers } from '../../server/index.ts';
import { visible } from '../format/visible.ts';
import { caseName } from './drop-file.tsx';

type Order = Answers['startExport']['parameters'];

interface ExportFormProps {
  readonly offers: Answers['offers']['result'];
  readonly isRunning: boolean;
  readonly start: (order: Order) => void;
}

const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'] as const;

const kinds: readonly (readonly [Order['kind'], string])[] = [
  ['new', 'the logs of a time range'],
  ['since last', 'what came since its last export'],
  ['resume', 'the rest of its stopped export'],
  ['retry gaps', 'the gaps of its last export'],
];

/** The order of an export, in the words of the command line. Of a profile the page knows the name alone. */
export function ExportForm({ offers, isRunning, start }: ExportFormProps) {
  const { profiles } = offers;
  const [order, setOrder] = useState<Order>({
    ...{ profile: profiles[0] ?? '', case: 'incident.duckdb', kind: 'new' },
    ...{ from: 'now-6h', to: '', search: '', logLevel: '' },
  });
  const change = (next: Partial<Order>) => setOrder({ ...order, ...next });
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
