import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secret of one run, and the requests that know it. */
export interface RunAccess {
  /** Stands in the first address, as `key`. */
  readonly secret: string;
  /** The `Set-Cookie` header for a page that was opened with the secret. */
  readonly cookie: string;
  /** True if a request has the secret in its address. */
  readonly hasKey: (url: URL) => boolean;
  /** True if a request has the cookie. */
  readonly hasCookie: (headers: Headers) => boolean;
}

/** Makes the secret of a run. Cookies of one host are shared by all ports: the name has the port. */
export function makeAccess(port: number): RunAccess {
  const secret = randomBytes(24).toString('base64url');
  const name = `logquarry-${port}`;
  return {
    secret,
    cookie: `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
    hasKey: (url) => isSecret(url.searchParams.get('key')),
    hasCookie: (headers) =>
      (headers.get('cookie') ?? '')
        .split(/; */)
        .some((each) => each.startsWith(`${name}=`) && isSecret(each.slice(name.length + 1))),
  };

  function isSecret(given: string | null): boolean {
    return given !== null && timingSafeEqual(digest(given), digest(secret));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Claimed origin and target of a request. */
interface Named {
  readonly method: string;
  readonly headers: Headers;
}

/**
 * Returns why a request is refused, or undefined. Its `Host` must be this server by a loopback
 * name, against DNS rebinding; its `Origin` must be the page itself, against other sites. A call
 * that changes or reads something is a POST, for which a browser always names the origin.
 */
export function refusalOf({ method, headers }: Named, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const host = headers.get('host') ?? '';
  if (!hosts.includes(host)) return 'The page is not known under this host.';
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}`) return 'Requests of other sites are refused.';
  if (method === 'POST' && origin === null) return 'A call needs the header "Origin".';
  return undefined;
}
