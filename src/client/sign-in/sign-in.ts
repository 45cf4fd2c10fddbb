import {
  type Addresses,
  adminPath,
  defaultTokenMinutes,
  type TokenReply,
  type TokenRequest,
  tokenReplyOf,
  toTokenForm,
} from '../../protocol/index.ts';
import { jsonOf } from '../transport/answer.ts';
import { addressWithoutQuery, ClientError, type ClientErrorCode } from '../transport/client-error.ts';
import type { Clock } from '../transport/clock.ts';
import { headerText } from '../transport/header-text.ts';
import type { Secrets } from '../transport/secrets.ts';
import type { Transport } from '../transport/transport.ts';
import { findBase } from './find-base.ts';
import type { SignedIn } from './token.ts';

/** A user and a password. */
export interface PasswordCredentials {
  readonly kind: 'password';
  readonly username: string;
  readonly password: string;
  /** Binding of the tokens. Default `referer`, because the address of a caller can change. */
  readonly client?: TokenRequest['client'];
  /** The referer for the client `referer`. Default: the administrative base address. */
  readonly referer?: string;
  /** The address for the client `ip`. */
  readonly ip?: string;
  /** Requested lifetime of a token, minutes. Default 60. */
  readonly minutes?: number;
}

/** Context of a sign-in. */
export interface SignInContext {
  readonly send: Transport;
  readonly addresses: Addresses;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Gets a token for a user. A refusal is a `ClientError` with the code `REFUSED_LOGIN`. */
export async function signIn(context: SignInContext, credentials: PasswordCredentials): Promise<SignedIn> {
  const { send, addresses, secrets, clock } = context;
  secrets.add(credentials.password);
  const form = toTokenRequest(credentials, addresses);
  const response = await send(
    new Request(addresses.generateToken, {
      method: 'POST',
      body: toTokenForm(form),
      headers: form.referer === undefined ? {} : { referer: headerText(form.referer, 'The referer') },
    }),
  );
  const failed = `The user "${credentials.username}" could not be signed in`;
  const body = await loginBodyOf(response, failed, context);
  const reply = tokenReplyOf(body);
  if (!reply) {
    // The answer is not quoted: it may hold a token all the same.
    const address = addressWithoutQuery(addresses.generateToken);
    throw new ClientError('BAD_REPLY', `${failed}: "${address}" answered with JSON that holds no token`);
  }
  secrets.add(reply.token);
  return { token: reply.token, lifetime: lifetimeOf(reply, { response, clock, minutes: form.expiration }) };
}

function toTokenRequest(credentials: PasswordCredentials, addresses: Addresses): TokenRequest {
  const { username, password, client = 'referer', ip, minutes = defaultTokenMinutes } = credentials;
  return {
    username,
    password,
    client,
    ...refererOf(credentials, addresses),
    ...(ip !== undefined && { ip }),
    expiration: minutes,
  };
}

/** The referer that the tokens of a sign-in are bound to, where they are bound to one. */
export function refererOf(
  { client = 'referer', referer }: PasswordCredentials,
  { root }: Addresses,
): { readonly referer?: string } {
  return client === 'referer' ? { referer: referer ?? root } : {};
}

const refusals: readonly ClientErrorCode[] = ['REFUSED', 'FORBIDDEN', 'TOKEN_EXPIRED'];

async function loginBodyOf(response: Response, failed: string, context: SignInContext): Promise<unknown> {
  const purpose = { failed, privilege: 'sign in' };
  const { hide } = context.secrets;
  try {
    return await jsonOf(response, { address: context.addresses.generateToken, purpose, hide });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.code === 'BAD_REPLY') throw await withBase(error, context);
    if (!refusals.includes(error.code)) throw error;
    throw new ClientError('REFUSED_LOGIN', `${error.message}: check the user and the password`);
  }
}

/** The error for a host without a deployment at its top, with the address of the one that it has below. */
async function withBase(error: ClientError, { send, addresses }: SignInContext): Promise<ClientError> {
  const { origin, pathname } = new URL(addresses.root);
  const base = pathname === adminPath ? await findBase(send, origin) : undefined;
  if (base === undefined) return error;
  return new ClientError(
    error.code,
    `${error.message}; a deployment answers at "${base}": try "--url ${base}"`,
  );
}

interface Issue {
  readonly response: Response;
  readonly clock: Clock;
  readonly minutes: number;
}

/**
 * Returns the remaining lifetime of a token, milliseconds. The deployment's clock can differ from ours,
 * so the expiry is relative to the date of the reply. Without an expiry in the future, the lifetime is
 * the requested one.
 */
function lifetimeOf(reply: TokenReply, { response, clock, minutes }: Issue): number {
  const date = Date.parse(response.headers.get('date') ?? '');
  const lifetime = (reply.expires ?? 0) - (Number.isNaN(date) ? clock.now() : date);
  return 0 < lifetime ? lifetime : minutes * 60_000;
}
