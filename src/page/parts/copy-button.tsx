import { useState } from 'preact/hooks';

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
