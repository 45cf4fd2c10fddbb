import * as v from 'valibot';

const facts = v.object({
  file: v.string(),
  sha256: v.string(),
  bytes: v.number(),
  job: v.optional(v.string()),
  /** Milliseconds since the epoch. */
  added: v.number(),
});

/** Details of the action that adds a file, which equal its row. */
export type FileFacts = v.InferOutput<typeof facts>;

/** Parses the details of an action as those of a file; undefined if they are not. */
export function readFileFacts(details: unknown): FileFacts | undefined {
  const { success, output } = v.safeParse(facts, details);
  return success ? output : undefined;
}
