import { groupsOf, mappedAddress4 } from './find-address6.ts';
import type { IdentifierKind } from './find-identifiers.ts';

/** Returns bytes that depend on a key and a text, and from which neither follows: at least 16. */
export type Keyed = (text: string) => Uint8Array;

/** Returns a word without what varies in it, such as numbers. Words that are equal then differ in no pattern. */
export type ShapeOf = (word: string) => string;

/** Pseudonyms of identifiers: the same for the same value, never the same for two values of a kind. */
export interface Pseudonyms {
  readonly pseudonymOf: (kind: IdentifierKind, value: string) => string;
  /** Number of different values, by kind. */
  readonly counts: () => Readonly<Record<IdentifierKind, number>>;
}

/**
 * Makes pseudonyms that depend on a key. Network addresses stay addresses, of the ranges 240.0.0.0/4 (reserved) and
 * 2001:db8::/32 (documentation). Names keep their blanks, and names of one shape differ in a number alone, so that
 * patterns of messages do not change.
 */
export function makePseudonyms(keyed: Keyed, shapeOf: ShapeOf): Pseudonyms {
  const made = new Map<string, string>();
  const taken = new Set<string>();
  const counts = { user: 0, host: 0, mail: 0, address4: 0, address6: 0 };
  const known = new Set<string>();
  return { pseudonymOf, counts: () => ({ ...counts }) };

  function pseudonymOf(kind: IdentifierKind, value: string): string {
    const mapped = kind === 'address6' ? mappedAddress4(value) : undefined;
    if (mapped !== undefined) return `::ffff:${pseudonymOf('address4', mapped)}`;
    const key = keyOf(kind, value);
    if (!known.has(key)) counts[kind] += 1;
    known.add(key);
    switch (kind) {
      case 'address4':
        return unique(key, toAddress4);
      case 'address6':
        return unique(key, toAddress6);
      case 'mail': {
        const [name = '', domain = ''] = key.slice('mail '.length).split('@');
        const made = nameOf('mail', `${name}@${domain}`, `${shapeOf(name)}@${shapeOf(domain)}`);
        return `${made}${value.includes('%40') ? '%40' : '@'}redacted.invalid`;
      }
      default:
        return value.replace(/\S+/g, (word) => nameOf(kind, word, shapeOf(word)));
    }
  }

  function nameOf(kind: IdentifierKind, word: string, shape: string): string {
    if (shape === word) return unique(`${kind} ${word}`, (bytes) => toName(kind, shape, bytes));
    const isNumber = /^\d+$/.test(word);
    const stem = isNumber
      ? ''
      : `${unique(`${kind} ${shape} shape`, (bytes) => toName(kind, shape, bytes))}_`;
    return unique(`${kind} ${word}`, (bytes) => stem + toNumber(bytes));
  }

  /** Two values must not become one; the space of IPv4 is small. */
  function unique(key: string, format: (bytes: Uint8Array) => string): string {
    const before = made.get(key);
    if (before !== undefined) return before;
    let next = '';
    for (let attempt = 0; next === '' || taken.has(next); attempt += 1)
      next = format(keyed(attempt === 0 ? key : `${key} ${attempt}`));
    made.set(key, next);
    taken.add(next);
    return next;
  }
}

/** All spellings of one value have one key. */
function keyOf(kind: IdentifierKind, value: string): string {
  if (kind === 'address6') return `${kind} ${groupsOf(value)?.join(':') ?? value}`;
  return `${kind} ${kind === 'mail' ? value.replace('%40', '@') : value}`;
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

function toAddress6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 6 }, (_, at) => (bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0));
  return `2001:db8:${groups.map((group) => group.toString(16)).join(':')}`;
}
