import {
  defaultTokenMinutes,
  fromTokenForm,
  generateTokenPath,
  minutesOf,
  type TokenReply,
  tokenClients,
} from '../../protocol/index.ts';
import { bindingOf, type IssuedToken } from '../access/tokens.ts';
import { signInLog } from '../activity/activity.ts';
import {
  type Answer,
  type CheckedRequest,
  type Operation,
  type RefusalAnswer,
  refuseWith,
} from '../site/operation.ts';
import type { Site } from '../site/site.ts';

/** Issues a token for a user name and a password. Both are read from the body alone. */
export function generateTokenOperation(site: Site): Operation {
  return {
    name: 'generateToken',
    title: 'Generate token',
    path: site.context + generateTokenPath,
    methods: ['POST'],
    fields: [
      { name: 'username' },
      { name: 'password', type: 'password' },
      { name: 'client', choices: tokenClients },
      { name: 'referer' },
      { name: 'ip' },
      { name: 'expiration', value: String(defaultTokenMinutes) },
    ],
    // Clients with a token of the portal exchange it for one of a server of the portal.
    run: (call) => (call.body.has('serverUrl') ? exchange(site, call) : signIn(site, call)),
  };
}

async function signIn(site: Site, { body, caller, requestID }: CheckedRequest): Promise<Answer> {
  const { request, findings } = fromTokenForm(body);
  if (0 < findings.length) return refuseToken(...findings.map(({ message }) => message));
  const { username, password } = request;
  const user = await site.signIn({ username, password, address: caller });
  if (user === 'too many') return tooManySignInsRefusal;
  site.record(signInLog(site.now(), requestID, user?.username));
  if (!user) return refuseToken('Invalid username or password.');
  const minutes = Math.min(request.expiration, site.settings.tokenMinutes);
  return reply(site.tokens.issue(user, bindingOf(request, caller), minutes));
}

function exchange(site: Site, { body, caller, referer, origin }: CheckedRequest): Answer {
  const address = body.get('serverUrl') ?? '';
  const server = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = server?.origin === origin && `${server.pathname}/`.startsWith(`${site.context}/`);
  if (!isOwn) return refuseToken('"serverUrl" requires the address of a server of this portal');
  const wanted = minutesOf(body);
  if (wanted === undefined) return refuseToken('"expiration" requires a whole number of minutes above 0');
  const minutes = Math.min(wanted, site.settings.tokenMinutes);
  const issued = site.tokens.exchange(body.get('token') ?? '', { referer, address: caller }, minutes);
  return issued ? reply(issued) : refuseWith(498, 'Invalid token.');
}

function reply(issued: IssuedToken): Answer {
  const body: TokenReply = { ...issued, ssl: false };
  return { kind: 'body', body };
}

function refuseToken(...details: readonly string[]): RefusalAnswer {
  return refuseWith(400, 'Unable to generate token.', ...details);
}

/** The refusal of a sign-in while too many others of the same user wait for their turn (RFC 6585). */
export const tooManySignInsRefusal: RefusalAnswer = {
  ...refuseWith(429, 'Too many sign-ins.', 'Sign in again when the others of this user are over.'),
  ...{ status: 429, retryAfter: 5 },
};
