import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  addFile,
  type ByteSource,
  DamagedCopy,
  type Deviation,
  digestPart,
  findCopy,
  hashSource,
  type IdentifiedPart,
  identifyParts,
  openCase,
  readSource,
} from '../../case/index.ts';
import type { QueryOptions } from '../connection.ts';
import type { ClusterPart } from './cluster-parts.ts';

/** Options of checking originals. */
export interface OriginalsOptions extends QueryOptions {
  /** Folder for temporary cases. */
  readonly folder: string;
  /** Folder with the originals. Default: where the cluster says that they are. */
  readonly originals?: string | undefined;
  /** Receives the file that is read. */
  readonly onFile?: (file: string) => void;
}

/** Result of checking originals. */
interface CheckedOriginals {
  readonly files: number;
  readonly deviations: readonly Deviation[];
  readonly remarks: readonly string[];
}

/** Hashes the originals of parts, reads them again, and compares the records with what was loaded. */
export async function checkPartOriginals(
  parts: readonly ClusterPart[],
  options: OriginalsOptions,
): Promise<CheckedOriginals> {
  const deviations: Deviation[] = [];
  const absent = new Map<string, number>();
  let files = 0;
  let partial = 0;
  for (const own of byOriginal(parts, options.originals).values()) {
    const [first] = own;
    if (!first) continue;
    const folder = options.originals ?? first.originals;
    options.signal?.throwIfAborted();
    if (!(await isFolder(folder))) {
      absent.set(folder, (absent.get(folder) ?? 0) + 1);
      continue;
    }
    options.onFile?.(first.file);
    files += 1;
    const copy = findCopy(folder, first.fileSha256);
    const problem = await fileProblem(first, copy);
    if (problem) deviations.push(problem);
    else if (copy) {
      const read = await checkEntries(own, copy, options);
      deviations.push(...read.deviations);
      partial += read.partial;
    }
  }
  return {
    ...{ files, deviations },
    remarks: [
      ...[...absent].map(
        ([folder, count]) =>
          `The originals of ${count} ${count === 1 ? 'file' : 'files'} were not read: this machine has no folder "${folder}". Name it with --originals.`,
      ),
      ...(partial === 0
        ? []
        : [
            `${partial} parts have fewer logs than their originals, because an export had them already or did not ask for them: their originals were hashed, and not compared with their rows.`,
          ]),
    ],
  };
}

/** Parts of the same original that were read in the same zone. Logs of programs have none. */
function byOriginal(parts: readonly ClusterPart[], folder: string | undefined) {
  const groups = new Map<string, ClusterPart[]>();
  for (const part of parts.filter(({ fileSha256 }) => /^[0-9a-f]{64}$/.test(fileSha256))) {
    const key = JSON.stringify([folder ?? part.originals, part.fileSha256, part.file, part.zone]);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return groups;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

async function fileProblem(
  { fileSha256, file, part }: ClusterPart,
  copy: ByteSource | undefined,
): Promise<Deviation | undefined> {
  const original = `The original "${file}" (${fileSha256})`;
  const problem = (code: 'FILE_MISSING' | 'FILE_ALTERED', what: string): Deviation => ({
    ...{ code, file: fileSha256, part, message: `${original} ${what}` },
  });
  if (!copy) return problem('FILE_MISSING', 'is gone');
  try {
    const { sha256 } = await hashSource(copy, () => undefined);
    return sha256 === fileSha256 ? undefined : problem('FILE_ALTERED', 'has other bytes');
  } catch (error) {
    if (error instanceof DamagedCopy) return problem('FILE_ALTERED', `was altered: ${error.problem}`);
    throw error;
  }
}

/** Reads an original into a temporary case, and compares its parts. */
async function checkEntries(
  parts: readonly ClusterPart[],
  copy: ByteSource,
  { folder, signal }: OriginalsOptions,
): Promise<{ readonly deviations: readonly Deviation[]; readonly partial: number }> {
  const [first] = parts;
  const temporary = await mkdtemp(join(folder, 'original-'));
  try {
    // The name of a file is that of its only entry.
    const named = join(temporary, basename(first?.file ?? '') || 'original');
    if ('path' in copy) await symlink(resolve(copy.path), named);
    else await writeFile(named, readSource(copy));
    await using read = await openCase(join(temporary, 'read.duckdb'), {
      ...{ access: 'write', create: true, originals: 'in place' },
    });
    await addFile(read, named, {
      ...(first && first.zone !== '' && { zone: first.zone }),
      ...(signal && { signal }),
    });
    const entries = new Map((await identifyParts(read)).map((each) => [each.entryNumber, each]));
    const deviations: Deviation[] = [];
    let partial = 0;
    for (const part of parts) {
      const entry = entries.get(part.entryNumber);
      if (entry && part.logs < entry.logs && entry.entrySha256 === (part.entrySha256 || undefined))
        partial += 1;
      else {
        const digests = entry && (await digestPart(read, entry.part));
        const code = entryProblem(part, entry, digests);
        if (code !== undefined)
          deviations.push({
            ...{ code, part: part.part, file: part.fileSha256 },
            message: `Part ${part.part} of "${part.deployment}" ("${part.file}", "${part.entry}"): ${problems[code]}`,
          });
      }
    }
    return { deviations, partial };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const problems = {
  ENTRY_MISSING: 'its entry is gone',
  ENTRY_ALTERED: 'its entry has other bytes',
  ROWS_ALTERED: 'the logs that were loaded differ from the records of the original',
} as const;

function entryProblem(
  part: ClusterPart,
  entry: IdentifiedPart | undefined,
  digests: Awaited<ReturnType<typeof digestPart>> | undefined,
): keyof typeof problems | undefined {
  if (!entry || !digests || entry.entry !== part.entry) return 'ENTRY_MISSING';
  if ((entry.entrySha256 ?? '') !== part.entrySha256) return 'ENTRY_ALTERED';
  if (entry.logs !== part.logs || entry.unreadable !== part.unreadable) return 'ROWS_ALTERED';
  if (part.logs + part.unreadable === 0 || part.digests.size + Number(part.unreadableDigest !== 0n) === 0)
    return undefined;
  const isEqual =
    digests.unreadable === part.unreadableDigest &&
    digests.days.size === part.digests.size &&
    [...digests.days].every(([day, digest]) => part.digests.get(day) === digest);
  return isEqual ? undefined : 'ROWS_ALTERED';
}
