import { uploadsPath } from '../../protocol/index.ts';
import type { Operation } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { listUploads, toUploadedItem } from './upload.ts';

/** The uploads that a user may see: files that someone uploaded, and results of jobs (public documentation of `uploads`). */
export function uploadsOperation(site: Site): Operation {
  return {
    name: 'uploads',
    title: 'Uploads',
    path: site.root + uploadsPath,
    methods: ['GET', 'POST'],
    privilege: 'downloadUploads',
    fields: [],
    run: async ({ user }) => {
      const files = await listUploads(site, user);
      return { kind: 'body', body: { uploadItems: files.map(toUploadedItem) } };
    },
  };
}
