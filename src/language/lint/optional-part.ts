import { removeClauses } from './fixes.ts';
import type { LevelMember, QueryLevel } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';

/**
 * An optional part beside a required one. It filters nothing: it only ranks the
 * logs that have it higher in the order by best match (section 2 of the language
 * specification).
 */
export const optionalPart: LintRule = {
  code: 'optional-part',
  heading: 'A part filters nothing',
  severity: 'hint',
  level: checkLevel,
};

function checkLevel(level: QueryLevel, { report }: LintContext): void {
  if (!level.sound || level.counts.must === 0 || level.counts.should === 0) return;
  for (const run of runsOf(level.members)) {
    const [from, to] = [run[0]?.from ?? 0, run.at(-1)?.to ?? 0];
    const what = run.length === 1 ? 'This part filters' : `These ${run.length} parts filter`;
    report(
      { from, to },
      `${what} nothing: beside a required part an optional one only counts for the order by best match`,
      () =>
        removeClauses(
          level.parts,
          run.flatMap(({ clauses }) => clauses),
        ),
    );
  }
}

/** The optional members, neighbours together. */
function runsOf(members: readonly LevelMember[]): LevelMember[][] {
  const runs: LevelMember[][] = [];
  let run: LevelMember[] | undefined;
  for (const member of members) {
    if (member.occur !== 'should') {
      run = undefined;
    } else if (run) {
      run.push(member);
    } else {
      run = [member];
      runs.push(run);
    }
  }
  return runs;
}
