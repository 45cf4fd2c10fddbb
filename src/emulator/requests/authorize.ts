import { type ReplyFormat, tokenOf } from '../../protocol/index.ts';
import type { User } from '../access/accounts.ts';
import { isForeign, sessionTokenOf } from '../access/sessions.ts';
import { type Operation, type RefusalAnswer, refuseWith, type Session } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import type { RequestParts } from './read-request.ts';

/** A request with its parts, as far as authentication needs them. */
export interface ParsedRequest {
  readonly request: Request;
  readonly parts: RequestParts;
  readonly format: ReplyFormat;
  /** The address of the caller. */
  readonly caller: string;
}

/**
 * Checks the privilege that an operation requires. Returns the user (undefined for open operations) or the
 * refusal.
 */
export function authorize(
  site: Site,
  { privilege }: Operation,
  shown: ParsedRequest,
): { readonly user: User | undefined } | { readonly refused: RefusalAnswer } {
  if (!privilege) return { user: undefined };
  const user = authenticate(site, shown);
  if ('kind' in user) return { refused: user };
  if (user.privileges.includes(privilege)) return { user };
  return {
    refused: refuseWith(403, 'Access denied.', `User '${user.username}' lacks the privilege "${privilege}".`),
  };
}

/**
 * Finds the user of a request's token: in its form, in a header or, for pages, in a cookie. Returns a refusal
 * for a missing or invalid token.
 */
export function authenticate(
  site: Site,
  { request, parts, format, caller }: ParsedRequest,
): User | RefusalAnswer {
  const token = tokenOf(parts.form, request.headers);
  if (token) return holderOf(site, token, { request, caller });
  const session = sessionTokenOf(request.headers);
  const csrf = parts.body.get('csrf');
  const isPost = request.method === 'POST';
  // A program that sends the cookie uses no page: the refusal names the missing token.
  if (!session || (isPost && csrf === null && format !== 'html')) return refuseWith(499, 'Token Required.');
  const isRead = !isPost && format === 'html';
  if (!isRead && (isForeign(request) || (isPost && !site.sessions.accepts(session, csrf ?? '')))) {
    return refuseWith(
      403,
      'Access denied.',
      'The form is not from a page of this session: send it once more.',
    );
  }
  return holderOf(site, session, { request, caller });
}

/** The session of a user that is signed in by a cookie; undefined for all others. */
export function sessionOf(
  site: Site,
  { request, caller }: Pick<ParsedRequest, 'request' | 'caller'>,
): Session | undefined {
  const token = sessionTokenOf(request.headers);
  if (token === undefined) return undefined;
  const holder = holderOf(site, token, { request, caller });
  return 'kind' in holder ? undefined : { username: holder.username, csrf: site.sessions.csrfOf(token) };
}

function holderOf(
  site: Site,
  token: string,
  { request, caller }: Pick<ParsedRequest, 'request' | 'caller'>,
): User | RefusalAnswer {
  const referer = request.headers.get('referer') ?? undefined;
  return site.tokens.holder(token, { referer, address: caller }) ?? refuseWith(498, 'Invalid token.');
}
