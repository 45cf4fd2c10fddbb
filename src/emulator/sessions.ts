import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The sessions of those who use the pages in a browser. A session is a token in
 * a cookie. A browser sends cookies along whoever made the form, so every form
 * of a session carries a value that only the pages of this deployment know.
 */
export interface Sessions {
  /** The value that forms of a session carry. */
  readonly csrfOf: (token: string) => string;
  /** Whether a form carries that value. Takes the same time for all of them. */
  readonly accepts: (token: string, csrf: string) => boolean;
}

/** Sessions under a key that lives as long as the deployment. */
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

/** How long a session lives, in minutes. */
export const sessionMinutes = 60;

/** The token in the cookie of a request. */
export function sessionTokenOf(headers: Headers): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(';').map((each) => each.trim());
  return cookies.find((each) => each.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) || undefined;
}

/** The cookie that keeps a token in the browser, out of reach of scripts and of other sites; without a token: that ends it. */
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

/** Where a cookie is sent. */
export interface CookieScope {
  readonly path: string;
  /** Whether over TLS only. */
  readonly secure: boolean;
}

/** Whether a request may have been sent by a page of another site: browsers say so in two headers. */
export function isForeign({ headers, url }: Request): boolean {
  const origin = headers.get('origin');
  if (origin !== null && origin !== new URL(url).origin) return true;
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}
