import type { Finding, Fix } from '../../language/index.ts';
import { visible } from '../format/visible.ts';

interface FindingListProps {
  readonly findings: readonly Finding[];
  readonly apply: (fix: Fix) => void;
}

/** Findings that are shown at once. */
const shown = 4;

/** The findings of the query, each with its fixes. */
export function FindingList({ findings, apply }: FindingListProps) {
  const rest = findings.length - shown;
  return (
    <ul id="findings" class="findings" aria-label="Findings">
      {findings.slice(0, shown).map((finding, index) => (
        <li key={`${finding.code}${finding.from}`} class={`finding finding-${finding.severity}`}>
          <span class="finding-severity">{finding.severity}</span>
          <span class="finding-message">
            {visible(finding.message)} <code class="finding-code">{finding.code}</code>
          </span>
          {finding.fixes.slice(0, 3).map((fix, place) => (
            <button key={fix.title} type="button" class="small" onClick={() => apply(fix)}>
              {visible(fix.title)}
              {index === 0 && place === 0 && <kbd>Alt Enter</kbd>}
            </button>
          ))}
        </li>
      ))}
      {0 < rest && <li class="finding">… and {rest} more</li>}
    </ul>
  );
}
