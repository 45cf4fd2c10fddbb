import type { User } from '../access/accounts.ts';
import type { DeploymentJob } from '../jobs/job.ts';
import { type RefusalAnswer, refuseWith } from '../site/operation.ts';

/**
 * The refusal of a job, or of its result, to a user: undefined for the user who submitted it
 * and for those with the privilege `manageJobs`. The interface document leaves roles open (section 5).
 */
export function refuseAccess(user: User | undefined, { username }: DeploymentJob): RefusalAnswer | undefined {
  if (user?.username === username || user?.privileges.includes('manageJobs')) return undefined;
  return refuseWith(403, 'Access denied.', 'The job belongs to another user.');
}
