import { ExactNumber } from '../../records/index.ts';

/**
 * The secrets of a client, to remove them from the texts of the deployment.
 * These may quote a password or a token.
 */
export interface Secrets {
  readonly add: (secret: string) => void;
  /** A text of the deployment with every secret replaced. */
  readonly hide: (text: string) => string;
}

/** An empty set of secrets. They live in a closure, where no inspection of the value shows them. */
export function keepSecrets(): Secrets {
  const hidden = new Map<string, RegExp>();
  return {
    add(secret) {
      if (secret === '') return;
      const inForm = new URLSearchParams({ secret }).toString().slice('secret='.length);
      const inJson = JSON.stringify(secret).slice(1, -1);
      for (const form of [secret, encodeURIComponent(secret), inForm, inJson])
        hidden.set(form, patternOf(form));
    },
    hide: (text) =>
      // The longest first: one secret can be part of another.
      [...hidden]
        .sort(([a], [b]) => b.length - a.length)
        .reduce((shorn, [, pattern]) => shorn.replace(pattern, '[hidden]'), text),
  };
}

/** A secret of fewer characters than this occurs within ordinary words, where hiding it would reveal it. */
const longEnough = 8;

function patternOf(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    secret.length < longEnough ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal,
    'gu',
  );
}

/** The keys of a reply that hold addresses, which must go on working. */
const addressKeys = ['jobsUrl', 'URL'];

/** A value of JSON with every secret in its texts replaced, and every parameter with a secret dropped from its addresses. */
export function hideIn(value: unknown, hide: Secrets['hide']): unknown {
  return hideAt('', value, hide);
}

function hideAt(key: string, value: unknown, hide: Secrets['hide']): unknown {
  if (typeof value === 'string') return addressKeys.includes(key) ? hideInAddress(value, hide) : hide(value);
  if (Array.isArray(value)) return value.map((item) => hideAt('', item, hide));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, hideAt(name, member, hide)]));
}

function hideInAddress(address: string, hide: Secrets['hide']): string {
  if (!URL.canParse(address)) return hide(address);
  const url = new URL(address);
  for (const [parameter, value] of [...url.searchParams]) {
    if (hide(value) !== value) url.searchParams.delete(parameter);
  }
  return url.href;
}
