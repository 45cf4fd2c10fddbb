import { uploadField, uploadPath } from '../../protocol/index.ts';
import { fileUploadedLog } from '../activity/administration-logs.ts';
import { newUploadId } from '../jobs/job.ts';
import { type Answer, type CheckedRequest, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import type { StoredUpload } from '../state/state.ts';
import { toUploadedFile, toUploadedItem } from './upload.ts';

/**
 * Stores a file, such as a license, under an identifier (field notes). Its name is data only: nothing is
 * written under it.
 */
export function uploadFileOperation(site: Site): Operation {
  return {
    name: 'uploadFile',
    title: 'Upload a file',
    path: site.root + uploadPath,
    methods: ['POST'],
    reads: 'multipart',
    privilege: 'uploadFiles',
    closed: 'in read-only mode',
    fields: [{ name: uploadField, type: 'file', required: true }, { name: 'description' }],
    run: (call) => keep(site, call),
  };
}

/** Most stored files; the oldest are deleted. */
const mostUploads = 50;
const longestDescription = 1000;

async function keep(site: Site, { files, form, user, requestID }: CheckedRequest): Promise<Answer> {
  const file = files.get(uploadField);
  if (!file)
    return refuseWith(400, 'Invalid parameters.', `"${uploadField}" requires a file in a multipart form`);
  const upload: StoredUpload = {
    id: newUploadId(),
    name: file.name,
    description: (form.get('description') ?? '').slice(0, longestDescription),
    date: site.now(),
    content: Buffer.from(file.bytes).toString('base64'),
  };
  await site.state.change((state) => ({ ...state, uploads: [...state.uploads, upload].slice(-mostUploads) }));
  site.record(fileUploadedLog(site.now(), { id: upload.id, requestID, username: user?.username ?? '' }));
  return { kind: 'body', body: { status: 'success', item: toUploadedItem(toUploadedFile(upload)) } };
}
