import type { Investigation, QueriedDifference } from '../../analysis/index.ts';
import { formatNumber } from '../terminal/progress.ts';
import { shortenToWidth } from '../terminal/width.ts';
import { timesText } from './change-text.ts';
import type { Statement } from './statement.ts';

const labels = { new: 'new since', gone: 'gone since', more: 'more since', less: 'less since' } as const;

/** One sentence for each kind of difference: the strongest, and the number of others that are in the findings. */
export function differenceStatements({ differences }: Investigation): readonly Statement[] {
  return (['new', 'gone', 'more', 'less'] as const).flatMap((kind) => {
    const [first, ...others] = differences.filter(({ difference }) => difference.kind === kind);
    if (!first) return [];
    const rest = others.map(nameOf);
    const more = rest.length === 0 ? '' : `; also ${rest.join('; ')}`;
    return [{ label: labels[kind], text: `${nameOf(first)}${more}.`, query: first.logs?.query }];
  });
}

function nameOf({ difference, logs }: QueriedDifference): string {
  const { kind, field, value, before, after, effect } = difference;
  const name = field === 'msg' ? `"${shortenToWidth(value, 60)}"` : `${field} ${shortenToWidth(value, 60)}`;
  const count = formatNumber(logs?.count ?? (kind === 'gone' ? before : after));
  const times = kind === 'more' || kind === 'less' ? ` (${timesText(effect)} the share)` : '';
  return `${name}: ${count}${times}`;
}
