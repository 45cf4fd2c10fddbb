import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Sessions of the pages in a browser. A session is a token in a cookie. A browser sends cookies for every form,
 * so each form of a session carries a value that only the pages of this deployment know.
 */
export interface Sessions {
  /** The value in the forms of a session. */
  readonly csrfOf: (token: string) => string;
  /** True if a form carries that value. Takes the same time for every input. */
  readonly accepts: (token: string, csrf: string) => boolean;
}

/** Creates sessions under a key that lives as long as the deployment. */
export function createSessions(): Sessions {
  const key = randomBytes(32);
  const csrfOf = (token: string) => createHmac('sha256', key).update(token).digest('base64url');
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    csrfOf,
    accepts: (token, csrf) => timingSafeEqual(digest(csrfOf(token)), digest(csrf)),
  };
}

/** The name of the cookie of a session. */
const cookieName = 'reference_session';

/** Lifetime of a session, in minutes. */
export const sessionMinutes = 60;

/** The token in the cookie of a request. */
export function sessionTokenOf(headers: Headers): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(';').map((each) => each.trim());
  return cookies.find((each) => each.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) || undefined;
}

/**
 * A cookie with a token, out of reach of scripts and other sites. Without a token: a cookie that ends the
 * session.
 */
export function sessionCookie(token: string | undefined, { path, secure }: CookieScope): string {
  const life = token === undefined ? 0 : sessionMinutes * 60;
  const attributes = [
    `Path=${path}`,
    `Max-Age=${life}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ];
  return [`${cookieName}=${token ?? ''}`, ...attributes].join('; ');
}

/** Scope of a cookie. */
export interface CookieScope {
  readonly path: string;
  /** True for TLS only. */
  readonly secure: boolean;
}

/** True if a page of another site may have sent a request. Browsers report that in two headers. */
export function isForeign({ headers, url }: Request): boolean {
  const origin = headers.get('origin');
  if (origin !== null && origin !== new URL(url).origin) return true;
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}
