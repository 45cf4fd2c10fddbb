import { type Log, type LogField, textFields } from '../log.ts';
import type { Extra } from '../record.ts';
import { type FoundIdentifier, findIdentifiers, type IdentifierKind } from './find-identifiers.ts';
import { makeKnownValues } from './known-values.ts';
import { type Keyed, makePseudonyms, type ShapeOf } from './pseudonyms.ts';

/** Replaces identifiers in logs by pseudonyms: the same value by the same pseudonym. */
export interface Redactor {
  /** Learns the users and hosts of a log, which are then found in any text. Call it with all logs first. */
  readonly learn: (log: Log, extra?: Extra) => void;
  readonly redactText: (text: string) => string;
  readonly redactLog: (log: Log) => Log;
  readonly redactExtra: (extra: Extra) => Extra;
  /** Number of different values that were replaced, by kind. */
  readonly counts: () => Readonly<Record<IdentifierKind, number>>;
}

/** Members of a record whose values are users or hosts, by their names. */
const userMember = /user|login|account|owner|author|principal|identity|subject/i;
const hostMember = /host|machine|node|pod$|podname|server|domain|instance/i;

const textsOnly: ReadonlySet<LogField> = new Set(['msg', 'stackTraces']);

/**
 * Makes a redactor whose pseudonyms depend on a key. Values of the same shape get pseudonyms of the same shape; by
 * default every value is its own shape.
 */
export function makeRedactor(keyed: Keyed, shapeOf: ShapeOf = (value) => value): Redactor {
  const known = makeKnownValues();
  const { pseudonymOf, counts } = makePseudonyms(keyed, shapeOf);
  return { learn, redactText, redactLog, redactExtra, counts };

  function learn(log: Log, extra?: Extra): void {
    learnValue('user', log.username);
    learnValue('host', log.machine);
    for (const field of textFields) learnText(log[field]);
    if (extra) learnMembers(extra);
  }

  function learnMembers(members: Extra): void {
    for (const [name, value] of Object.entries(members)) {
      if (typeof value === 'string') {
        if (userMember.test(name)) learnValue('user', value);
        else if (hostMember.test(name)) learnValue('host', value);
        learnText(value);
      } else if (typeof value === 'object' && value !== null) learnMembers({ ...value });
    }
  }

  function learnValue(kind: IdentifierKind, value: string | undefined): void {
    if (value === undefined || value === '') return;
    known.add(kindOf(value) ?? kind, value);
  }

  function learnText(text: string | undefined): void {
    if (text === undefined) return;
    for (const { kind, from, to } of findIdentifiers(text))
      if (kind === 'host' || kind === 'user') known.add(kind, text.slice(from, to));
  }

  function redactLog(log: Log): Log {
    const redacted: { -readonly [F in LogField]?: Log[F] } = { ...log };
    for (const field of textFields) {
      const value = log[field];
      if (value === undefined || (field === 'logLevel' && isLevel(value))) continue;
      redacted[field] = textsOnly.has(field) ? redactText(value) : redactField(field, value);
    }
    return redacted;
  }

  /** A field of a user or a host is replaced as a whole, even if it has no letter. */
  function redactField(field: LogField, value: string): string {
    if (value !== '' && field === 'username') return pseudonymOf(kindOf(value) ?? 'user', value);
    if (value !== '' && field === 'machine') return pseudonymOf(kindOf(value) ?? 'host', value);
    return redactText(value);
  }

  function redactExtra(extra: Extra): Extra {
    return Object.fromEntries(
      Object.entries(extra).map(([name, value]) => [redactText(name), redactValue(value)]),
    );
  }

  function redactValue(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    return typeof value === 'object' && value !== null ? redactExtra({ ...value }) : value;
  }

  function redactText(text: string): string {
    const found = [...known.find(text), ...findIdentifiers(text)];
    if (found.length === 0) return text;
    let redacted = '';
    let end = 0;
    for (const { kind, from, to } of joinOverlapping(found)) {
      redacted += text.slice(end, from) + pseudonymOf(kind, text.slice(from, to));
      end = to;
    }
    return redacted + text.slice(end);
  }
}

function isLevel(value: string): boolean {
  return /^(?:SEVERE|WARNING|INFO|FINE|VERBOSE|DEBUG)$/i.test(value);
}

/** Kind of a value that is an address as a whole; undefined for any other. */
function kindOf(value: string): IdentifierKind | undefined {
  return findIdentifiers(value).find(
    ({ kind, from, to }) => from === 0 && to === value.length && kind !== 'host' && kind !== 'user',
  )?.kind;
}

/** Joins overlapping ranges, so that nothing of either is left; the kind is that of the longest of them. */
function joinOverlapping(found: readonly FoundIdentifier[]): readonly FoundIdentifier[] {
  const joined: FoundIdentifier[] = [];
  for (const each of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = joined.at(-1);
    if (!last || last.to <= each.from) joined.push(each);
    else if (last.to < each.to) {
      const kind = last.to - last.from < each.to - each.from ? each.kind : last.kind;
      joined[joined.length - 1] = { kind, from: last.from, to: each.to };
    }
  }
  return joined;
}
