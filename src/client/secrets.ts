/**
 * The secrets that a client holds, so that they can be taken out of what the
 * deployment says: nothing keeps it from quoting a password or a token.
 */
export interface Secrets {
  readonly add: (secret: string) => void;
  /** A text of the deployment with every secret replaced. */
  readonly hide: (text: string) => string;
}

/** An empty set of secrets. They live in a closure, where no inspection of the value shows them. */
export function keepSecrets(): Secrets {
  const hidden = new Set<string>();
  return {
    add(secret) {
      if (secret === '') return;
      const inForm = new URLSearchParams({ secret }).toString().slice('secret='.length);
      const inJson = JSON.stringify(secret).slice(1, -1);
      for (const form of [secret, encodeURIComponent(secret), inForm, inJson]) hidden.add(form);
    },
    hide: (text) =>
      // The longest first: one secret can be part of another.
      [...hidden]
        .sort((a, b) => b.length - a.length)
        .reduce((shorn, secret) => shorn.replaceAll(secret, '[hidden]'), text),
  };
}

/** A value of JSON with every secret in its texts replaced. */
export function hideIn(value: unknown, hide: Secrets['hide']): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? hide(item) : item,
  );
}
