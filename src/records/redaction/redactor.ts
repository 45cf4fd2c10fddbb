import { type Log, type LogField, textFields } from '../log.ts';
import type { Extra } from '../record.ts';
import { type FoundIdentifier, findIdentifiers, groupsOf, type IdentifierKind } from './find-identifiers.ts';
import { makeKnownValues } from './known-values.ts';

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

/** Returns bytes that depend on a key and a text, and from which neither follows: at least 16. */
export type Keyed = (text: string) => Uint8Array;

/** Members of a record whose values are users or hosts, by their names. */
const userMember = /user|login|account|owner|author|principal|identity|subject/i;
const hostMember = /host|machine|node|pod$|podname|server|domain|instance/i;

const textsOnly: ReadonlySet<LogField> = new Set(['msg', 'stackTraces']);

/** Makes a redactor whose pseudonyms depend on a key. */
export function makeRedactor(keyed: Keyed): Redactor {
  const known = makeKnownValues();
  const pseudonyms = new Map<string, string>();
  const taken = new Map<string, string>();
  const counts = { user: 0, host: 0, mail: 0, address4: 0, address6: 0 };
  return { learn, redactText, redactLog, redactExtra, counts: () => ({ ...counts }) };

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

  function pseudonymOf(kind: IdentifierKind, value: string): string {
    const key = `${kind} ${kind === 'address6' ? groupsOf(value)?.join(':') : value}`;
    const before = pseudonyms.get(key);
    if (before !== undefined) return before;
    // Two values must not become one; the space of IPv4 is small.
    let made = '';
    for (let attempt = 0; made === '' || taken.has(made); attempt += 1)
      made = toPseudonym(kind, keyed(attempt === 0 ? key : `${key} ${attempt}`));
    pseudonyms.set(key, made);
    taken.set(made, key);
    counts[kind] += 1;
    return made;
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
      joined[joined.length - 1] = { kind: kind === 'address6' ? 'host' : kind, from: last.from, to: each.to };
    }
  }
  return joined;
}

/**
 * Formats a pseudonym. A user or a host is one word of letters. Network addresses stay addresses, of the ranges
 * 240.0.0.0/4 (reserved) and 2001:db8::/32 (documentation), so that patterns of messages do not change.
 */
function toPseudonym(kind: IdentifierKind, bytes: Uint8Array): string {
  const letters = [...bytes.subarray(0, 7)].map(
    (byte) => String.fromCharCode(97 + (byte >> 4)) + String.fromCharCode(97 + (byte & 15)),
  );
  switch (kind) {
    case 'address4': {
      const [a = 0, b = 0, c = 0, d = 0] = bytes;
      return `${240 + (a & 15)}.${b}.${c}.${d}`;
    }
    case 'address6': {
      const groups = Array.from(
        { length: 6 },
        (_, at) => (bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0),
      );
      return `2001:db8:${groups.map((group) => group.toString(16)).join(':')}`;
    }
    case 'mail':
      return `mail_${letters.join('')}@redacted.invalid`;
    default:
      return `${kind}_${letters.join('')}`;
  }
}
