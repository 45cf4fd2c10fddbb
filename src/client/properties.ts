import { isSuccess, type PropertyTemplate, templatesOf, toEditForm } from '../protocol/index.ts';
import { type Purpose, unexpected } from './answer.ts';
import { addressBelow, type CallOptions, order, plainForm, readJson } from './call.ts';
import type { Client } from './client.ts';
import { ClientError } from './client-error.ts';
import { mayBeCarriedOut, withDoubt } from './in-doubt.ts';

/** The default property templates of all kinds of microservices (section 2.3 of the interface document). */
export async function readPropertyTemplates(
  client: Client,
  options: CallOptions = {},
): Promise<readonly PropertyTemplate[]> {
  return templatesAt(client, client.addresses.properties, options);
}

/** The default property template with an identifier (section 2.3 of the interface document). */
export async function readPropertyTemplate(
  client: Client,
  id: string,
  options: CallOptions = {},
): Promise<PropertyTemplate> {
  const [first, ...others] = await templatesAt(client, addressBelow(client.addresses.properties, id), {
    ...options,
    whenMissing: `check the identifier of the template, "${id}"`,
  });
  if (first && others.length === 0) return first;
  throw new ClientError('BAD_REPLY', `The deployment did not answer with the one template "${id}"`);
}

async function templatesAt(
  client: Client,
  address: string,
  { signal, ...advice }: CallOptions & Pick<Purpose, 'whenMissing'>,
) {
  const purpose = {
    failed: 'The default properties could not be read',
    privilege: 'see the default properties',
    ...advice,
  };
  const body = await readJson(client, { address, body: plainForm(), purpose, signal });
  const templates = templatesOf(body);
  if (!templates) throw unexpected(body, 'a property template', { address, purpose, hide: client.hide });
  return templates;
}

/**
 * Makes a template the default for new microservices of its kind (section
 * 4.2.2 of the interface document). It is sent as it is: `checkTemplate` finds
 * what the deployment would refuse. Where the connection breaks before the
 * answer, the error says that the edit may have been made.
 */
export async function editPropertyTemplate(
  client: Client,
  template: PropertyTemplate,
  options: CallOptions = {},
): Promise<void> {
  const address = `${addressBelow(client.addresses.properties, template.id)}/edit`;
  const purpose = {
    failed: 'The default properties were not edited',
    privilege: 'edit the default properties',
  };
  await client.signIn();
  try {
    const body = await order(client, { address, body: toEditForm(template), purpose, ...options });
    if (isSuccess(body)) return;
    throw unexpected(body, 'the success of an edit', { address, purpose, hide: client.hide });
  } catch (error) {
    if (!mayBeCarriedOut(error)) throw error;
    throw withDoubt(error, 'The edit may have been made all the same: read the template to see');
  }
}
