import { revokeTokenPath } from '../../protocol/index.ts';
import type { Operation } from '../site/operation.ts';
import type { Site } from '../site/site.ts';

/** Revokes a token. An unknown token gets the same answer, so that the answer reveals no token. */
export function revokeTokenOperation(site: Site): Operation {
  return {
    name: 'revokeToken',
    title: 'Revoke a token',
    path: site.context + revokeTokenPath,
    methods: ['POST'],
    fields: [{ name: 'auth_token', type: 'password' }],
    run: ({ body }) => {
      site.tokens.revoke(body.get('auth_token') ?? '');
      return { kind: 'body', body: { success: true } };
    },
  };
}
