import type { Operation } from '../operation.ts';
import type { Site } from '../site.ts';

/** Who the holder of a token is, as public clients ask after they have signed in. */
export function self(site: Site): Operation {
  return {
    name: 'self',
    title: 'User',
    path: `${site.context}/sharing/rest/community/self`,
    methods: ['GET', 'POST'],
    fields: [],
    run: ({ identify }) => {
      const user = identify();
      if ('kind' in user) return user;
      const { username, privileges } = user;
      return { kind: 'body', body: { username, fullName: username, role: 'org_admin', privileges } };
    },
  };
}
