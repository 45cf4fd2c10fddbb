import { useAnswer } from '../api/use-answer.ts';
import { StateNote } from '../parts/state-note.tsx';
import { CoverageGroups } from './coverage-groups.tsx';

/** The times that the exports of the cases requested, and what is missing. */
export function CoverageView() {
  const answer = useAnswer('coverage', {});
  const groups = answer.result?.flat() ?? [];
  return (
    <section class="view" aria-label="Coverage">
      <StateNote answer={answer} doing="Reading the coverage" />
      {answer.result && groups.length === 0 && (
        <div class="empty">
          <h2>No export of a time range</h2>
          <p class="note">Imported files do not show what is missing.</p>
        </div>
      )}
      <CoverageGroups groups={groups} />
    </section>
  );
}
