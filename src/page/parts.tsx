import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, formatNumber, visible } from './format.ts';
import type { ProgressingAnswer } from './server-calls.ts';

/** Says that an answer is on its way, with a way to end it, or why there is none. */
export function StateNote({
  answer,
  doing,
}: {
  readonly answer: ProgressingAnswer<unknown>;
  readonly doing: string;
}) {
  const { isLoading, isCancelled, error, progress, cancel } = answer;
  return (
    <div class="state-note">
      <span role="status">{isLoading ? `${doing} …` : isCancelled ? 'Cancelled' : ''}</span>
      {progress && (
        <>
          {isLoading && <progress aria-label={doing} value={progress.logs} max={progress.of} />}
          <span class="number">
            {formatNumber(progress.logs)} of {formatCount(progress.of, 'log')} read
          </span>
        </>
      )}
      {isLoading && <CancelButton cancel={cancel} />}
      {error && error.status !== 0 && (
        <p class="failure" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** Ends what is on its way; Escape anywhere does the same. */
export function CancelButton({ cancel }: { readonly cancel: () => void }) {
  return (
    <button type="button" class="small cancel" onClick={cancel}>
      Cancel <kbd>Esc</kbd>
    </button>
  );
}

/** Chooses one of several cases by its number; nothing if there is only one. */
export function CaseSelect({
  names,
  chosen,
  choose,
}: {
  readonly names: readonly string[];
  readonly chosen: number;
  readonly choose: (ofCase: number) => void;
}) {
  if (names.length < 2) return null;
  return (
    <select
      aria-label="Case"
      value={chosen}
      onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
    >
      {names.map((name, index) => (
        <option key={name} value={index}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  return (
    <button
      type="button"
      class="small"
      onClick={() => {
        void navigator.clipboard.writeText(text()).then(() => {
          setDone(true);
          setTimeout(() => setDone(false), 1500);
        });
      }}
    >
      <span aria-live="polite">{isDone ? 'Copied' : label}</span>
    </button>
  );
}

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A dialog above the page; Escape and its button close it, and the focus goes back. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={close}>
      <header class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface SparklineProps {
  readonly counts: readonly number[];
  readonly label: string;
}

/** Counts over time as small bars. */
export function Sparkline({ counts, label }: SparklineProps) {
  const most = Math.max(1, ...counts);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${counts.length} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {counts.map((count, index) => {
        const size = count === 0 ? 0 : Math.max(0.7, (10 * count) / most);
        return <rect key={index} x={index} y={10 - size} width={0.8} height={size} />;
      })}
    </svg>
  );
}

/** Acts on keys that are pressed outside of fields. */
export function useKeys(keys: { readonly [key: string]: () => void }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      const isInField = event.target instanceof Element && event.target.closest('input, textarea, select');
      if (isInField && event.key !== 'Escape') return;
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

/** Replaces a part of the text as if it were typed, so that undo knows it. */
export function insertText(
  area: HTMLTextAreaElement,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isTyped = document.execCommand('insertText', false, text);
  if (!isTyped) area.setRangeText(text, from, to, 'end');
}
