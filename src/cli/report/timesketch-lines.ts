import { type Case, listNotes, streamLogs } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { type Annotation, toTimesketch } from '../../records/index.ts';
import { toJson } from '../terminal/printable.ts';

/** Options of the lines for Timesketch. */
interface LinesOptions {
  readonly filter: Filter;
  readonly signal: AbortSignal;
  /** Called with the number of logs that were left out, as they have no time. */
  readonly onLeftOut: (count: number) => void;
}

/** Streams logs as lines of JSON for Timesketch, oldest first, with the tags and comments of notes. */
export async function* timesketchLines(
  of: Case,
  { filter, signal, onLeftOut }: LinesOptions,
): AsyncGenerator<string, void, undefined> {
  const notes = await annotations(of);
  let leftOut = 0;
  for await (const { id, log } of streamLogs(of, filter, { order: 'oldest', signal })) {
    const event = toTimesketch(log, notes.get(id) ?? none);
    if (event) yield `${toJson(event)}\n`;
    else leftOut += 1;
  }
  onLeftOut(leftOut);
}

const none: Annotation = { tags: [], comments: [] };

async function annotations(of: Case): Promise<ReadonlyMap<number, Annotation>> {
  const found = new Map<number, Annotation>();
  for (const { logs, tags, text, author } of await listNotes(of))
    for (const id of logs) {
      const { tags: before, comments } = found.get(id) ?? none;
      const more = text === '' ? [] : [`${author}: ${text}`];
      found.set(id, { tags: [...new Set([...before, ...tags])], comments: [...comments, ...more] });
    }
  return found;
}
