import * as v from 'valibot';
import { type Case, readCase, writeToCase } from '../file/case.ts';
import { changeRecordedRows } from '../file/chain.ts';

/** An export job of a deployment, stored so that an interrupted export can resume. */
export interface StoredJob {
  readonly id: string;
  /** Address of its job resource, which identifies it. */
  readonly address: string;
  /** Path of the operation that created it. */
  readonly operation?: string;
  /** State as the deployment reports it: `EXECUTING`, `COMPLETED`, … */
  readonly state: string;
  /** Parameters of the request. */
  readonly request: Readonly<Record<string, string>>;
  /** Address of its zip. */
  readonly zipUrl?: string;
  /** Times of submission and of the last status: milliseconds since the epoch. */
  readonly submitted: number;
  readonly updated: number;
  /** Reason for the state, from the deployment or this program. */
  readonly reason?: string;
}

/**
 * Stores a job in place of the stored one of its address. Removes secrets from parameters and addresses: a case
 * is passed on.
 */
export async function saveJob(into: Case, job: StoredJob): Promise<void> {
  const address = withoutSecrets(job.address);
  const request = JSON.stringify(
    Object.fromEntries(Object.entries(job.request).filter(([name]) => !isSecret(name))),
  );
  const values = [
    address,
    job.id,
    job.operation ?? null,
    job.state,
    request,
    job.zipUrl === undefined ? null : withoutSecrets(job.zipUrl),
    job.submitted,
    job.updated,
    job.reason ?? null,
  ];
  await writeToCase(into, (connection) =>
    changeRecordedRows(connection, { table: 'jobs', keys: [address] }, async () => {
      await connection.run('DELETE FROM stored.jobs WHERE address = $1', [address]);
      await connection.run(
        `INSERT INTO stored.jobs VALUES ($1, $2, $3, $4, $5, $6, epoch_ms($7::BIGINT), epoch_ms($8::BIGINT), $9)`,
        values,
      );
    }),
  );
}

function isSecret(name: string): boolean {
  return /token|password|secret|authorization|credential/i.test(name);
}

/** Removes the user and secret parameters from an address. Anything that is not a URL is returned as it is. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const secrets = [...url.searchParams.keys()].filter(isSecret);
  if (url.username === '' && url.password === '' && secrets.length === 0) return address;
  url.username = '';
  url.password = '';
  for (const name of secrets) url.searchParams.delete(name);
  return url.href;
}

const row = v.object({
  address: v.string(),
  id: v.string(),
  operation: v.nullable(v.string()),
  state: v.string(),
  request: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  zip_url: v.nullable(v.string()),
  submitted: v.number(),
  updated: v.number(),
  reason: v.nullable(v.string()),
});

/** Reads the jobs of a case, the latest submitted first. */
export function findJobs(from: Case): Promise<readonly StoredJob[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT * REPLACE (epoch_ms(submitted)::DOUBLE AS submitted, epoch_ms(updated)::DOUBLE AS updated)
       FROM stored.jobs ORDER BY submitted DESC, address`,
    );
    return result.getRowObjectsJS().map((each) => toJob(v.parse(row, each)));
  });
}

function toJob({
  address,
  id,
  operation,
  state,
  request,
  zip_url,
  submitted,
  updated,
  reason,
}: v.InferOutput<typeof row>): StoredJob {
  return {
    ...{ id, address, state, request, submitted, updated },
    ...(operation !== null && { operation }),
    ...(zip_url !== null && { zipUrl: zip_url }),
    ...(reason !== null && { reason }),
  };
}
