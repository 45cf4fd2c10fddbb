import { createHash } from 'node:crypto';
import { logLevels } from '../language/index.ts';
import {
  defaultTokenMinutes,
  fromTokenForm,
  generateTokenPath,
  introducedIn,
  isVersionSince,
  logAgeDays,
  logSettingsPath,
  microservicesPath,
  minutesOf,
  type PropertyTemplate,
  progressOf,
  type TokenReply,
  tokenClients,
} from '../protocol/index.ts';
import { allPrivileges, bindingOf, type IssuedToken, type User } from './access.ts';
import { logSettingsEditedLog, signInLog } from './activity.ts';
import {
  type Answer,
  type CheckedRequest,
  type Operation,
  type RefusalAnswer,
  refuseWith,
} from './operation.ts';
import { currentLogLevel, type Site } from './site.ts';
import { progressAt, releaseAt } from './upgrade.ts';

/** Resources of the portal that public clients request during sign-in. */

/** The identifier of the one organisation of the deployment. */
const organisation = '0123456789ABCDEF';

/** Members of a user that public clients read. */
function userBody({ username, privileges: granted }: User): object {
  const isAdministrator = allPrivileges.every((privilege) => granted.includes(privilege));
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
        id: organisation,
        name: 'Reference deployment',
        isPortal: true,
        portalMode: 'singletenant',
        currentVersion: versionOf(site),
        portalHostname: new URL(origin).host + site.context,
        allSSL: origin.startsWith('https:'),
        // No other site has access.
        authorizedCrossOriginDomains: [],
        authorizedCrossOriginNoCorsDomains: [],
        ...(user && { user: userBody(user) }),
      };
      return { kind: 'body', body };
    },
  };
}

/** The one server of the portal, for its users. Public clients read the administrative addresses here. */
export function portalServersOperation(site: Site): Operation {
  return {
    ...resource(
      'portalServers',
      'Servers of the portal',
      `${site.context}/sharing/rest/portals/self/servers`,
    ),
    run: ({ origin, identify }) => {
      const user = identify();
      if ('kind' in user) return user;
      const url = origin + site.context;
      const server = {
        id: serverId,
        name: new URL(origin).host,
        url,
        adminUrl: url,
        isHosted: true,
        serverKey: null,
        serverType: 'ARCGIS',
        serverRole: 'HOSTING_SERVER',
        serverFunction: '',
      };
      return { kind: 'body', body: { servers: [server] } };
    },
  };
}

/** The identifier of the one server of the portal. */
const serverId = 'reference00000000';

