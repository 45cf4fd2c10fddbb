import { type Extra, type Log, type LogField, textFields } from './log.ts';

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
    const account = kind === 'user' ? accountOf(value) : undefined;
    if (!account) return;
    known.add('host', account.domain);
    known.add('user', account.name);
  }

  function learnText(text: string | undefined): void {
    if (text === undefined) return;
    for (const { kind, from, to, isGuess } of findIdentifiers(text))
      if ((kind === 'host' || kind === 'user') && !isGuess) known.add(kind, text.slice(from, to));
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
      Object.entries(extra).map(([name, value]) => [redactText(name), redactMember(name, value)]),
    );
  }

  /** An address can be a number, which nothing but the name of the member tells apart from others. */
  function redactMember(name: string, value: unknown): unknown {
    if (typeof value !== 'number' || !addressMember.test(name) || !isAddressNumber(value))
      return redactValue(value);
    return Number(pseudonymOf('address4', String(value)));
  }

  function redactValue(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    return typeof value === 'object' && value !== null ? redactExtra({ ...value }) : value;
  }

  function redactText(text: string): string {
    const found = [...findPlain(text), ...findEscaped(text), ...findEncoded(text)];
    if (found.length === 0) return text;
    let redacted = '';
    let end = 0;
    for (const { kind, from, to, value } of joinOverlapping(found)) {
      redacted += text.slice(end, from) + pseudonymOf(kind, value ?? text.slice(from, to));
      end = to;
    }
    return redacted + text.slice(end);
  }

  function findPlain(text: string): readonly FoundIdentifier[] {
    return [...known.find(text), ...findIdentifiers(text)];
  }

  /** Finds what percent escapes hide, as `j%2Edoe` and `Ann%20Lee`. */
  function findEscaped(text: string): readonly FoundIdentifier[] {
    const { decoded, offsets } = decodeEscapes(text) ?? {};
    if (decoded === undefined) return [];
    return findPlain(decoded).map(({ kind, from, to }) => ({
      kind,
      from: offsets?.[from] ?? 0,
      to: offsets?.[to] ?? text.length,
      value: decoded.slice(from, to),
    }));
  }

  /** Finds texts in Base64 that are a name with a password, or hold an identifier. */
  function findEncoded(text: string): readonly FoundIdentifier[] {
    return [...text.matchAll(base64Run)].flatMap(({ 0: run, index: from }) => {
      const decoded = decodeBase64(run);
      if (decoded === undefined || !(credentials.test(decoded) || 0 < findPlain(decoded).length)) return [];
      return [{ kind: 'secret', from, to: from + run.length } as const];
    });
  }
}

/** Members of a record whose numbers can be network addresses. */
const addressMember = /ip(?![a-z])|addr|host|client|remote|peer/i;

/** Whole numbers of IPv4 addresses from 1.0.0.0 on. */
function isAddressNumber(value: number): boolean {
  return Number.isInteger(value) && 2 ** 24 <= value && value < 2 ** 32;
}

/** The parts of an account of a Windows domain, `CORP\\ann`; undefined for other names. */
function accountOf(value: string): { readonly domain: string; readonly name: string } | undefined {
  const [, domain, name] = /^([^\\\s]+)\\([^\\]+)$/.exec(value) ?? [];
  return domain !== undefined && name !== undefined ? { domain, name } : undefined;
}

const escapes = /(?:%[\da-f]{2})+/giu;

/**
 * Decodes the percent escapes of a text; `offsets` has the offset in the text of each character of `decoded`, and of
 * its end. Undefined if there is no escape. What is no UTF-8 stays.
 */
function decodeEscapes(
  text: string,
): { readonly decoded: string; readonly offsets: readonly number[] } | undefined {
  let decoded = '';
  const offsets: number[] = [];
  let end = 0;
  const copy = (to: number) => {
    for (; end < to; end += 1) {
      decoded += text.charAt(end);
      offsets.push(end);
    }
  };
  for (const { 0: run, index } of text.matchAll(escapes)) {
    copy(index);
    for (const { character, length } of decodeRun(run)) {
      for (let unit = 0; unit < character.length; unit += 1) offsets.push(end);
      decoded += character;
      end += length;
    }
  }
  if (offsets.length === text.length) return undefined;
  copy(text.length);
  return { decoded, offsets: [...offsets, text.length] };
}

