import {
  applyFix,
  type Finding,
  type Fix,
  isPlainValue,
  type LanguageService,
  narrow,
  parse,
  quote,
  type Severity,
} from '../language/index.ts';
import type { Answers } from '../server/index.ts';

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

/** The fixes of a finding that remove it. Any other would be offered again once it is applied, without end. */
export function workingFixes(
  { code, message, fixes }: Finding,
  { text, findings }: Pick<LanguageService, 'text' | 'findings'>,
  check: (text: string) => readonly Finding[],
): readonly Fix[] {
  const count = (found: readonly Finding[]) =>
    found.filter((each) => each.code === code && each.message === message).length;
  const before = count(findings());
  return fixes.filter((fix) => count(check(applyFix(text, fix))) < before);
}

/** A piece of a query with one look. */
interface PaintedPiece {
  readonly text: string;
  /** Classes of its token, and of the worst finding on it. */
  readonly look: string;
}

/** Longest text that is coloured, in UTF-16 units; a longer one stays plain, so that typing stays fast. */
const longestPainted = 20_000;

const weights: readonly Severity[] = ['hint', 'warning', 'error'];

/** Cuts a query into pieces of one look: the colours of its tokens, and marks where findings are. */
export function paintQuery({ text, ...service }: LanguageService): readonly PaintedPiece[] {
  if (longestPainted < text.length) return [{ text, look: '' }];
  const tokens = service.tokens();
  const findings = service.findings();
  const cuts = new Set([0, text.length, ...tokens.flatMap(({ from, to }) => [from, to])]);
  for (const { from, to } of findings) cuts.add(from).add(markEnd(from, to, text.length));
  const sorted = [...cuts].sort((a, b) => a - b);
  const pieces: PaintedPiece[] = [];
  let at = 0;
  for (const [index, from] of sorted.entries()) {
    const to = sorted[index + 1];
    if (to === undefined) break;
    while ((tokens[at]?.to ?? to) <= from && at < tokens.length - 1) at += 1;
    const token = tokens[at];
    const isCovered = token !== undefined && token.from <= from && from < token.to;
    const mark = markAt(findings, from, text.length);
    const classes = [...(isCovered ? [token.look, ...token.modifiers] : []), ...(mark ? [mark] : [])];
    pieces.push({ text: text.slice(from, to), look: classes.map((name) => `q-${name}`).join(' ') });
  }
  return pieces;
}

/** A finding at the end of the text marks the last character. */
function markEnd(from: number, to: number, length: number): number {
  return Math.min(Math.max(to, from + 1), length);
}

function markAt(findings: readonly Finding[], at: number, length: number): Severity | undefined {
  const here = findings.filter(
    ({ from, to }) => Math.min(from, length - 1) <= at && at < markEnd(from, to, length),
  );
  return here.map(({ severity }) => severity).sort((a, b) => weights.indexOf(b) - weights.indexOf(a))[0];
}
