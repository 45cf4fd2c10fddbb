import type { Rule, RuleContext } from '../rule.ts';
import { type Level, startOf } from './views/level.ts';

/** A part that excludes what another part of its level asks for. */
export const contradiction: Rule = {
  code: 'contradiction',
  heading: 'A part excludes what another one asks for',
  severity: 'warning',
  level: checkLevel,
};

function checkLevel(level: Level, context: RuleContext): void {
  if (!level.sound || level.taken.mustNot.length === 0 || level.parts.length < 2) return;
  const sayings = context.sayings(level);
  const sought = new Map(
    sayings.filter(({ occur }) => occur !== 'mustNot').map(({ saying, occur }) => [saying, occur]),
  );
  for (const { clause, occur, saying } of sayings) {
    const other = occur === 'mustNot' ? sought.get(saying) : undefined;
    if (!other) continue;
    const effect = other === 'must' ? 'requires it, so no log can match' : 'asks for it, and finds nothing';
    context.report({ from: startOf(clause), to: clause.to }, `This is excluded, but another part ${effect}`);
  }
}
