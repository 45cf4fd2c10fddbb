import {
  type CatalogReply,
  type CatalogRequest,
  type CatalogRequestMessage,
  type CatalogRequestProblem,
  catalogPath,
  type Failure,
  failureCodes,
  fromCatalogRequest,
  generateTokenPath,
  isCatalogNamespace,
  proVersions,
  serverVersions,
  toCatalogReply,
  toFault,
  toWsdl,
} from '../protocol/index.ts';
import { folderOf, foldersOf, incidentServices } from './incident/fixtures.ts';
import {
  type Answer,
  type CheckedRequest,
  type Operation,
  type RefusalAnswer,
  refuseWith,
} from './operation.ts';
import type { Site } from './site.ts';

/** The service catalog in SOAP, with its description in WSDL at `?wsdl` (section 4.1 of the interface document). */
export function catalogOperation(site: Site): Operation {
  return {
    name: 'catalog',
    title: 'Service catalog',
    path: site.context + catalogPath,
    methods: ['GET', 'POST'],
    reads: 'soap',
    fields: [],
    run: (call) => (call.method === 'GET' ? describe(site, call) : answer(site, call)),
  };
}

function describe(site: Site, { form, origin, identify }: CheckedRequest): Answer {
  const address = origin + site.context + catalogPath;
  const names = [...form.keys()].map((name) => name.toLowerCase());
  if (names.includes('wsdl')) {
    return { kind: 'text', status: 200, type: 'text/xml', text: toWsdl(site.settings.profile, address) };
  }
  const user = site.settings.requiresTokens ? identify() : undefined;
  if (user && 'kind' in user) return user;
  return { kind: 'body', body: { wsdl: `${address}?wsdl`, services: incidentServices(address) } };
}

function answer(site: Site, call: CheckedRequest): Answer {
  const read = readMessage(call);
  if ('problem' in read) {
    const problem = `The message cannot be read: ${read.problem}.`;
    return fault(read.fault, refuseWith(400, 'Invalid request.', problem).failure);
  }
  const { request, namespace } = read;
  const refused = isOpen(request) || !site.settings.requiresTokens ? undefined : refusalOf(call);
  if (refused) return fault('Client', refused.failure);
  const names = namespace === '' ? site.settings.profile : { namespace };
  return { kind: 'soap', text: toCatalogReply(replyTo(request, site, call), names) };
}

/**
 * Reads the request of a message. Messages of every version are accepted, as real deployments do (field notes).
 */
function readMessage({ message }: CheckedRequest): CatalogRequestMessage | CatalogRequestProblem {
  if ('problem' in message) return { ...message, fault: 'Client' };
  const read = fromCatalogRequest(message.text);
  if ('problem' in read || read.namespace === '' || isCatalogNamespace(read.namespace)) return read;
  const problem = `"${read.request.operation}" is not in a namespace of the catalog, which its WSDL names`;
  return { problem, fault: 'Client' };
}

/** True for operations without a token: a caller needs them to get one. */
function isOpen({ operation }: CatalogRequest): boolean {
  return !['GetFolders', 'GetServiceDescriptions', 'GetServiceDescriptionsEx'].includes(operation);
}

function refusalOf({ identify }: CheckedRequest): RefusalAnswer | undefined {
  const user = identify();
  return 'kind' in user ? user : undefined;
}

function replyTo(
  request: CatalogRequest,
  { context, settings }: Site,
  { origin }: CheckedRequest,
): CatalogReply {
  const { profile, requiresTokens } = settings;
  const described = incidentServices(origin + context + catalogPath);
  switch (request.operation) {
    case 'GetMessageVersion':
      return {
        operation: request.operation,
        messageVersion: profile.versionType + serverVersions.at(-1),
        proMessageVersion: profile.proVersion + proVersions.at(-1),
      };
    case 'GetMessageFormats':
      return { operation: request.operation, messageFormats: `${profile.formatType}Soap` };
    case 'GetTokenServiceURL':
      return { operation: request.operation, tokenServiceUrl: origin + context + generateTokenPath };
    case 'GetFolders':
      return { operation: request.operation, folderNames: foldersOf(described) };
    case 'GetServiceDescriptions':
      return { operation: request.operation, services: described };
    case 'GetServiceDescriptionsEx': {
      const folder = request.folderName.replace(/^\/|\/$/g, '');
      return {
        operation: request.operation,
        services: described.filter((description) => folderOf(description) === folder),
      };
    }
    case 'RequiresTokens':
      return { operation: request.operation, required: requiresTokens };
  }
}

/** A refusal in SOAP. Its form is not documented: the code of the failure is in its detail. */
function fault(code: CatalogRequestProblem['fault'], failure: Failure): Answer {
  const detail = [String(failure.code ?? failureCodes.badRequest), ...failure.details].join(': ');
  return { kind: 'soap', text: toFault({ code, message: failure.message, detail }), failure };
}
