import { useEffect, useState } from 'preact/hooks';
import { formatTime, parseTime } from '../format/times.ts';
import { usePage } from '../state/use-page-state.ts';

/** Lengths of time before the last log, in milliseconds. */
const lengths = [
  ['15 min', 900_000],
  ['1 h', 3_600_000],
  ['6 h', 21_600_000],
  ['1 d', 86_400_000],
  ['7 d', 604_800_000],
] as const;

interface TimeRangeProps {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** The interval of the page, on the clock of its zone. */
export function TimeRange({ first, last }: TimeRangeProps) {
  const { state, go } = usePage();
  const { from, to, zone } = state;
  const isLimited = from !== undefined || to !== undefined;
  const usable = lengths.filter(
    ([, length]) => first !== undefined && last !== undefined && length < last - first,
  );
  return (
    <fieldset class="time-range">
      <legend class="hidden">Interval</legend>
      <TimeField label="From" time={from} usual={first} zone={zone} change={(time) => go({ from: time })} />
      <span aria-hidden="true">–</span>
      <TimeField label="To" time={to} usual={last} zone={zone} isEnd change={(time) => go({ to: time })} />
      <select
        aria-label="Last part of the logs"
        value=""
        onChange={({ currentTarget }) => {
          const length = Number(currentTarget.value);
          if (last !== undefined && 0 < length) go({ from: last - length, to: last });
          currentTarget.value = '';
        }}
      >
        <option value="">Last …</option>
        {usable.map(([name, length]) => (
          <option key={name} value={length}>
            last {name} of the logs
          </option>
        ))}
      </select>
      <button type="button" disabled={!isLimited} onClick={() => go({ from: undefined, to: undefined })}>
        All times
      </button>
      <span class="spring" />
      {state.view === 'search' && (
        <button
          type="button"
          aria-pressed={state.times === 'relative'}
          title="Times of the table before the last log"
          onClick={() => go({ times: state.times === 'relative' ? 'absolute' : 'relative' })}
        >
          Relative times
        </button>
      )}
    </fieldset>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly time: number | undefined;
  readonly usual: number | undefined;
  readonly zone: string;
  /** The end of the interval. */
  readonly isEnd?: boolean;
  readonly change: (time: number | undefined) => void;
}

function TimeField({ label, time, usual, zone, isEnd = false, change }: TimeFieldProps) {
  const shown = time === undefined ? '' : formatTime(time, zone);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const parsed = parseTime(text, zone, isEnd);
  const isBad = text.trim() !== '' && parsed === undefined;
  const send = () => {
    if (!isBad && text !== shown) change(parsed);
  };
  return (
    <input
      class="time-field"
      aria-label={label}
      aria-invalid={isBad}
      title={`${label}, such as 2025-03-12 08:24 or now-2h`}
      value={text}
      placeholder={usual === undefined ? label : formatTime(usual, zone)}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && send()}
      onBlur={send}
    />
  );
}
