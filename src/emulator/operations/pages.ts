import { sessionCookie, sessionMinutes } from '../access/sessions.ts';
import { signInLog } from '../activity/activity.ts';
import { type Answer, type CheckedRequest, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { tooManySignInsRefusal } from './generate-token.ts';

/** Signs in a user of the pages in a browser, by a token in a cookie. */
export function signInOperation(site: Site): Operation {
  return {
    name: 'signIn',
    title: 'Sign in',
    path: `${site.root}/login`,
    methods: ['POST'],
    fields: [
      { name: 'username', required: true, autocomplete: 'username' },
      { name: 'password', type: 'password', required: true, autocomplete: 'current-password' },
      { name: 'next', type: 'hidden' },
    ],
    isPageOnly: true,
    run: (call) => signIn(site, call),
  };
}

async function signIn(
  site: Site,
  { body, origin, caller, requestID, foreign }: CheckedRequest,
): Promise<Answer> {
  // Otherwise a page of another site could sign a user in under a name of its choice.
  if (foreign) return refuseWith(403, 'Access denied.', 'The form is not from a page of this deployment.');
  const [username, password] = [body.get('username') ?? '', body.get('password') ?? ''];
  const user = await site.signIn({ username, password, address: caller });
  if (user === 'too many') return tooManySignInsRefusal;
  site.record(signInLog(site.now(), requestID, user?.username));
  if (!user) return refuseWith(400, 'Unable to sign in.', 'Invalid username or password.');
  const { token } = site.tokens.issue(user, {}, Math.min(sessionMinutes, site.settings.tokenMinutes));
  const location = localAddress(body.get('next') ?? '', origin, site) ?? site.root;
  return { kind: 'redirect', location, cookie: sessionCookie(token, scopeOf(site, origin)) };
}

/** The path and parameters of an address of this deployment; undefined for other addresses. */
function localAddress(address: string, origin: string, { context }: Site): string | undefined {
  if (address === '' || !URL.canParse(address, origin)) return undefined;
  const { origin: its, pathname, search } = new URL(address, origin);
  return its === origin && pathname.startsWith(`${context}/`) ? pathname + search : undefined;
}

/** Ends the session of a browser. */
export function signOutOperation(site: Site): Operation {
  return {
    name: 'signOut',
    title: 'Sign out',
    path: `${site.root}/logout`,
    methods: ['POST'],
    fields: [],
    isPageOnly: true,
    run: ({ origin, foreign, identify, session }) => {
      const user = identify();
      if (foreign || 'kind' in user) return refuseWith(403, 'Access denied.', 'There is no session to end.');
      if (session !== undefined) site.tokens.revoke(session);
      return {
        kind: 'redirect',
        location: site.root,
        cookie: sessionCookie(undefined, scopeOf(site, origin)),
      };
    },
  };
}

function scopeOf({ context }: Site, origin: string) {
  return { path: context, secure: origin.startsWith('https:') };
}
