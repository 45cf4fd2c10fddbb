import type { ShownAnswer } from '../api/use-answer.ts';

/** Says that an answer is on its way, with a way to end it, or why there is none. */
export function StateNote({
  answer,
  doing,
}: {
  readonly answer: ShownAnswer<unknown>;
  readonly doing: string;
}) {
  const { isLoading, error, cancel } = answer;
  return (
    <div class="state-note">
      <span role="status">{isLoading ? `${doing} …` : ''}</span>
      {isLoading && (
        <button type="button" class="small cancel" onClick={cancel}>
          Cancel <kbd>Esc</kbd>
        </button>
      )}
      {error && error.status !== 0 && (
        <p class="failure" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}
