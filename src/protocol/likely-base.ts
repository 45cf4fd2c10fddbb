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
