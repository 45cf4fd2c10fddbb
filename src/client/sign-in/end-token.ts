import { type Addresses, parseReplyText } from '../../protocol/index.ts';
import { replyText } from '../transport/body.ts';
import { ClientError } from '../transport/client-error.ts';
import { headerText } from '../transport/header-text.ts';
import type { Transport } from '../transport/transport.ts';
import type { TokenSource } from './token.ts';

/** Context for ending a token. */
export interface EndTokenContext {
  readonly send: Transport;
  readonly addresses: Addresses;
  readonly source: TokenSource;
  readonly referer?: string | undefined;
}

/** Forgets the token of a source and revokes it at the deployment; returns whether it was revoked. */
export async function endToken({ send, addresses, source, referer }: EndTokenContext): Promise<boolean> {
  const token = source.forget();
  if (token === undefined) return false;
  const body = new URLSearchParams({ auth_token: token, token, client_id: 'logquarry', f: 'json' });
  try {
    const headers = referer === undefined ? {} : { referer: headerText(referer, 'The referer') };
    const response = await send(new Request(addresses.revokeToken, { method: 'POST', body, headers }));
    const reply = parseReplyText((await replyText(response)) ?? '');
    return response.ok && reply.kind === 'json';
  } catch (error) {
    // It is of no use to anyone who only wants to leave; the token ends by itself.
    if (error instanceof ClientError) return false;
    throw error;
  }
}
