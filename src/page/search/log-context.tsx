import { useState } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { colourClass } from '../format/levels.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { usePage } from '../state/use-page-state.ts';

interface LogContextProps {
  readonly ofCase: number;
  readonly id: number;
}

/** The logs before and after one in its case, whatever the query selects. */
export function LogContext({ ofCase, id }: LogContextProps) {
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
