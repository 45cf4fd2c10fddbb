import type { Fix } from '../parse/finding.ts';
import type { LevelMember } from './level.ts';

/** A fix that makes alternatives of the words of a run, each a clause of its own. */
export function orFix({ clauses }: LevelMember): Fix {
  const edits = clauses.slice(1).map(({ from }) => ({ from, to: from, insert: 'OR ' }));
  return { title: 'Put OR between them', edits };
}