/** Decodes escapes as UTF-8, else as Latin-1; `length` is that of the escapes of a character. */
function decodeRun(run: string): readonly { readonly character: string; readonly length: number }[] {
  try {
    return Array.from(decodeURIComponent(run), (character) => ({
      character,
      length: Math.max(3, encodeURIComponent(character).length),
    }));
  } catch {
    return Array.from(run.matchAll(/%(..)/g), ([, digits = '']) => ({
      character: String.fromCharCode(Number.parseInt(digits, 16)),
      length: 3,
    }));
  }
}

/** Texts that can be Base64 of both alphabets: with letters of both cases. */
const base64Run = /(?<![\w+/-])(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])[\w+/-]{12,8192}={0,2}(?![\w+/=-])/g;

/** A name and a password. */
const credentials = /^[\p{L}\p{N}][^\s:/]*:\S+$/u;

/** Decodes Base64 to a text; undefined if it is none without control characters. */
function decodeBase64(run: string): string | undefined {
  try {
    const binary = atob(run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, '')) ? undefined : text;
  } catch {
    return undefined;
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
  for (const identifier of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = joined.at(-1);
    if (!last || last.to <= identifier.from) joined.push(identifier);
    else if (last.to < identifier.to) {
      const kind = last.to - last.from < identifier.to - identifier.from ? identifier.kind : last.kind;
      joined[joined.length - 1] = { kind, from: last.from, to: identifier.to };
    }
  }
  return joined;
}

/** Kind of an identifier that a redaction replaces. */
type IdentifierKind = 'user' | 'host' | 'mail' | 'address4' | 'address6' | 'mac' | 'secret';

/** An identifier in a text: a half-open range of UTF-16 offsets. */
interface FoundIdentifier {
  readonly kind: IdentifierKind;
  readonly from: number;
  readonly to: number;
  /** Plain form of the text, if it is written otherwise. */
  readonly value?: string;
  /** True if its form is no proof: the word is then replaced here alone. */
  readonly isGuess?: boolean;
}

