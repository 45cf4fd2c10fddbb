import type { LintRule } from './rule.ts';

/**
 * A level of exclusions alone. Some engines then select no log (section 2 of the
 * language specification).
 */
export const onlyExcludes: LintRule = {
  code: 'only-excludes',
  heading: 'Every part of a level is excluded',
  severity: 'warning',
  level: ({ members, counts, from, to }, { engine, report }) => {
    if (engine.pureNegative === 'all' || counts.mustNot === 0 || 0 < counts.must + counts.should) return;
    const start = members[0]?.from ?? from;
    report(
      { from: start, to: members.at(-1)?.to ?? to },
      'This only excludes, and the engine excludes from nothing: it selects no log',
      () => [{ title: 'Exclude from all logs', edits: [{ from: start, to: start, insert: '*:* AND ' }] }],
    );
  },
};
