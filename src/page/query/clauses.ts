import { isPlainValue, narrow, parse, quote } from '../../language/index.ts';
import type { Answers } from '../../server/index.ts';

/** A clause for a value of a field. Without a value: for the logs that have none. */
export function clauseFor(field: string, value: string | number | undefined): string {
  if (value === undefined || value === '') return `NOT ${field}:*`;
  const text = String(value);
  if (field === 'time') return `time:${quote(text)}`;
  return /^-?\d+(\.\d+)?$/.test(text) && !text.startsWith('-')
    ? `${field}:${text}`
    : `${field}:${isPlainValue(text) ? text : quote(text)}`;
}

/** Fields that tell a log from those of the same time. */
const telling = ['requestID', 'logCode', 'source', 'machine', 'thread'] as const;

/** Longest value that names a log, in UTF-16 units. */
const longest = 200;

/** A query for a log, which a server and a case answer alike: its time, and what tells it from others of that time. */
export function queryOf(log: Answers['log']['result']['log']): string {
  const { time } = log;
  const clauses = [
    ...(time === undefined ? [] : [clauseFor('time', new Date(time).toISOString())]),
    ...telling.flatMap((name) => {
      const value = log[name];
      return value === undefined || longest < String(value).length ? [] : [clauseFor(name, value)];
    }),
  ];
  return clauses.length === 0 ? '*:*' : clauses.join(' AND ');
}

/** Adds a clause that logs must match, or must not. Both readings take the result alike. */
export function addClause(query: string, clause: string, isExcluded = false): string {
  const isNegative = clause.startsWith('NOT ');
  const added = isExcluded ? (isNegative ? clause.slice(4) : `NOT ${clause}`) : clause;
  const own = query.trim();
  if (own === '' || own === '*:*') return added.startsWith('NOT ') ? `*:* AND ${added}` : added;
  if (joined(own).includes(added)) return own;
  return isConjunction(own) ? `${own} AND ${added}` : narrow(own, [added]);
}

/** The clauses of a query whose parts are all joined by AND. */
function joined(query: string): readonly string[] {
  return query.split(/ AND /);
}

/** True if all parts of a query are joined by AND, so that another one can follow. */
function isConjunction(text: string): boolean {
  const { query, findings } = parse(text);
  return (
    findings.length === 0 &&
    query.parts.every(
      (part, index) =>
        part.kind === 'Clause' &&
        (index === 0
          ? part.modifier === undefined
          : part.conjunction?.kind === 'And' &&
            (part.modifier === undefined || part.modifier.kind === 'Not')),
    )
  );
}
