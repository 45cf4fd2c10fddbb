import {
  defaultTokenMinutes,
  fromTokenForm,
  generateTokenPath,
  type TokenReply,
  tokenClients,
} from '../../protocol/index.ts';
import { signInLog } from '../activity.ts';
import { type Operation, type Refusal, refuse } from '../operation.ts';
import type { Site } from '../site.ts';
import { bindingOf } from '../tokens.ts';

/** Gives a token for a user name and a password. Both are read from the body alone. */
export function generateToken(site: Site): Operation {
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
    run: async ({ body, caller, requestID }) => {
      const { request, findings } = fromTokenForm(body);
      if (0 < findings.length)
        return refuse(400, 'Unable to generate token.', ...findings.map(({ message }) => message));
      const { username, password } = request;
      const user = await site.signIn({ username, password, address: caller });
      if (user === 'too many') return tooManySignIns;
      site.record(signInLog(site.now(), requestID, user?.username));
      if (!user) return refuse(400, 'Unable to generate token.', 'Invalid username or password.');
      const minutes = Math.min(request.expiration, site.settings.tokenMinutes);
      const issued = site.tokens.issue(user, bindingOf(request, caller), minutes);
      const reply: TokenReply = { ...issued, ssl: false };
      return { kind: 'body', body: reply };
    },
  };
}

/** The refusal of a sign-in while too many others of the same user wait for their turn (RFC 6585). */
export const tooManySignIns: Refusal = {
  ...refuse(429, 'Too many sign-ins.', 'Sign in again when the others of this user are over.'),
  ...{ status: 429, retryAfter: 5 },
};
