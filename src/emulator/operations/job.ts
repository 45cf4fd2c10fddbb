import { toJobBody } from '../../protocol/index.ts';
import { toJobResource } from '../jobs/job.ts';
import { type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { refuseAccess } from './job-access.ts';
import { uploadResourcePath } from './upload.ts';

/** Path of the job resource. */
export function jobPath(site: Site, id: string): string {
  return `${site.root}/jobs/${id}`;
}

/**
 * The job resource: its state and, once completed, the address of its result (section 2.2 of the interface
 * document).
 */
export function jobOperation(site: Site): Operation {
  return {
    name: 'job',
    title: 'Job',
    path: jobPath(site, ':id'),
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    fields: [],
    run: async ({ id, origin, user }) => {
      const job = site.jobs.byId(id);
      if (!job)
        return refuseWith(
          404,
          'Job not found.',
          'There is no job with this identifier; old ones are forgotten.',
        );
      const refused = refuseAccess(user, job);
      if (refused) return refused;
      const state = await site.jobs.stateOf(job);
      const uploadUrl = origin + uploadResourcePath(site, job.uploadId);
      return { kind: 'body', body: toJobBody(toJobResource(job, state, uploadUrl, site.now())) };
    },
  };
}
