import {
  isSuccess,
  type NamedFile,
  toUploadForm,
  type UploadedItem,
  uploadedItemOf,
  uploadOf,
  uploadsOf,
  uploadsPath,
} from '../protocol/index.ts';
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
import { unexpectedReplyError } from './transport.ts';

export interface UploadOptions extends CallOptions {
  /** Description of the file, visible to other users. */
  readonly description?: string | undefined;
}

/**
 * Uploads a file and returns its identifier and name at the deployment. The identifier of a license
 * is the value of the setting `licenseUpload` (section 2.6 of the interface document; the operation
 * is from the field notes). A file that the deployment did not commit is a `ClientError` with the code `REFUSED`.
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
  if (item.committed === false) {
    const message = `The file "${file.name}" was not uploaded: the deployment took it as "${item.itemID}" and did not commit it`;
    throw new ClientError('REFUSED', message);
  }
  return item;
}

/**
 * The files that the deployment holds as uploads: licenses, results of exports and others (public documentation of `uploads`).
 *
 * ```ts
 * const uploads = await readUploads(client);
 * ```
 */
export async function readUploads(
  client: Client,
  options: CallOptions = {},
): Promise<readonly UploadedItem[]> {
  const address = client.addresses.root + uploadsPath;
  const purpose = { failed: 'The uploads could not be listed', privilege: 'see uploads' };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const items = uploadsOf(body);
  if (!items) throw unexpectedReplyError(body, 'a list of uploads', { address, purpose, hide: client.hide });
  return items;
}

/**
 * One upload, without its bytes (public documentation of `uploads/<itemID>`).
 *
 * ```ts
 * const upload = await readUpload(client, 'u1');
 * ```
 */
export async function readUpload(
  client: Client,
  id: string,
  options: CallOptions = {},
): Promise<UploadedItem> {
  const address = addressBelow(client.addresses.root + uploadsPath, id);
  const purpose = {
    failed: 'The upload could not be read',
    privilege: 'see uploads',
    whenMissing: `check the identifier of the upload, "${id}"`,
  };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const item = uploadOf(body);
  if (!item) throw unexpectedReplyError(body, 'an upload', { address, purpose, hide: client.hide });
  return item;
}

/**
 * Deletes an upload, which cannot be undone (public documentation of
 * `uploads/<itemID>/delete`). Where the connection breaks before the answer, the
 * error says that it may be gone.
 *
 * ```ts
 * await deleteUpload(client, 'u1');
 * ```
 */
export async function deleteUpload(client: Client, id: string, options: CallOptions = {}): Promise<void> {
  const address = `${addressBelow(client.addresses.root + uploadsPath, id)}/delete`;
  const purpose = {
    failed: 'The upload was not deleted',
    privilege: 'delete uploads',
    whenMissing: `check the identifier of the upload, "${id}"`,
  };
  await client.signIn();
  try {
    const body = await callChanging(client, { ...options, address, body: plainForm(), purpose });
    if (!isSuccess(body)) {
      throw unexpectedReplyError(body, 'the success of a deletion', { address, purpose, hide: client.hide });
    }
  } catch (error) {
    if (!outcomeUnknown(error)) throw error;
    throw withDoubt(error, 'It may be gone all the same: list the uploads to see');
  }
}
