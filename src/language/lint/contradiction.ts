import { type QueryLevel, startOf } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';

/** A part that excludes what another part of its level asks for. */
export const contradictingPart: LintRule = {
  code: 'contradiction',
  heading: 'A part excludes what another one asks for',
  severity: 'warning',
  level: checkLevel,
};

function checkLevel(level: QueryLevel, context: LintContext): void {
  if (!level.sound || level.counts.mustNot === 0 || level.parts.length < 2) return;
  for (const repetition of context.repetitions(level)) {
    const counterpart = repetition.findLast(({ occur }) => occur !== 'mustNot');
    if (!counterpart) continue;
    const effect =
      counterpart.occur === 'must' ? 'requires it, so no log can match' : 'asks for it, and finds nothing';
    for (const { clause, occur } of repetition) {
      if (occur !== 'mustNot') continue;
      context.report(
        { from: startOf(clause), to: clause.to },
        `This is excluded, but another part ${effect}`,
      );
    }
  }
}
