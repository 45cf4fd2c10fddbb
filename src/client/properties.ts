import {
  isSuccess,
  type Microservice,
  type MicroserviceStatus,
  messagesOfReply,
  microserviceStatusOf,
  microservicesOf,
  microservicesPath,
  type PropertyTemplate,
  type TemplateList,
  templatesOf,
  toEditForm,
  type UnreadableTemplate,
} from '../protocol/index.ts';
import { readExactJson } from '../records/index.ts';
import {
  addressBelow,
  type CallOptions,
  type Client,
  callChanging,
  outcomeUnknown,
  plainForm,
  readJson,
  withDoubt,
} from './client.ts';
import { ClientError } from './errors.ts';
import { type Purpose, unexpectedReplyError } from './transport.ts';

/** Options of reading the templates. */
export interface ReadTemplatesOptions extends CallOptions {
  /** Gets each item that is no template which could be read. Without it such an item is an error. */
  readonly onUnreadable?: ((item: UnreadableTemplate) => void) | undefined;
}

/**
 * The default property templates of all kinds of microservices (section 2.3 of
 * the interface document). A list with an item that cannot be read is a
 * `ClientError` with the code `BAD_REPLY`, unless `onUnreadable` takes it.
 *
 * ```ts
 * for (const { id, type } of await readPropertyTemplates(client)) console.log(id, type);
 * ```
 */
export async function readPropertyTemplates(
  client: Client,
  { onUnreadable, ...options }: ReadTemplatesOptions = {},
): Promise<readonly PropertyTemplate[]> {
  const { templates, unreadable } = await templatesAt(client, client.addresses.properties, options);
  for (const item of unreadable) {
    if (!onUnreadable) throw new ClientError('BAD_REPLY', `${describeUnreadable(item)}`);
    onUnreadable(item);
  }
  return templates;
}

/**
 * Names a template that cannot be read, and says why; without a final stop.
 *
 * ```ts
 * const onUnreadable = (item: UnreadableTemplate) => console.warn(describeUnreadable(item));
 * const templates = await readPropertyTemplates(client, { onUnreadable });
 * ```
 */
export function describeUnreadable({ id, at, findings }: UnreadableTemplate): string {
  const name = id === undefined ? `The template at place ${at + 1} of the list` : `The template "${id}"`;
  return `${name} cannot be read: ${findings.map(({ message }) => message).join('; ')}`;
}

/**
 * The default property template with an identifier (section 2.3 of the interface document).
 *
 * ```ts
 * const template = await readPropertyTemplate(client, 'a');
 * ```
 */
export async function readPropertyTemplate(
  client: Client,
  id: string,
  options: CallOptions = {},
): Promise<PropertyTemplate> {
  const { templates, unreadable } = await templatesAt(client, addressBelow(client.addresses.properties, id), {
    ...options,
    whenMissing: `check the identifier of the template, "${id}"`,
  });
  const [first, ...others] = templates;
  if (first && others.length === 0) {
    if (first.id === id) return first;
    const message = `The deployment answered with the template "${first.id}" in place of "${id}"`;
    throw new ClientError('BAD_REPLY', message);
  }
  const [broken] = unreadable;
  if (broken && !first)
    throw new ClientError('BAD_REPLY', describeUnreadable({ ...broken, id: broken.id ?? id }));
  throw new ClientError('BAD_REPLY', `The deployment did not answer with the one template "${id}"`);
}

async function templatesAt(
  client: Client,
  address: string,
  { signal, ...advice }: CallOptions & Pick<Purpose, 'whenMissing'>,
): Promise<TemplateList> {
  const purpose = {
    failed: 'The default properties could not be read',
    privilege: 'see the default properties',
    ...advice,
  };
  const body = await readJson(client, { address, body: plainForm(), purpose, signal, parse: readExactJson });
  const templates = templatesOf(body);
  if (!templates)
    throw unexpectedReplyError(body, 'a property template', { address, purpose, hide: client.hide });
  return templates;
}

/** A template as it is sent: nothing but its identifier is looked at. */
export type TemplateToSend = PropertyTemplate | { readonly id: string; readonly [member: string]: unknown };

/**
 * Makes a template the default for new microservices of its kind (section
 * 4.2.2 of the interface document). It is sent as it is: `checkTemplate` finds
 * what the deployment would refuse. Where the connection breaks before the
 * answer, the error says that the edit may have been made. Returns the messages of the success, which may be
 * reservations: read the template to see what was stored.
 *
 * ```ts
 * const template = await readPropertyTemplate(client, 'a');
 * await editPropertyTemplate(client, template);
 * ```
 */
export async function editPropertyTemplate(
  client: Client,
  template: TemplateToSend,
  options: CallOptions = {},
): Promise<readonly string[]> {
  const address = `${addressBelow(client.addresses.properties, template.id)}/edit`;
  const purpose = {
    failed: 'The default properties were not edited',
    privilege: 'edit the default properties',
  };
  await client.signIn();
  try {
    const body = await callChanging(client, { address, body: toEditForm(template), purpose, ...options });
    if (isSuccess(body)) return messagesOfReply(body).map(client.hide);
    throw unexpectedReplyError(body, 'the success of an edit', { address, purpose, hide: client.hide });
  } catch (error) {
    if (!outcomeUnknown(error)) throw error;
    throw withDoubt(error, 'The edit may have been made all the same: read the template to see');
  }
}

/**
 * The microservices of the deployment (public documentation of `system/deployments`).
 *
 * ```ts
 * for (const { id } of await readMicroservices(client)) console.log(id);
 * ```
 */
export async function readMicroservices(
  client: Client,
  options: CallOptions = {},
): Promise<readonly Microservice[]> {
  const address = client.addresses.root + microservicesPath;
  const purpose = { failed: 'The microservices could not be listed', privilege: 'see the microservices' };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const found = microservicesOf(body);
  if (!found)
    throw unexpectedReplyError(body, 'a list of microservices', { address, purpose, hide: client.hide });
  return found;
}

/**
 * State of a microservice now (public documentation of `system/deployments/<deploymentID>/status`).
 *
 * ```ts
 * const status = await readMicroserviceStatus(client, 'a');
 * ```
 */
export async function readMicroserviceStatus(
  client: Client,
  id: string,
  options: CallOptions = {},
): Promise<MicroserviceStatus> {
  const address = `${addressBelow(client.addresses.root + microservicesPath, id)}/status`;
  const purpose = {
    failed: `The status of the microservice "${id}" could not be read`,
    privilege: 'see the microservices',
    whenMissing: `check the identifier of the microservice, "${id}"`,
  };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const status = microserviceStatusOf(body);
  if (!status)
    throw unexpectedReplyError(body, 'the status of a microservice', { address, purpose, hide: client.hide });
  return status;
}
