import {
  type CatalogOperation,
  type CatalogReplyOf,
  type CatalogRequest,
  failureOfFault,
  fromCatalogReply,
  isXmlText,
  parseReplyText,
  type ServiceDescription,
  soapType,
  toCatalogRequest,
  type VendorProfile,
  vendorProfiles,
} from '../protocol/index.ts';
import type { CallOptions, Client } from './client.ts';
import { ClientError } from './errors.ts';
import { withOwnSignal } from './retry.ts';
import { badReply, hideIn, jsonOf, replyText, toRefusalError, unexpectedReplyError } from './transport.ts';

/** Options for calls of the catalog. */
export interface CatalogOptions extends CallOptions {
  /** Vendor profile of the names in messages; deployments accept those of any version. Default: those of the interface document. */
  readonly profile?: VendorProfile | undefined;
}

/**
 * The message versions that the catalog speaks: `GetMessageVersion` of section 4.1 of the interface document.
 *
 * ```ts
 * const { messageVersion } = await getMessageVersion(client);
 * ```
 */
export async function getMessageVersion(
  client: Client,
  options: CatalogOptions = {},
): Promise<Omit<CatalogReplyOf<'GetMessageVersion'>, 'operation'>> {
  const { operation: _, ...versions } = await ask(client, { operation: 'GetMessageVersion' }, options);
  return versions;
}

/**
 * The message formats that the catalog speaks: `GetMessageFormats` of section 4.1 of the interface document.
 *
 * ```ts
 * const formats = await getMessageFormats(client);
 * ```
 */
export async function getMessageFormats(client: Client, options: CatalogOptions = {}): Promise<string> {
  return (await ask(client, { operation: 'GetMessageFormats' }, options)).messageFormats;
}

/**
 * Returns the address of the token service, empty if there is none: `GetTokenServiceURL` of sections 4.1 and 5 of the interface document.
 *
 * ```ts
 * const address = await getTokenServiceUrl(client);
 * ```
 */
export async function getTokenServiceUrl(client: Client, options: CatalogOptions = {}): Promise<string> {
  return (await ask(client, { operation: 'GetTokenServiceURL' }, options)).tokenServiceUrl;
}

/**
 * Returns whether services require tokens: `RequiresTokens` of sections 4.1 and 5 of the interface document.
 *
 * ```ts
 * const isProtected = await requiresTokens(client);
 * ```
 */
export async function requiresTokens(client: Client, options: CatalogOptions = {}): Promise<boolean> {
  return (await ask(client, { operation: 'RequiresTokens' }, options)).required;
}

/**
 * The names of the folders: `GetFolders` of section 4.1 of the interface document.
 *
 * ```ts
 * for (const folder of await getFolders(client)) console.log(folder);
 * ```
 */
export async function getFolders(client: Client, options: CatalogOptions = {}): Promise<readonly string[]> {
  return (await ask(client, { operation: 'GetFolders' }, options)).folderNames;
}

/**
 * The services of the catalog: `GetServiceDescriptions` of section 4.1 of the interface document.
 *
 * ```ts
 * for (const service of await getServiceDescriptions(client)) console.log(sourceOf(service));
 * ```
 */
export async function getServiceDescriptions(
  client: Client,
  options: CatalogOptions = {},
): Promise<readonly ServiceDescription[]> {
  return (await ask(client, { operation: 'GetServiceDescriptions' }, options)).services;
}

/**
 * The services in a folder, where the empty name is the root:
 * `GetServiceDescriptionsEx` of section 4.1 of the interface document. A name
 * that XML cannot carry is refused: it would arrive as another one.
 *
 * ```ts
 * const services = await getServiceDescriptionsEx(client, 'Hydro');
 * ```
 */
export async function getServiceDescriptionsEx(
  client: Client,
  folderName: string,
  options: CatalogOptions = {},
): Promise<readonly ServiceDescription[]> {
  if (!isXmlText(folderName)) {
    const message =
      'The name of the folder holds a character that XML cannot carry, so there is no such folder';
    throw new ClientError('REFUSED', message, { arrived: false });
  }
  return (await ask(client, { operation: 'GetServiceDescriptionsEx', folderName }, options)).services;
}

async function ask<O extends CatalogOperation>(
  client: Client,
  request: Extract<CatalogRequest, { operation: unknown }> & { readonly operation: O },
  { profile = vendorProfiles.default, signal }: CatalogOptions,
): Promise<CatalogReplyOf<O>> {
  const address = client.addresses.catalog;
  const { operation } = request;
  const response = await withOwnSignal(signal, (own) =>
    client.read(
      new Request(address, {
        method: 'POST',
        body: toCatalogRequest(request, profile),
        headers: { 'content-type': soapType, soapaction: '""' },
        signal: own,
      }),
    ),
  );
  return hideIn(await replyIn(response, { client, address, operation }), client.hide) as CatalogReplyOf<O>;
}

interface Asking<O> {
  readonly client: Client;
  readonly address: string;
  readonly operation: O;
}

async function replyIn<O extends CatalogOperation>(
  response: Response,
  { client, address, operation }: Asking<O>,
): Promise<CatalogReplyOf<O>> {
  const purpose = {
    failed: `The catalog did not answer "${operation}"`,
    privilege: 'see the services',
    wanted: 'SOAP',
  };
  const origin = { address, purpose, hide: client.hide };
  const text = (await replyText(response)) ?? '';
  const answer = fromCatalogReply(text, operation);
  if ('reply' in answer) return answer.reply;
  if ('fault' in answer) throw toRefusalError(failureOfFault(answer.fault), 200, origin);
  const isXml =
    response.status < 300 && parseReplyText(text).kind === 'other' && text.trimStart().startsWith('<');
  if (isXml) throw badReply(origin, `answered with XML that cannot be used: ${answer.problem}`);
  throw unexpectedReplyError(await jsonOf(response, origin), 'SOAP', origin);
}
