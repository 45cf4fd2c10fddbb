import { type Level, type Member, takenAs } from './level.ts';
import type { QueryView } from './query-view.ts';
import { listed } from './wording.ts';

/** A member of a level as it is written in the text, without its operators. */
export function memberText({ clauses, to }: Member, text: string): string {
  const [{ field, item }] = clauses;
  return text.slice((field ?? item).from, to);
}

/** What the server makes of a level, as deeds: `requires "b", and leaves "a" without effect`. */
export function inWords(level: Level, view: QueryView): string {
  const list = (members: readonly Member[], conjunction: 'and' | 'or') =>
    listed(
      members.slice(0, 4).flatMap((member) => textsOf(member, view)),
      conjunction,
      members.reduce((sum, member) => sum + countOf(member, view), 0),
    );
  const required = takenAs('must', level);
  const optional = takenAs('should', level);
  const excluded = takenAs('mustNot', level);
  const deeds: string[] = [];
  if (0 < required.length) deeds.push(`requires ${list(required, 'and')}`);
  else if (0 < optional.length) deeds.push(`requires ${list(optional, 'or')}`);
  if (0 < excluded.length) deeds.push(`excludes ${list(excluded, 'and')}`);
  if (0 < required.length && 0 < optional.length)
    deeds.push(`leaves ${list(optional, 'and')} without effect`);
  const last = deeds.pop() ?? '';
  return 0 < deeds.length ? `${deeds.join(', ')}, and ${last}` : last;
}

/** The texts of a member: on text fields any word of a run is enough, elsewhere the run is one value. */
function textsOf(member: Member, view: QueryView): string[] {
  if (countOf(member, view) === 1) return [memberText(member, view.text())];
  return member.clauses.slice(0, 4).map(({ item }) => ('term' in item ? item.term.text : ''));
}

function countOf({ clauses }: Member, { targets }: QueryView): number {
  if (clauses.length === 1) return 1;
  return targets(clauses[0]).fields.some(({ type }) => type === 'text') ? clauses.length : 1;
}
