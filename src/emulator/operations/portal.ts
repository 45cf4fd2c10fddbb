import { generateTokenPath } from '../../protocol/index.ts';
import { allPrivileges, type User } from '../access/accounts.ts';
import { type CheckedRequest, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { releaseAt } from '../upgrade/progress.ts';

/** Resources of the portal that public clients request during sign-in. */

/** The identifier of the one organisation of the deployment. */
const organisation = '0123456789ABCDEF';

/** Members of a user that public clients read. */
function userBody({ username, privileges: granted }: User): object {
  const isAdministrator = allPrivileges.every((each) => granted.includes(each));
  const role = isAdministrator ? 'org_admin' : 'org_user';
  return { username, fullName: username, role, privileges: granted, orgId: organisation, groups: [] };
}

/** User that a token belongs to. */
export function selfOperation(site: Site): Operation {
  return {
    ...resource('self', 'User', `${site.context}/sharing/rest/community/self`),
    run: ({ identify }) => {
      const user = identify();
      return 'kind' in user ? user : { kind: 'body', body: userBody(user) };
    },
  };
}

/** The portal, with its user if the request carries a token. */
export function portalOperation(site: Site): Operation {
  return {
    ...resource('portal', 'Portal', `${site.context}/sharing/rest/portals/self`),
    run: ({ origin, carriesToken, identify }) => {
      const user = carriesToken ? identify() : undefined;
      if (user && 'kind' in user) return user;
      const body = {
        ...{ id: organisation, name: 'Reference deployment', isPortal: true, portalMode: 'singletenant' },
        currentVersion: versionOf(site),
        portalHostname: new URL(origin).host + site.context,
        allSSL: origin.startsWith('https:'),
        // No other site has access.
        ...{ authorizedCrossOriginDomains: [], authorizedCrossOriginNoCorsDomains: [] },
        ...(user && { user: userBody(user) }),
      };
      return { kind: 'body', body };
    },
  };
}

/** The address of the token service; open to everyone. */
export function sharingInfoOperation(site: Site): Operation {
  return {
    ...resource('sharingInfo', 'Token service', `${site.context}/sharing/rest/info`),
    run: (call) => ({ kind: 'body', body: ownerOf(site, call) }),
  };
}

/** The portal of the services; open to everyone. */
export function serverInfoOperation(site: Site): Operation {
  return {
    ...resource('serverInfo', 'Services', `${site.context}/rest/info`),
    run: (call) => {
      const [major = '', minor = '0', patch = '0'] = versionOf(site).split('.');
      const versions = {
        // A single number: 10.91 for 10.9.1.
        currentVersion: Number(`${major}.${minor}${patch === '0' ? '' : patch}`),
        fullVersion: [major, minor, patch].join('.'),
      };
      return { kind: 'body', body: { ...versions, ...ownerOf(site, call) } };
    },
  };
}

/** Access of a token's user to an application; every user may use every application. */
export function appAccessOperation(site: Site): Operation {
  return {
    ...resource(
      'appAccess',
      'Validate access to an application',
      `${site.context}/sharing/rest/oauth2/validateAppAccess`,
    ),
    methods: ['POST'],
    fields: [{ name: 'client_id' }],
    run: ({ form, identify }) => {
      const user = identify();
      if ('kind' in user) return user;
      if (!form.get('client_id')) return refuseWith(400, 'Invalid request.', '"client_id" requires a value');
      return { kind: 'body', body: { valid: true, viewOnlyUserTypeApp: false } };
    },
  };
}

function ownerOf({ context }: Site, { origin }: CheckedRequest): object {
  const owningSystemUrl = origin + context;
  const tokenServicesUrl = origin + context + generateTokenPath;
  return { owningSystemUrl, authInfo: { isTokenBasedSecurity: true, tokenServicesUrl } };
}

function versionOf({ state, now }: Site): string {
  return releaseAt(state.read(), now()).version;
}

function resource<N extends string>(name: N, title: string, path: string) {
  return { name, title, path, methods: ['GET', 'POST'], fields: [] } as const;
}
