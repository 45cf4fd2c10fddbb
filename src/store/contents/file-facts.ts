import * as v from 'valibot';

const facts = v.object({
  file: v.string(),
  sha256: v.string(),
  bytes: v.number(),
  job: v.optional(v.string()),
  /** Milliseconds since the epoch. */
  added: v.number(),
});

/** What is noted of the row of a file along with the action that adds it. */
export type FileFacts = v.InferOutput<typeof facts>;

/** The facts of a file among the details of an action; undefined where they are not among them. */
export function readFileFacts(details: unknown): FileFacts | undefined {
  const { success, output } = v.safeParse(facts, details);
  return success ? output : undefined;
}
