import { type LevelMember, membersTakenAs, memberText, type QueryLevel } from './level.ts';
import type { QueryView } from './query-view.ts';
import { joinNames } from './wording.ts';

/** The server's reading of a level as a list of verbs: `requires "b", and leaves "a" without effect`. */
export function describeLevel(level: QueryLevel, view: QueryView): string {
  const list = (members: readonly LevelMember[], conjunction: 'and' | 'or') =>
    joinNames(
      members.slice(0, 4).flatMap((member) => textsOf(member, view)),
      conjunction,
      members.reduce((sum, member) => sum + countOf(member), 0),
    );
  const required = membersTakenAs('must', level);
  const optional = membersTakenAs('should', level);
  const excluded = membersTakenAs('mustNot', level);
  const verbs: string[] = [];
  if (0 < required.length) verbs.push(`requires ${list(required, 'and')}`);
  else if (0 < optional.length) verbs.push(`requires ${list(optional, 'or')}`);
  if (0 < excluded.length) verbs.push(`excludes ${list(excluded, 'and')}`);
  if (0 < required.length && 0 < optional.length)
    verbs.push(`leaves ${list(optional, 'and')} without effect`);
  const last = verbs.pop() ?? '';
  return 0 < verbs.length ? `${verbs.join(', ')}, and ${last}` : last;
}

/** The texts of a member: on text fields any word of a run is enough, elsewhere the run is one value. */
function textsOf(member: LevelMember, view: QueryView): string[] {
  if (countOf(member) === 1) return [memberText(member, view.text())];
  return member.clauses.slice(0, 4).map(({ item }) => ('term' in item ? item.term.text : ''));
}

function countOf({ clauses, searchTargets }: LevelMember): number {
  return searchTargets.hasText ? clauses.length : 1;
}
