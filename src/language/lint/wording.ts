import { type LevelMember, membersTakenAs, memberText, type QueryLevel } from './level.ts';
import type { QueryView } from './rule.ts';

/** The most UTF-16 units of a text that a message repeats. */
const longest = 40;

/** A text in quotes, unless it has some; a long one is shortened to its beginning and its end. */
export function quoteName(text: string): string {
  if (text.length <= longest && /^".*"$/s.test(text)) return text;
  return `"${text.length <= longest ? text : `${head(text)}…${tail(text)}`}"`;
}

function head(text: string): string {
  return text.slice(0, longest / 2).replace(/[\ud800-\udbff]$/, '');
}

function tail(text: string): string {
  return text.slice(1 - longest / 2).replace(/^[\udc00-\udfff]/, '');
}

/**
 * Texts as a list: `"a"`, `"a" and "b"`, `"a", "b", "c" and 5 more`. `count` is
 * the number of all texts, the first four of which are enough.
 */
export function joinNames(texts: readonly string[], conjunction: 'and' | 'or', count = texts.length): string {
  const shown = texts.slice(0, count <= 4 ? 4 : 3).map(quoteName);
  const last = count <= 4 ? shown.pop() : `${count - 3} more`;
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} ${conjunction} ${last}`;
}

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
