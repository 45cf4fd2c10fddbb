import { setTimeout as wait } from 'node:timers/promises';
import { type ReplyFormat, replyFormatOf, replyFormats, tokenOf } from '../protocol/index.ts';
import type { User } from './accounts.ts';
import { BrokenConnection, type Effect, effectOf, type NextEffects } from './faults.ts';
import { type Answer, type Operation, refuse } from './operation.ts';
import { readForm } from './read-form.ts';
import type { Site } from './site.ts';

/** A request to an operation, before anything of it is known to be right. */
export interface Arrived {
  readonly request: Request;
  readonly requestID: string;
  /** What `:id` of the path stands for. */
  readonly id: string;
  /** The address of the caller. */
  readonly caller: string;
  readonly nextEffects: NextEffects;
}

/** What became of a request. */
export interface Attempt {
  readonly answer: Answer;
  readonly format: ReplyFormat;
  /** Whose token it carried. */
  readonly username?: string;
}

/** Checks form, format, method, token and privilege, in this order, and lets the operation answer. */
export async function attempt(site: Site, operation: Operation, arrived: Arrived): Promise<Attempt> {
  const { request, requestID, id, caller, nextEffects } = arrived;
  const read = await readForm(request);
  if ('problem' in read) return { answer: refuse(400, 'Invalid request.', read.problem), format: 'json' };
  const { form, body } = read;
  const format = replyFormatOf(form);
  if (!format) {
    const rule = `"f" requires one of ${replyFormats.map((known) => `"${known}"`).join(', ')}`;
    return { answer: refuse(400, 'Invalid parameters.', rule), format: 'json' };
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (!operation.methods.some((allowed) => allowed === method)) {
    return {
      answer: method === 'GET' && format === 'html' ? { kind: 'form' } : wrongMethod(operation, method),
      format,
    };
  }
  const effects = nextEffects(operation.name);
  const interruption = await interrupt(site, effects);
  if (interruption) return { answer: interruption, format };

  const entry = admit(site, operation, { token: tokenOf(form, request.headers), request, caller });
  if ('refused' in entry) return { answer: entry.refused, format };
  const { user } = entry;
  const origin = new URL(request.url).origin;
  const answer = await operation.run({ requestID, form, body, id, origin, caller, user, effects });
  if (effectOf(effects, 'loseAnswer')) throw new BrokenConnection('The answer is lost');
  return { answer, format, ...(user && { username: user.username }) };
}

function wrongMethod({ methods }: Operation, method: string): Answer {
  const rule = `This requires ${methods.join(' or ')}, not ${method}.`;
  return { ...refuse(405, 'Method not allowed.', rule), status: 405 };
}

/** What goes wrong whatever the operation is. */
async function interrupt(site: Site, effects: readonly Effect[]): Promise<Answer | undefined> {
  const delay = effectOf(effects, 'delay');
  if (delay) await wait(delay.milliseconds, undefined, { signal: site.closed });
  if (effectOf(effects, 'reset')) throw new BrokenConnection('The connection is reset');
  if (effectOf(effects, 'expireTokens')) site.tokens.expireAll();
  const status = effectOf(effects, 'status');
  if (status) {
    const { retryAfter } = status;
    return {
      ...{ kind: 'text', status: status.status, type: 'text/plain', text: 'upstream connect error\n' },
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }
  const page = effectOf(effects, 'page');
  if (page) return { kind: 'text', status: 200, type: 'text/html', text: loginPage };
  const refusal = effectOf(effects, 'refuse');
  if (!refusal) return undefined;
  return { kind: 'failure', failure: refusal.failure, ...(refusal.shape && { shape: refusal.shape }) };
}

// What a proxy in front of a deployment likes to answer.
const loginPage = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Your session has ended.</p></body></html>
`;

interface Shown {
  readonly token: string | undefined;
  readonly request: Request;
  readonly caller: string;
}

function admit(
  site: Site,
  { privilege }: Operation,
  { token, request, caller }: Shown,
): { readonly user: User | undefined } | { readonly refused: Answer } {
  if (!privilege) return { user: undefined };
  if (!token) return { refused: refuse(499, 'Token Required.') };
  const referer = request.headers.get('referer') ?? undefined;
  const user = site.tokens.holder(token, { referer, address: caller });
  if (!user) return { refused: refuse(498, 'Invalid token.') };
  if (user.privileges.includes(privilege)) return { user };
  return {
    refused: refuse(403, 'Access denied.', `User '${user.username}' lacks the privilege "${privilege}".`),
  };
}
