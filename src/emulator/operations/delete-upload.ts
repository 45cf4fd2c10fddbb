import { uploadDeletedLog } from '../activity/administration-logs.ts';
import { type Answer, type CheckedRequest, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { findJobResult, noUpload, uploadResourcePath } from './upload.ts';

/**
 * Deletes an upload; a job whose upload is deleted stays without a result (public documentation of
 * `uploads/<itemID>/delete`).
 */
export function deleteUploadOperation(site: Site): Operation {
  return {
    name: 'deleteUpload',
    title: 'Delete an upload',
    path: `${uploadResourcePath(site, ':id')}/delete`,
    methods: ['POST'],
    privilege: 'uploadFiles',
    closed: 'in read-only mode',
    fields: [],
    run: (call) => remove(site, call),
  };
}

async function remove(site: Site, { id, user, requestID }: CheckedRequest): Promise<Answer> {
  const isFile = site.state.read().uploads.some((each) => each.id === id);
  if (isFile) {
    await site.state.change((state) => ({
      ...state,
      uploads: state.uploads.filter((each) => each.id !== id),
    }));
  } else {
    const result = await findJobResult(site, id, user);
    if (!result) return noUpload;
    if ('kind' in result) return result;
    if (!site.jobs.forgetResult(id)) return refuseWith(404, 'Upload not found.');
  }
  site.record(uploadDeletedLog(site.now(), { id, requestID, username: user?.username ?? '' }));
  return { kind: 'body', body: { status: 'success' } };
}
