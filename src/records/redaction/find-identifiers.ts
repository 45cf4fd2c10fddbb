import { findAddress6 } from './find-address6.ts';

/** Kind of an identifier that a redaction replaces. */
export type IdentifierKind = 'user' | 'host' | 'mail' | 'address4' | 'address6';

/** An identifier in a text: a half-open range of UTF-16 offsets. */
export interface FoundIdentifier {
  readonly kind: IdentifierKind;
  readonly from: number;
  readonly to: number;
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

const patterns: readonly (readonly [IdentifierKind, RegExp])[] = [
  ['mail', mail],
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
  const found = findAddress6(text).map((span): FoundIdentifier => ({ kind: 'address6', ...span }));
  for (const [kind, pattern] of patterns)
    for (const { 0: match, index: from } of text.matchAll(pattern))
      if (isValid(kind, match)) found.push({ kind, from, to: from + match.length });
  return found;
}

function isValid(kind: IdentifierKind, text: string): boolean {
  return kind !== 'address4' || text.split('.').every((each) => Number(each) < 256);
}