/** The addresses of the servers for features and tiles, by their scheme, for users of the portal. */
export function portalUrlsOperation(site: Site): Operation {
  return {
    ...resource('portalUrls', 'Addresses of the portal', `${site.context}/sharing/rest/portals/self/urls`),
    run: ({ origin, identify }) => {
      const user = identify();
      if ('kind' in user) return user;
      const addresses = { [origin.startsWith('https:') ? 'https' : 'http']: [origin + site.context] };
      return { kind: 'body', body: { urls: { features: addresses, tiles: addresses } } };
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

/**
 * The portal of the administrative interface, below each of its addresses: the request library of the vendor asks
 * there if it may send the token of its session.
 */
export function adminInfoOperation(site: Site): Operation {
  return {
    ...serverInfoOperation(site),
    name: 'adminInfo',
    title: 'Administration',
    path: `${site.root}/:id{(?:.+/)?rest}/info`,
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

/** Issues a token for a user name and a password. Both are read from the body alone. */
export function generateTokenOperation(site: Site): Operation {
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
    // Clients with a token of the portal exchange it for one of a server of the portal.
    run: (call) => (call.body.has('serverUrl') ? exchange(site, call) : signIn(site, call)),
  };
}

/** The same at the address below the administration, where scripts for older servers ask for a token. */
export function adminTokenOperation(site: Site): Operation {
  return { ...generateTokenOperation(site), name: 'adminToken', path: `${site.root}/generateToken` };
}

async function signIn(site: Site, { body, caller, requestID }: CheckedRequest): Promise<Answer> {
  const { request, findings } = fromTokenForm(body);
  if (0 < findings.length) return refuseToken(...findings.map(({ message }) => message));
  const { username, password } = request;
  const user = await site.signIn({ username, password, address: caller });
  if (user === 'too many') return tooManySignInsRefusal;
  site.record(signInLog(site.now(), requestID, user?.username));
  if (!user) return refuseToken('Invalid username or password.');
  const minutes = Math.min(request.expiration, site.settings.tokenMinutes);
  return reply(site.tokens.issue(user, bindingOf(request, caller), minutes));
}

function exchange(site: Site, { body, caller, referer, origin }: CheckedRequest): Answer {
  const address = body.get('serverUrl') ?? '';
  const server = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = server?.origin === origin && `${server.pathname}/`.startsWith(`${site.context}/`);
  if (!isOwn) return refuseToken('"serverUrl" requires the address of a server of this portal');
  const requestedMinutes = minutesOf(body);
  if (requestedMinutes === undefined)
    return refuseToken('"expiration" requires a whole number of minutes above 0');
  const minutes = Math.min(requestedMinutes, site.settings.tokenMinutes);
  const issued = site.tokens.exchange(body.get('token') ?? '', { referer, address: caller }, minutes);
  return issued ? reply(issued) : refuseWith(498, 'Invalid token.');
}

function reply(issued: IssuedToken): Answer {
  const body: TokenReply = { ...issued, ssl: false };
  return { kind: 'body', body };
}

function refuseToken(...details: readonly string[]): RefusalAnswer {
  return refuseWith(400, 'Unable to generate token.', ...details);
}

/** The refusal of a sign-in while too many others of the same user wait for their turn (RFC 6585). */
export const tooManySignInsRefusal: RefusalAnswer = {
  ...refuseWith(429, 'Too many sign-ins.', 'Sign in again when the others of this user are over.'),
  status: 429,
  retryAfter: 5,
};

/** The microservices: one for each template (public documentation of `system/deployments`). */
export function microservicesOperation(site: Site): Operation {
  return {
    name: 'microservices',
    title: 'Microservices',
    path: site.root + microservicesPath,
    methods: ['GET', 'POST'],
    privilege: 'manageProperties',
    fields: [],
    run: () => {
      const deployments = site.state.read().templates.map((template) => ({
        deploymentId: deploymentIdOf(template),
        name: nameOf(template),
        type: template.type,
        provider: template.provider,
        mode: template.mode,
      }));
      return { kind: 'body', body: { deployments } };
    },
  };
}

/** State of a microservice: all of its pods run, except while an upgrade replaces them. */
export function microserviceStatusOperation(site: Site): Operation {
  return {
    name: 'microserviceStatus',
    title: 'Status of a microservice',
    path: `${site.root}${microservicesPath}/:id/status`,
    methods: ['GET', 'POST'],
    privilege: 'manageProperties',
    fields: [],
    run: ({ id }) => {
      const { templates } = site.state.read();
      const template = templates.find((template) => deploymentIdOf(template) === id);
      if (!template) return notFound;
      const pods = template.spec.replicas?.min ?? 1;
      const readyReplicas = template === replacedBy(site) ? 0 : pods;
      const name = nameOf(template);
      const body = {
        id,
        name,
        currentState: 'STARTED',
        readyReplicas,
        totalReplicas: pods,
        kubernetesResourceKind: isStore(template) ? 'StatefulSet' : 'Deployment',
        kubernetesResourceName: `gis-${id}-${name}`,
      };
      return { kind: 'body', body };
    },
  };
}

/** The template of the microservice whose pods an upgrade replaces now; one at a time. */
function replacedBy(site: Site): PropertyTemplate | undefined {
  const state = site.state.read();
  const { stage, counted } = progressOf(progressAt(state, site.now()).status);
  if (stage !== 'running' || !counted || counted.of <= counted.done) return undefined;
  return state.templates[Math.floor((counted.done / counted.of) * state.templates.length)];
}

/** An identifier that edits of the template do not change. */
function deploymentIdOf({ id }: PropertyTemplate): string {
  return `k${createHash('sha256').update(id).digest('hex').slice(0, 20)}`;
}

function nameOf({ type, mode }: PropertyTemplate): string {
  const prefix = mode === 'Undefined' ? '' : `${mode}-`;
  return `${prefix}${type}`.toLowerCase();
}

function isStore({ type }: PropertyTemplate): boolean {
  return /Store$|^QueueServer$/.test(type);
}

const notFound = refuseWith(404, 'Deployment not found.', 'There is no microservice with this identifier.');

/** The log settings, in the shape of their public documentation. */
export function logSettingsOperation(site: Site): Operation {
  return {
    name: 'logSettings',
    title: 'Log settings',
    path: site.root + logSettingsPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.logSettings,
    fields: [],
    run: () => ({ kind: 'body', body: settingsBody(site) }),
  };
}

/** Edits the log settings. No log is deleted by age: the sample logs are old. */
export function editLogSettingsOperation(site: Site): Operation {
  return {
    name: 'editLogSettings',
    title: 'Edit log settings',
    path: `${site.root}${logSettingsPath}/edit`,
    methods: ['POST'],
    privilege: 'manageLogs',
    since: introducedIn.logSettings,
    closed: 'in read-only mode',
    fields: [
      { name: 'logLevel', choices: logLevels },
      { name: 'maxLogAgeDays', value: String(logAgeDays.usual) },
    ],
    run: (call) => edit(site, call),
  };
}

/** Recreates the index of the logs. Searches read the logs themselves, so there is nothing to do. */
export function updateLogIndexOperation(site: Site): Operation {
  return {
    name: 'updateLogIndex',
    title: 'Update the log index',
    path: `${site.root}${logSettingsPath}/updateLogIndex`,
    methods: ['POST'],
    privilege: 'manageLogs',
    since: introducedIn.logSettings,
    closed: 'in read-only mode',
    fields: [],
    run: () => ({ kind: 'body', body: { status: 'success' } }),
  };
}

function settingsBody(site: Site): object {
  const { logSettings: edited } = site.state.read();
  return {
    logLevel: currentLogLevel(site),
    ...(knowsRetention(site) && { maxLogAgeDays: edited?.maxLogAgeDays ?? logAgeDays.usual }),
    ...(edited && { lastModified: edited.lastModified }),
  };
}

function knowsRetention(site: Site): boolean {
  return isVersionSince(releaseAt(site.state.read(), site.now()).version, introducedIn.logRetention);
}

async function edit(site: Site, { form, user, requestID }: CheckedRequest): Promise<Answer> {
  const logLevel = form.get('logLevel')?.trim() ?? '';
  const maxLogAgeDays = daysOf(form.get('maxLogAgeDays')?.trim() ?? '', site);
  const problems = [
    ...(logLevels.some((level) => level === logLevel) ? [] : [levelRule]),
    ...(maxLogAgeDays === undefined ? [ageRule] : []),
  ];
  if (maxLogAgeDays === undefined || 0 < problems.length) {
    return refuseWith(400, 'Invalid parameters.', ...problems);
  }
  const lastModified = site.now();
  await site.state.change((state) => ({ ...state, logSettings: { logLevel, maxLogAgeDays, lastModified } }));
  const username = user?.username ?? '';
  site.record(logSettingsEditedLog(lastModified, { id: logLevel, requestID, username }));
  return { kind: 'body', body: { status: 'success' } };
}

const levelRule = `"logLevel" requires one of ${logLevels.map((level) => `"${level}"`).join(', ')}`;
const ageRule = `"maxLogAgeDays" requires a whole number from ${logAgeDays.least} to ${logAgeDays.most}`;

/** The days in a text; the usual ones before the version with retention. Undefined for an invalid text. */
function daysOf(text: string, site: Site): number | undefined {
  if (!knowsRetention(site)) return logAgeDays.usual;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return logAgeDays.least <= days && days <= logAgeDays.most ? days : undefined;
}
