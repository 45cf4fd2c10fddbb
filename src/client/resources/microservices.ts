import {
  type Microservice,
  type MicroserviceStatus,
  microserviceStatusOf,
  microservicesOf,
  microservicesPath,
} from '../../protocol/index.ts';
import { addressBelow, type CallOptions, plainForm, readJson } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { unexpectedReplyError } from '../transport/answer.ts';

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
