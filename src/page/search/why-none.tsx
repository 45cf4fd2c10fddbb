import { quote } from '../../language/index.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatCount, formatNumber } from '../format/numbers.ts';
import { visible } from '../format/visible.ts';
import { clauseFor } from '../query/clauses.ts';
import { usePage } from '../state/use-page-state.ts';
import type { SelectionParameters } from './use-search.ts';

/** The clauses of a query that selects nothing: what each selects alone, and what the cases have instead. */
export function WhyNone({ selection }: { readonly selection: SelectionParameters }) {
  const { go } = usePage();
  const { result } = useAnswer('poorResult', selection);
  return (
    <ul class="why-none" aria-label="Parts of the query">
      {result?.parts.map(({ text, count, near, values }) => (
        <li key={text}>
          <button type="button" class="template" onClick={() => go({ q: text })}>
            {visible(text)}
          </button>
          <span>{count === 0 ? 'selects no log' : `alone selects ${formatCount(count, 'log')}`}</span>
          {near.map(({ words, count: logs }) => (
            <button
              key={words.join(' ')}
              type="button"
              class="small"
              onClick={() =>
                go({
                  q: `${/^\w+:/.exec(text)?.[0] ?? ''}${words.length === 1 ? words[0] : quote(words.join(' '))}`,
                })
              }
            >
              {visible(words.join(' '))} {formatNumber(logs)}
            </button>
          ))}
          {values?.values.map(({ value, count: logs }) => (
            <button
              key={String(value)}
              type="button"
              class="small"
              onClick={() => go({ q: clauseFor(values.field, value) })}
            >
              {visible(String(value))} {formatNumber(logs)}
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}
