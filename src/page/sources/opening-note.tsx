import { visible } from '../format/visible.ts';
import type { OpeningAccess } from './use-opening.ts';

/** Most messages that are shown. */
const mostMessages = 20;

/** Progress, messages and failure of opening a source. */
export function OpeningNote({ opening, cancel }: Pick<OpeningAccess, 'opening' | 'cancel'>) {
  const { status, messages, error } = opening;
  return (
    <div class="opening">
      <p class="state-note">
        <span role="status">{visible(status)}</span>
        {status !== '' && (
          <button type="button" class="small" onClick={cancel}>
            Cancel
          </button>
        )}
      </p>
      {0 < messages.length && (
        <ul class="messages" aria-label="Messages">
          {messages.slice(-mostMessages).map((message, index) => (
            <li key={index}>{visible(message)}</li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p class="failure" role="alert">
          {visible(error)}
        </p>
      )}
    </div>
  );
}
