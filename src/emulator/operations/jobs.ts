import { introducedIn, jobsPath } from '../../protocol/index.ts';
import type { Operation } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { refuseAccess } from './job-access.ts';

/** The identifiers of the jobs that a user may see, the oldest first (public documentation of `jobs`). */
export function jobsOperation(site: Site): Operation {
  return {
    name: 'jobs',
    title: 'Jobs',
    path: site.root + jobsPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.jobs,
    fields: [],
    run: ({ user }) => {
      const seen = site.jobs.all().filter((job) => !refuseAccess(user, job));
      return { kind: 'body', body: { jobs: seen.map(({ id }) => id) } };
    },
  };
}
