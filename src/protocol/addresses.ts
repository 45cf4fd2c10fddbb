/**
 * Addresses of a deployment's operations. The interface document gives paths relative to the administrative
 * base address, `{root}`. The token service is beside it, below the address of the whole deployment.
 */

/** The path of the administrative base address below the deployment's address. */
export const adminPath = '/admin';

/** The path of the export operation below `{root}` (section 4.2.1 of the interface document). */
export const exportPath = '/logs/export';

/**
 * The path of the search for logs below `{root}`, which some deployments have. It can count logs (field notes).
 */
export const searchPath = '/logs/search';

/** The path of the default property templates below `{root}`; an edit is at `<id>/edit` below it (section 4.2.2). */
export const propertiesPath = '/system/deployments/properties';

/** The path of the upgrades resource below `{root}`; its operations are below it (sections 4.2.3 to 4.2.5). */
export const upgradesPath = '/system/upgrades';

/** The path of the operation below `{root}` that stores files (field notes). */
export const uploadPath = '/uploads/upload';

/** The path of the service catalog below the deployment's address (section 4.1), as public clients have it. */
export const catalogPath = '/services';

/** The path of the token service below the deployment's address, as the field notes have it. */
export const generateTokenPath = '/sharing/rest/generateToken';

/** The path below the deployment's address that revokes a token, as public clients have it. */
export const revokeTokenPath = '/sharing/rest/oauth2/revokeToken';

/** The addresses of one deployment, without user names, queries and final slashes. */
export interface Addresses {
  /** The administrative base address: `{root}` of the interface document. */
  readonly root: string;
  readonly exportLogs: string;
  readonly searchLogs: string;
  readonly properties: string;
  readonly upgrades: string;
  readonly upload: string;
  /** The address of the service catalog: `{base_url}` of the interface document. */
  readonly catalog: string;
  readonly generateToken: string;
  readonly revokeToken: string;
}

/**
 * Derives the addresses of a deployment from one address. That is the deployment
 * (`https://gis.example.com/arcgis`), its administrative interface (`https://gis.example.com/arcgis/admin`) or
 * a path below it, or its service catalog (`https://gis.example.com/arcgis/services`). Returns a problem for
 * an unusable address. The problem never quotes the address, because it may hold a password.
 *
 * ```ts
 * const addresses = addressesOf('https://gis.example.com/arcgis');
 * if ('problem' in addresses) console.error(addresses.problem);
 * ```
 */
export function addressesOf(address: string): Addresses | { readonly problem: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { problem: 'The address of the deployment requires the form https://HOST/PATH' };
  }
  if (url.username || url.password) {
    return { problem: 'The address of the deployment must not hold a user name or a password' };
  }
  const context = url.origin + contextPath(url.pathname);
  const root = context + adminPath;
  return {
    root,
    exportLogs: root + exportPath,
    searchLogs: root + searchPath,
    properties: root + propertiesPath,
    upgrades: root + upgradesPath,
    upload: root + uploadPath,
    catalog: context + catalogPath,
    generateToken: context + generateTokenPath,
    revokeToken: context + revokeTokenPath,
  };
}

function contextPath(path: string): string {
  const [context = ''] = `${path}/`.split(`${adminPath}/`);
  const trimmed = context.replace(/\/+$/, '');
  return trimmed.endsWith(catalogPath) ? trimmed.slice(0, -catalogPath.length) : trimmed;
}

/**
 * The address of a resource that the deployment named; undefined for none. Behind a proxy, a deployment may
 * name a host or scheme that is not reachable from outside. A path below that of `{root}` therefore gets the
 * origin of `{root}`. Any other address, such as that of an object store, stays as it is. A token, a user and a
 * password in the address are dropped: errors, logs and cases quote addresses.
 */
export function reachableAddress(named: string, root: string): string | undefined {
  if (!URL.canParse(named, `${root}/`)) return undefined;
  const url = new URL(named, `${root}/`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  // Only then: writing parameters back may change the spelling of a signature in them.
  if (url.searchParams.has('token')) url.searchParams.delete('token');
  url.username = '';
  url.password = '';
  const base = new URL(root);
  const inside = url.pathname.startsWith(`${base.pathname}/`);
  return inside ? base.origin + url.pathname + url.search : url.href;
}

/**
 * The address below `{root}` of a job or an upload that the deployment named elsewhere, as by the host and the
 * context that it has within its network. Undefined for an address below `{root}`, and for one that is neither.
 */
export function ownAddress(named: string, root: string): string | undefined {
  if (!URL.canParse(named) || named.startsWith(`${root}/`)) return undefined;
  const [, path] = /(\/(?:jobs|uploads)\/[\w-]+)(?:\/download)?\/?$/.exec(new URL(named).pathname) ?? [];
  return path === undefined ? undefined : root + path;
}

/** The address of the bytes of an upload: `result.URL` of a finished export. */
export function downloadAddress(upload: string): string {
  const url = new URL(upload);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/download`;
  return url.href;
}

/**
 * Addresses that people copy from a browser: pages and services of a
 * deployment, each below its base address. The paths are those of the products
 * that serve this interface.
 */
const pages = /^(.*?)\/(home|manager|portaladmin|sharing|rest|signin)(\/.*)?$/i;

/** The part before the last path that this program requests below a base address. */
const requested = /^(.*)\/(sharing\/rest|admin|services)(\/|$)/;

/**
 * Guesses the intended base address from a failed request below `https://HOST/CONTEXT/home`, `/manager`,
 * `/sharing/rest`, `/rest/services` or `/signin`. Undefined for other addresses.
 */
export function likelyBase(address: string): string | undefined {
  const { origin, pathname } = new URL(address);
  const [, base = pathname] = requested.exec(pathname) ?? [];
  const [, context] = pages.exec(base) ?? [];
  return context === undefined ? undefined : origin + context;
}

/** The contexts that deployments usually have. */
export const usualContexts = ['/arcgis', '/portal', '/server', '/gis', '/enterprise'] as const;

/**
 * The paths below a base address that identify the deployment without a token: those of the token service and
 * of the services.
 */
export const infoPaths = ['/sharing/rest/info', '/rest/info'] as const;

/** True if the JSON of a reply is that of a deployment at one of `infoPaths`. */
export function isDeploymentInfo(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'authInfo' in body || 'owningSystemUrl' in body || 'currentVersion' in body;
}

/** Paths, hosts and parameters of pages at which people sign in. */
const signInPaths =
  /\/(oauth2?|authorize|sign-?in|log-?in|logon|saml2?|sso|adfs|idp|openid-connect|wsfed|cas)(\/|\.|$)/i;
const signInHosts = /(^|\.)(login|sso|idp|adfs|auth|okta|auth0|accounts)\./i;
const signInParameters = ['SAMLRequest', 'RelayState', 'response_type', 'wtrealm', 'redirect_uri'];

/** True for the address of a sign-in page, also of an identity provider. */
export function isSignInPage(address: string): boolean {
  const { hostname, pathname, searchParams } = new URL(address);
  return (
    signInPaths.test(pathname) ||
    signInHosts.test(`.${hostname}`) ||
    signInParameters.some((name) => searchParams.has(name))
  );
}