const mail = /(?<![\p{L}\p{N}._+-])[\p{L}\p{N}._+-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** Digits behind a percent escape belong to the escape, not to a word. */
const address4 = /(?:(?<![\p{L}\p{N}])|(?<=%[\dA-F]{2}))(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}])/giu;
/** The host of an address: behind the scheme and, if there is one, the user. */
const urlHost =
  /(?<=[a-z][a-z\d+.-]*:\/\/(?:[^\s/?#@]*@)?)[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?/giu;
const urlUser = /(?<=[a-z][a-z\d+.-]*:\/\/)[^\s/?#@:]+(?=(?::[^\s/?#@]*)?@)/giu;
/** The server of a Windows path. */
const shareHost = /(?<=(?<!\\)\\\\)[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?(?=\\)/giu;
/**
 * A host name without an address around it: labels before a usual last one. A Java package begins with one of
 * these, and is no host.
 */
const bareHost =
  /(?<![\p{L}\p{N}._@/-])(?!(?:com|org|net|io|edu|gov|java|javax|jdk|sun)\.)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+(?:com|org|net|gov|edu|mil|int|info|local|lan|internal|intranet|intra|corp|home|localdomain|test|invalid|example|svc|de|at|ch|uk|fr|nl|be|es|it|pl|se|no|dk|fi|eu|us|ca|au|nz|jp|cn|in|br|xn--[a-z\d-]+)(?![\p{L}\p{N}_-]|\.\p{L})/giu;

/** The name of a Windows domain and its account. A relative path may look alike. */
const domain =
  /(?<![\p{L}\p{N}\\/:._-])[A-Z][A-Z\d-]{1,14}(?=\\[\p{L}\p{N}][\p{L}\p{N}._-]*(?![\\\p{L}\p{N}._-]))/gu;
const domainUser =
  /(?<=(?<![\p{L}\p{N}\\/:._-])[A-Z][A-Z\d-]{1,14}\\)[\p{L}\p{N}][\p{L}\p{N}._-]*(?![\\\p{L}\p{N}._-])/gu;

const patterns: readonly (readonly [IdentifierKind, RegExp])[] = [
  ['mail', mail],
  ['address4', address4],
  ['user', urlUser],
  ['host', urlHost],
  ['host', shareHost],
  ['host', bareHost],
  ['host', domain],
  ['user', domainUser],
];

/** A name that a cloud makes of an address: `ip-172-31-5-6`. */
const dashedAddress = /(?<![\p{L}\p{N}-])[a-z][a-z\d]{0,15}-(?:\d{1,3}-){3}\d{1,3}(?![\p{L}\p{N}-])/giu;
/** An address as a number behind a word for it: `ip=2886729990`, `clientIp: 0xAC1F0506`. */
const addressNumber =
  /(?<=(?:\bip|Ip|IP|addr(?:ess)?|host|client|remote|peer)["']?(?: ?[:=] ?| )["']?)(?:\d{8,10}|0x[\da-f]{7,8})(?![\p{L}\p{N}-]|\.\d)/giu;
const mac =
  /(?<![\p{L}\p{N}:-])(?:[\da-f]{2}(?:(?::[\da-f]{2}){5}|(?:-[\da-f]{2}){5})|[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4})(?![\p{L}\p{N}:.-])/giu;
/** A JSON web token: its first part begins with `{"` in Base64. */
const webToken = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{4,}(?:\.[\w-]*)?/g;
/** Text behind the name of a scheme of `Authorization`. */
const bearer = /(?<=\bbearer\s{1,4})(?=[^\s"']*\d)[\w.~+/-]{12,}=*/gi;

/** Patterns of identifiers that need none of the characters of the others. */
const plainPatterns: readonly (readonly [IdentifierKind, RegExp])[] = [
  ['address4', dashedAddress],
  ['address4', addressNumber],
  ['mac', mac],
  ['secret', webToken],
  ['secret', bearer],
];

/** Patterns whose finds are not looked for in other texts. */
const guesses: ReadonlySet<RegExp> = new Set([domain, domainUser]);

/** Characters of which every other identifier has one, with a digit or a letter beside it. */
const possible = /[.:@%\\]/;

/** Finds mail addresses, network addresses and hosts that are recognised by their form, in any order. */
function findIdentifiers(text: string): readonly FoundIdentifier[] {
  const isPossible = possible.test(text);
  const found = isPossible
    ? findAddress6(text).map((span): FoundIdentifier => ({ kind: 'address6', ...span }))
    : [];
  for (const [kind, pattern] of isPossible ? [...patterns, ...plainPatterns] : plainPatterns)
    for (const { 0: match, index: from } of text.matchAll(pattern))
      if (isValid(kind, match))
        found.push({ kind, from, to: from + match.length, isGuess: guesses.has(pattern) });
  return found;
}

function isValid(kind: IdentifierKind, text: string): boolean {
  return kind !== 'address4' || octetsOf(text) !== undefined;
}

/** The octets of an IPv4 address, written with points, with hyphens behind a name, or as a number. */
function octetsOf(text: string): readonly number[] | undefined {
  const [, dashed] = /-((?:\d{1,3}-){3}\d{1,3})$/.exec(text) ?? [];
  const number = /^(?:\d+|0x[\da-f]+)$/i.test(text) ? Number(text) : undefined;
  if (number !== undefined)
    return isAddressNumber(number)
      ? [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256)
      : undefined;
  const octets = (dashed?.split('-') ?? text.split('.')).map(Number);
  return octets.every((octet) => octet < 256) ? octets : undefined;
}

/** A half-open range of UTF-16 offsets. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Runs of the characters of IPv6 addresses with a colon. */
const runs = /[\da-f.]*:[\da-f:.]+/giu;

/** The text of an address; the number of its groups is checked apart. */
const shape =
  /(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,7})?(?:::(?:[\da-f]{1,4}:){0,6}(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{1,4})?|:\d{1,3}(?:\.\d{1,3}){3})?/iuy;

/** A time of day that ends right before an address: `12:34:56.789:`. */
const time = /(?<![\d:])\d{1,2}:[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?Z?:(?=[\da-f:])/giu;

/** A time of day with its fraction and zone, and a point: an address may begin right behind it. */
const clock =
  /(?:(?<![\d:])\d{1,2}:[0-5]\d(?::[0-5]\d)?|(?<!\d)\d{8}T\d{6})(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| ?[AP]M)?\.?/giu;

/** Digits of milliseconds and microseconds. */
const usualDigits = [3, 6];

const word = /[\p{L}\p{N}]/u;

/** First groups of allocated and local addresses, which also begin within a word. */
const usualStart = /[23][\da-f]{3}:|f[cde][\da-f]{2}:/iuy;

/**
 * Finds IPv6 addresses, in order. Wherever one can begin, the longest is reported, so that ranges may overlap: of
 * nine groups nobody knows which eight are the address. A time of day in front of an address belongs to none, with
 * or without a separator between them.
 */
function findAddress6(text: string): readonly Span[] {
  if (!text.includes(':')) return [];
  const times = spansOf(text.matchAll(time)).filter(({ to }) => endOfAddress(text, to) !== undefined);
  const begins = beginsAtTimes(text);
  const found: Span[] = [];
  let next = 0;
  for (const run of spansOf(text.matchAll(runs)))
    for (let from = run.from; from < run.to; from += 1) {
      while ((times[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1;
      const isInTime = (times[next]?.from ?? Number.POSITIVE_INFINITY) <= from;
      if (!begins.has(from) && (isInTime || !canBegin(text, from))) continue;
      const to = endOfAddress(text, from);
      if (to !== undefined && (found.at(-1)?.to ?? 0) < to) found.push({ from, to });
    }
  return found;
}

function spansOf(matches: Iterable<RegExpExecArray>): readonly Span[] {
  return [...matches].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

/**
 * Returns the offsets at which a time of day ends and an address may begin without a separator. The digits of a
 * fraction and of the first group look alike: an address also begins behind the usual numbers of digits, and where its
 * first group is a usual one.
 */
function beginsAtTimes(text: string): ReadonlySet<number> {
  const begins = new Set<number>();
  for (const { from, to } of spansOf(text.matchAll(clock))) {
    begins.add(to);
    if (text[to - 1] === '.') begins.add(to - 1);
    const point = from + text.slice(from, to).search(/[.,]\d/);
    if (from <= point) for (const digits of usualDigits) begins.add(point + 1 + digits);
    for (let at = from + 1; at < to; at += 1) if (isUsualStart(text, at)) begins.add(at);
  }
  return begins;
}

function isUsualStart(text: string, at: number): boolean {
  usualStart.lastIndex = at;
  return usualStart.test(text);
}

function canBegin(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  if (before === '.') return !/\d/.test(text[at - 2] ?? '');
  if (!word.test(before) || /^%[\da-f]{2}$/i.test(text.slice(at - 3, at))) return true;
  return /[g-z]/i.test(before) && isUsualStart(text, at);
}

/** Returns the end of the longest address that begins at an offset; undefined if there is none. */
function endOfAddress(text: string, from: number): number | undefined {
  shape.lastIndex = from;
  const longest = shape.exec(text)?.[0] ?? '';
  for (let length = longest.length; 1 < length; length -= 1) {
    const isWhole = !word.test(text[from + length] ?? '');
    if (isWhole && groupsOf(longest.slice(0, length))) return from + length;
  }
  return undefined;
}

/**
 * Returns the eight groups of an IPv6 address, so that all spellings of one are the same; undefined for other
 * texts with colons, such as a time of day.
 */
function groupsOf(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (0 < more.length || (head === '' && tail === '')) return undefined;
  const [first, second] = [parts(head), parts(tail ?? '')];
  if (!first || !second) return undefined;
  const missing = 8 - first.length - second.length;
  if (tail === undefined) return missing === 0 ? first : undefined;
  return missing < 1 ? undefined : [...first, ...Array.from({ length: missing }, () => 0), ...second];
}

/** Returns the IPv4 address that an IPv6 address maps, as in `::ffff:10.1.2.3`. */
function mappedAddress4(text: string): string | undefined {
  const groups = groupsOf(text) ?? [];
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined;
}

function parts(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  for (const piece of text.split(':')) {
    const [a, b, c, d] = piece.split('.').map(Number);
    if (/^[\da-f]{1,4}$/i.test(piece)) groups.push(Number.parseInt(piece, 16));
    else if (/^\d+(\.\d+){3}$/.test(piece)) groups.push((a ?? 0) * 256 + (b ?? 0), (c ?? 0) * 256 + (d ?? 0));
    else return undefined;
  }
  return groups;
}

/** Returns bytes that depend on a key and a text, and from which neither follows: at least 16. */
type Keyed = (text: string) => Uint8Array;

/** Returns a word without what varies in it, such as numbers. Words that are equal then differ in no pattern. */
type ShapeOf = (word: string) => string;

/** Pseudonyms of identifiers: the same for the same value, never the same for two values of a kind. */
interface Pseudonyms {
  readonly pseudonymOf: (kind: IdentifierKind, value: string) => string;
  /** Number of different values, by kind. */
  readonly counts: () => Readonly<Record<IdentifierKind, number>>;
}

/**
 * Makes pseudonyms that depend on a key. Network addresses stay addresses, of the ranges 240.0.0.0/4 (reserved) and
 * 2001:db8::/32 (documentation). Names keep their blanks, and names of one shape differ in a number alone, so that
 * patterns of messages do not change.
 */
function makePseudonyms(keyed: Keyed, shapeOf: ShapeOf): Pseudonyms {
  const results = new Map<string, string>();
  const taken = new Set<string>();
  const counts = { user: 0, host: 0, mail: 0, address4: 0, address6: 0, mac: 0, secret: 0 };
  const known = new Set<string>();
  return { pseudonymOf, counts: () => ({ ...counts }) };

  function pseudonymOf(kind: IdentifierKind, value: string): string {
    const mapped = kind === 'address6' ? mappedAddress4(value) : undefined;
    if (mapped !== undefined) return `::ffff:${pseudonymOf('address4', mapped)}`;
    const account = kind === 'user' ? accountOf(value) : undefined;
    if (account) return `${pseudonymOf('host', account.domain)}\\${pseudonymOf('user', account.name)}`;
    const key = keyOf(kind, value);
    if (!known.has(key)) counts[kind] += 1;
    known.add(key);
    switch (kind) {
      case 'address4':
        return spelledAs(value, unique(key, toAddress4));
      case 'mac':
        return unique(key, toMac);
      case 'secret':
        return unique(key, (bytes) => toName(kind, '', bytes));
      case 'address6':
        return unique(key, toAddress6);
      case 'mail': {
        const [name = '', domain = ''] = key.slice('mail '.length).split('@');
        const pseudonym = nameOf('mail', `${name}@${domain}`, `${shapeOf(name)}@${shapeOf(domain)}`);
        return `${pseudonym}${value.includes('%40') ? '%40' : '@'}redacted.invalid`;
      }
      default:
        return value.replace(/[^\s\\]+/g, (word) => nameOf(kind, word, shapeOf(word)));
    }
  }

  /** Spellings in other cases of letters are the same name. */
  function nameOf(kind: IdentifierKind, word: string, shape: string): string {
    const name = word.toLowerCase();
    if (shape === word) return unique(`${kind} ${name}`, (bytes) => toName(kind, shape, bytes));
    // A host of the copy has a domain where patterns know that of the original as a host.
    if (shape === '<host>')
      return unique(`${kind} ${name}`, (bytes) => `${toName(kind, '', bytes)}.redacted.invalid`);
    const isNumber = /^\d+$/.test(word);
    const stem = isNumber
      ? ''
      : `${unique(`${kind} ${shape.toLowerCase()} shape`, (bytes) => toName(kind, shape, bytes))}_`;
    return unique(`${kind} ${name}`, (bytes) => stem + toNumber(bytes));
  }

  /** Two values must not become one; the space of IPv4 is small. */
  function unique(key: string, format: (bytes: Uint8Array) => string): string {
    const before = results.get(key);
    if (before !== undefined) return before;
    let next = '';
    for (let attempt = 0; next === '' || taken.has(next); attempt += 1)
      next = format(keyed(attempt === 0 ? key : `${key} ${attempt}`));
    results.set(key, next);
    taken.add(next);
    return next;
  }
}

/** All spellings of one value have one key. */
function keyOf(kind: IdentifierKind, value: string): string {
  if (kind === 'address6') return `${kind} ${groupsOf(value)?.join(':') ?? value}`;
  if (kind === 'address4') return `${kind} ${octetsOf(value)?.join('.') ?? value}`;
  if (kind === 'mac') return `${kind} ${value.replace(/[:.-]/g, '').toLowerCase()}`;
  if (kind === 'secret') return `${kind} ${value}`;
  return `${kind} ${value.replace('%40', '@').toLowerCase()}`;
}

/** An address in the spelling of another one: with hyphens behind a name, as a number, or with points. */
function spelledAs(value: string, address: string): string {
  const [, name] = /^(.+-)(?:\d{1,3}-){3}\d{1,3}$/.exec(value) ?? [];
  if (name !== undefined) return `ip-${address.replaceAll('.', '-')}`;
  if (value.includes('.')) return address;
  const number = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  return /^0x/i.test(value) ? `0x${number.toString(16)}` : String(number);
}

/** A name in camel case, which patterns take for a value sooner than other words. */
const camelCase = /^[A-Z]?[a-z\d]+(?:[A-Z]+[a-z\d]+)+$/;

function toName(kind: IdentifierKind, shape: string, bytes: Uint8Array): string {
  const letters = [...bytes.subarray(0, 7)].map(
    (byte) => String.fromCharCode(97 + (byte >> 4)) + String.fromCharCode(97 + (byte & 15)),
  );
  const text = letters.join('');
  return camelCase.test(shape) ? `${kind}${text.charAt(0).toUpperCase()}${text.slice(1)}` : `${kind}_${text}`;
}

/** Ten decimal digits, the first of which is not 0. */
function toNumber(bytes: Uint8Array): string {
  const value = [...bytes.subarray(8, 14)].reduce((sum, byte) => sum * 256 + byte, 0);
  return String(1_000_000_000 + (value % 9_000_000_000));
}

function toAddress4([a = 0, b = 0, c = 0, d = 0]: Uint8Array): string {
  return `${240 + (a & 15)}.${b}.${c}.${d}`;
}

/** A locally administered address. */
function toMac(bytes: Uint8Array): string {
  const rest = [...bytes.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, '0'));
  return ['02', ...rest].join(':');
}

function toAddress6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 6 }, (_, at) => (bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0));
  return `2001:db8:${groups.map((group) => group.toString(16)).join(':')}`;
}

/** Values that are searched in texts, in any spelling of their letters. */
interface KnownValues {
  readonly add: (kind: IdentifierKind, value: string) => void;
  /** Finds all values in a text, in any order; within words they are not found. */
  readonly find: (text: string) => readonly FoundIdentifier[];
}

interface Known {
  readonly kind: IdentifierKind;
  /** In small letters. */
  readonly value: string;
  /** Offset of its first word. */
  readonly offset: number;
}

const knownValuesWord = /[\p{L}\p{N}]+/gu;
const letter = /[\p{L}\p{N}]/u;

/** Makes an index of values by their first words, so that the time of a search hardly depends on their number. */
function makeKnownValues(): KnownValues {
  const byWord = new Map<string, Known[]>();
  const values = new Set<string>();
  return { add, find };

  function add(kind: IdentifierKind, text: string): void {
    const value = text.toLowerCase();
    const first = /[\p{L}\p{N}]+/u.exec(value);
    // Signs alone, such as "-", identify nobody.
    if (!first || values.has(value)) return;
    values.add(value);
    const others = byWord.get(first[0]) ?? [];
    byWord.set(first[0], [...others, { kind, value, offset: first.index }]);
  }

  function find(text: string): readonly FoundIdentifier[] {
    const found: FoundIdentifier[] = [];
    for (const { 0: token, index } of text.matchAll(knownValuesWord))
      for (const { kind, value, offset } of byWord.get(token.toLowerCase()) ?? []) {
        const from = index - offset;
        const to = from + value.length;
        if (0 <= from && text.slice(from, to).toLowerCase() === value && isWhole(text, from, to))
          found.push({ kind, from, to });
      }
    return found;
  }
}

/** Reports if no letter or digit continues the range at either end. */
function isWhole(text: string, from: number, to: number): boolean {
  const [before = '', first = ''] = [text[from - 1], text[from]];
  const [last = '', after = ''] = [text[to - 1], text[to]];
  return !(letter.test(before) && letter.test(first)) && !(letter.test(last) && letter.test(after));
}
