/** Kind of an identifier that a redaction replaces. */
export type IdentifierKind = 'user' | 'host' | 'mail' | 'address4' | 'address6';

/** An identifier in a text: a half-open range of UTF-16 offsets. */
export interface FoundIdentifier {
  readonly kind: IdentifierKind;
  readonly from: number;
  readonly to: number;
}

const mail = /(?<![\p{L}\p{N}._+-])[\p{L}\p{N}._+-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const address4 = /(?<![\p{L}\p{N}])(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}])/gu;
const address6 = /(?<![\p{L}\p{N}:])[\da-f]{0,4}:[\da-f:.]*/giu;
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
  /(?<![\p{L}\p{N}._@/-])(?!(?:com|org|net|io|edu|gov|java|javax|jdk|sun)\.)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+(?:com|org|net|gov|edu|mil|int|info|local|lan|internal|intranet|intra|corp|home|localdomain|test|invalid|example|svc|de|at|ch|uk|fr|nl|be|es|it|pl|se|no|dk|fi|eu|us|ca|au|nz|jp|cn|in|br)(?![\p{L}\p{N}_-]|\.\p{L})/giu;

const patterns: readonly (readonly [IdentifierKind, RegExp])[] = [
  ['mail', mail],
  ['address6', address6],
  ['address4', address4],
  ['user', urlUser],
  ['host', urlHost],
  ['host', shareHost],
  ['host', bareHost],
];

/** Characters of which every identifier has one, with a digit or a letter beside it; others have none. */
const possible = /[.:@%\\]/;

/** Finds mail addresses, network addresses and hosts that are recognised by their form, in any order. */
export function findIdentifiers(text: string): readonly FoundIdentifier[] {
  if (!possible.test(text)) return [];
  const found: FoundIdentifier[] = [];
  for (const [kind, pattern] of patterns)
    for (const match of text.matchAll(pattern)) {
      const from = match.index;
      const length = kind === 'address6' ? lengthOfAddress6(text, from, match[0]) : match[0].length;
      if (0 < length && isValid(kind, match[0])) found.push({ kind, from, to: from + length });
    }
  return found;
}

function isValid(kind: IdentifierKind, text: string): boolean {
  return kind !== 'address4' || text.split('.').every((each) => Number(each) < 256);
}

/** Number of characters of an IPv6 address with an IPv4 address at its end. */
const longestAddress6 = 45;

/**
 * Returns the length of the longest IPv6 address at the beginning of a match; 0 if there is none. A port or
 * another colon can follow it.
 */
function lengthOfAddress6(text: string, from: number, match: string): number {
  for (let length = Math.min(match.length, longestAddress6); 2 < length; length -= 1)
    if (!/[\p{L}\p{N}]/u.test(text[from + length] ?? '') && groupsOf(match.slice(0, length))) return length;
  return 0;
}

/**
 * Returns the eight groups of an IPv6 address, so that all spellings of one are the same. Undefined for other
 * texts with colons, such as a time of day.
 */
export function groupsOf(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (0 < more.length || (head === '' && tail === '')) return undefined;
  const [first, second] = [parts(head), parts(tail ?? '')];
  if (!first || !second) return undefined;
  const missing = 8 - first.length - second.length;
  if (tail === undefined) return missing === 0 ? first : undefined;
  return missing < 1 ? undefined : [...first, ...Array.from({ length: missing }, () => 0), ...second];
}

function parts(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  for (const each of text.split(':')) {
    const [a, b, c, d] = each.split('.').map(Number);
    if (/^[\da-f]{1,4}$/i.test(each)) groups.push(Number.parseInt(each, 16));
    else if (/^\d+(\.\d+){3}$/.test(each)) groups.push((a ?? 0) * 256 + (b ?? 0), (c ?? 0) * 256 + (d ?? 0));
    else return undefined;
  }
  return groups;
}
