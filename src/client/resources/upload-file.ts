import { type NamedFile, toUploadForm, type UploadedItem, uploadedItemOf } from '../../protocol/index.ts';
import { type CallOptions, callChanging } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { unexpectedReplyError } from '../transport/answer.ts';

export interface UploadOptions extends CallOptions {
  /** Description of the file, visible to other users. */
  readonly description?: string | undefined;
}

/**
 * Uploads a file and returns its identifier and name at the deployment. The identifier of a license
 * is the value of the setting `licenseUpload` (section 2.6 of the interface document; the operation
 * is from the field notes).
 *
 * ```ts
 * const { itemID } = await uploadFile(client, { name: 'license.json', bytes: new TextEncoder().encode('{}') });
 * ```
 */
export async function uploadFile(
  client: Client,
  file: NamedFile,
  options: UploadOptions = {},
): Promise<UploadedItem> {
  const { description, signal } = options;
  const address = client.addresses.upload;
  const purpose = { failed: `The file "${file.name}" was not uploaded`, privilege: 'upload files' };
  await client.signIn();
  const body = await callChanging(client, {
    address,
    body: toUploadForm(file, description),
    purpose,
    signal,
  });
  const item = uploadedItemOf(body);
  if (!item) throw unexpectedReplyError(body, 'an uploaded item', { address, purpose, hide: client.hide });
  return item;
}
