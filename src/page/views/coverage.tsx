import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../format/visible.ts';
import { StateNote } from '../parts/state-note.tsx';
import { CoverageGroups } from './coverage-groups.tsx';

/** The times that the exports of the cases requested, and what is missing. */
export function CoverageView({ names }: { readonly names: readonly string[] }) {
  const answer = useAnswer('coverage', {});
  const ofCases = answer.result ?? [];
  const groups = ofCases.flat();
  return (
    <section class="view" aria-label="Coverage">
      <StateNote answer={answer} doing="Reading the coverage" />
      {answer.result && groups.length === 0 && (
        <div class="empty">
          <h2>No export of a time range</h2>
          <p class="note">Imported files do not show what is missing.</p>
        </div>
      )}
      {ofCases.map((each, index) =>
        0 < each.length ? (
          <section key={index}>
            {1 < names.length && <h2>{visible(names[index] ?? '')}</h2>}
            <CoverageGroups groups={each} />
          </section>
        ) : null,
      )}
    </section>
  );
}
