import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { FileEntry } from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';

/** A hand-over folder in an archive, whose files repeat each other's logs. */
export interface HandOverInArchive {
  /** Its path in the archive; empty for the archive itself. */
  readonly folder: string;
  /** What its manifest says; undefined if that is damaged. */
  readonly manifest: HandOverFacts | undefined;
  /** Name of the copy of the logs that is read; undefined if there is none. */
  readonly read: string | undefined;
  /** Names of copies that are not as they were handed over. */
  readonly altered: readonly string[];
  /** Numbers of the entries that are not read. */
  readonly leftOut: readonly number[];
}

/** The facts of a manifest that an import states, and the hashes of the files. */
const facts = v.object({
  format: v.literal('logquarry-hand-over'),
  version: v.literal(1),
  made: v.string(),
  found: v.number(),
  case: v.object({ name: v.string() }),
  files: v.array(v.object({ name: v.string(), sha256: v.string() })),
});

export type HandOverFacts = Pick<v.InferOutput<typeof facts>, 'made' | 'found' | 'case'>;

/** Names of the copies of the logs, the first to be read first, and of what describes them. */
const copyNames = ['logs.ndjson', 'logs.parquet', 'logs.csv'] as const;
const descriptionNames: ReadonlySet<string> = new Set(['manifest.json', 'seal.json']);

/** Maximum bytes of a manifest: it lists every part of a case. */
const longestManifest = 64 * 1024 * 1024;

/**
 * Finds the hand-over folders among the entries of an archive. The first copy of the logs that is as it was handed over
 * is to be read; if none is, the first.
 */
export async function findHandOvers(entries: readonly FileEntry[]): Promise<readonly HandOverInArchive[]> {
  const found: HandOverInArchive[] = [];
  for (const entry of entries) {
    const folder = /^((?:.*\/)?)manifest\.json$/s.exec(entry.name)?.[1];
    if (folder === undefined || !entry.isInArchive || longestManifest < (entry.bytes ?? 0)) continue;
    const inFolder = (name: string) => entries.find((other) => other.name === folder + name);
    const copies = copyNames.flatMap((name) => {
      const copy = inFolder(name);
      return copy ? [{ name, copy }] : [];
    });
    const text = await textOf(entry);
    const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), facts), text);
    const isHandOver = success || 1 < copies.length || text.includes('logquarry-hand-over');
    if (!isHandOver) continue;
    const hashes = new Map(success ? output.files.map(({ name, sha256 }) => [name, sha256]) : []);
    const altered: string[] = [];
    let read: string | undefined;
    for (const { name, copy } of success ? copies : []) {
      if ((await hashOf(copy)) === hashes.get(name)) {
        read = name;
        break;
      }
      altered.push(name);
    }
    read ??= copies[0]?.name;
    const isLeftOut = ({ name }: FileEntry) => {
      const own = name.startsWith(folder) ? name.slice(folder.length) : '';
      return descriptionNames.has(own) || (own !== read && copies.some((copy) => copy.name === own));
    };
    found.push({
      folder: folder.replace(/\/$/, ''),
      manifest: success ? output : undefined,
      read,
      altered,
      leftOut: entries.filter(isLeftOut).map(({ number }) => number),
    });
  }
  return found;
}

async function textOf(entry: FileEntry): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of entry.read()) text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    // What could be read of it decides.
    if (!(error instanceof EntryProblem)) throw error;
  }
  return text;
}

async function hashOf(entry: FileEntry): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of entry.read()) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    return undefined;
  }
}
