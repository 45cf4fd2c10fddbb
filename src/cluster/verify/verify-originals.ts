import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  addFile,
  type Deviation,
  digestPart,
  type IdentifiedPart,
  identifyParts,
  openCase,
} from '../../store/index.ts';
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
    const problem = await fileProblem(first, folder);
    if (problem) deviations.push(problem);
    else {
      const read = await checkEntries(own, join(folder, first.fileSha256), options);
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

async function fileProblem(part: ClusterPart, folder: string): Promise<Deviation | undefined> {
  const { fileSha256, file } = part;
  const named = { file: fileSha256, part: part.part };
  const path = join(folder, fileSha256);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile())
    return { ...named, code: 'FILE_MISSING', message: `The original "${file}" (${fileSha256}) is gone` };
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex') === fileSha256
    ? undefined
    : { ...named, code: 'FILE_ALTERED', message: `The original "${file}" (${fileSha256}) has other bytes` };
}

/** Reads an original into a temporary case, and compares its parts. */
async function checkEntries(
  parts: readonly ClusterPart[],
  path: string,
  { folder, signal }: OriginalsOptions,
): Promise<{ readonly deviations: readonly Deviation[]; readonly partial: number }> {
  const [first] = parts;
  const temporary = await mkdtemp(join(folder, 'original-'));
  try {
    // The name of a file is that of its only entry.
    const named = join(temporary, basename(first?.file ?? '') || 'original');
    await symlink(resolve(path), named);
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
