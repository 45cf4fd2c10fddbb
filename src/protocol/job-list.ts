import * as v from 'valibot';

/** Path of the jobs below `{root}` (public documentation). A job is below it under its identifier. */
export const jobsPath = '/jobs';

const identifier = v.pipe(v.string(), v.nonEmpty());
const item = v.union([
  identifier,
  v.pipe(
    v.object({ jobid: identifier }),
    v.transform(({ jobid }) => jobid),
  ),
]);

/** The identifiers in a list of jobs, each once; undefined if the body is no such list. */
export function jobIdsOf(body: unknown): readonly string[] | undefined {
  const result = v.safeParse(v.object({ jobs: v.array(item) }), body);
  return result.success ? [...new Set(result.output.jobs)] : undefined;
}
