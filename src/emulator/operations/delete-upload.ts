import { uploadDeletedLog } from '../administration-logs.ts';
import { type Answer, type Call, type Operation, refuse } from '../operation.ts';
import type { Site } from '../site.ts';
import { noUpload, resultOf, uploadPath } from './upload.ts';

/**
 * Deletes an upload; a job whose upload is deleted stays without a result (public documentation of
 * `uploads/<itemID>/delete`).
 */
export function deleteUpload(site: Site): Operation {
  return {
    name: 'deleteUpload',
    title: 'Delete an upload',
    path: `${uploadPath(site, ':id')}/delete`,
    methods: ['POST'],
    privilege: 'uploadFiles',
    closed: 'in read-only mode',
    fields: [],
    run: (call) => remove(site, call),
  };
}

async function remove(site: Site, { id, user, requestID }: Call): Promise<Answer> {
  const isFile = site.state.read().uploads.some((each) => each.id === id);
  if (isFile) {
    await site.state.change((state) => ({
      ...state,
      uploads: state.uploads.filter((each) => each.id !== id),
    }));
  } else {
    const result = await resultOf(site, id, user);
    if (!result) return noUpload;
    if ('kind' in result) return result;
    if (!site.jobs.forgetResult(id)) return refuse(404, 'Upload not found.');
  }
  site.record(uploadDeletedLog(site.now(), { id, requestID, username: user?.username ?? '' }));
  return { kind: 'body', body: { status: 'success' } };
}
