import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
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
} from '../case/index.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { deviatingRows, loadDigests, readKeeping } from './loaded-rows.ts';
import { checkSchema, quotedName } from './schema.ts';

/** Result of checking the logs of a cluster. */
export interface ClusterVerification {
  /** Originals that were read. */
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
  /** Empty if everything matches. */
  readonly deviations: readonly Deviation[];
  /** Sentences on unchecked parts, with reasons. */
  readonly remarks: readonly string[];
}

/**
 * Checks the logs of a cluster: counts and hashes the rows of every part as they are stored. Where the folder
 * of the originals is on this machine, it hashes them and reads every record again. Returns every deviation.
 *
 * ```ts
 * const { deviations } = await verifyCluster(cluster, { folder });
 * ```
 */
export async function verifyCluster(
  cluster: Cluster,
  options: OriginalsOptions,
): Promise<ClusterVerification> {
  await checkSchema(cluster);
  const { signal } = options;
  const queryOptions = { signal, settings: { max_execution_time: 3600 } };
  const parts = await readClusterParts(cluster, queryOptions);
  const rows = await checkRows(cluster, parts, queryOptions);
  const originals = await checkPartOriginals(parts, options);
  return {
    files: originals.files,
    parts: parts.length,
    logs: parts.reduce((sum, { logs }) => sum + logs, 0),
    unreadable: parts.reduce((sum, { unreadable }) => sum + unreadable, 0),
    deviations: [...rows, ...originals.deviations],
    remarks: originals.remarks,
  };
}

async function checkRows(
  cluster: Cluster,
  parts: readonly ClusterPart[],
  options: QueryOptions,
): Promise<readonly Deviation[]> {
  const found = await loadDigests(cluster, options);
  const keeping = await readKeeping(cluster, options);
  return parts.flatMap((part) => {
    const days = [...part.days].map(
      ([day, rows]) => [day, { rows, digest: part.digests.get(day) ?? 0n }] as const,
    );
    const unreadable = { rows: part.unreadable, digest: part.unreadableDigest };
    const { miscounted, alteredDays } = deviatingRows(
      { days: new Map(days), unreadable, added: part.added },
      found.get(part.load),
      keeping,
    );
    const message = `Part ${part.part} of "${part.deployment}" ("${part.file}", "${part.entry}")`;
    if (0 < miscounted)
      return [deviation(part, 'ROWS_MISCOUNTED', `${message}: ${miscounted} rows are missing or too many`)];
    return alteredDays === 0
      ? []
      : [deviation(part, 'ROWS_ALTERED', `${message}: rows differ from those that were loaded`)];
  });
}

function deviation({ part }: ClusterPart, code: Deviation['code'], message: string): Deviation {
  return { code, part, message };
}

/** Options of checking originals. */
interface OriginalsOptions extends QueryOptions {
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
async function checkPartOriginals(
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
    files,
    deviations,
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
    code,
    file: fileSha256,
    part,
    message: `${original} ${what}`,
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
      access: 'write',
      create: true,
      originals: 'in place',
    });
    await addFile(read, named, {
      ...(first && first.zone !== '' && { zone: first.zone }),
      ...(signal && { signal }),
    });
    const entries = new Map((await identifyParts(read)).map((part) => [part.entryNumber, part]));
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
            code,
            part: part.part,
            file: part.fileSha256,
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

/** A part of a cluster, with the digests of its rows. */
interface ClusterPart {
  readonly load: string;
  readonly deployment: string;
  readonly part: number;
  readonly file: string;
  readonly fileSha256: string;
  readonly entry: string;
  readonly entryNumber: number;
  readonly entrySha256: string;
  readonly logs: number;
  readonly unreadable: number;
  readonly zone: string;
  readonly originals: string;
  /** Milliseconds since the epoch. */
  readonly added: number;
  readonly days: ReadonlyMap<number, number>;
  /** Digests of the logs by day. */
  readonly digests: ReadonlyMap<number, bigint>;
  readonly unreadableDigest: bigint;
}

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const row = v.tuple([
  ...[v.string(), v.string(), number, v.string(), v.string(), v.string(), number, v.string()],
  ...[number, number, v.string(), v.string(), number, v.array(number), v.array(number)],
  ...[v.array(number), v.array(v.union([v.string(), v.number()])), v.union([v.string(), v.number()])],
] as const);

/** Reads the parts of a cluster, or of the one deployment that its address names. */
async function readClusterParts(cluster: Cluster, options: QueryOptions): Promise<readonly ClusterPart[]> {
  const { deployment, database } = cluster.address;
  const parameters = [{ name: 'deployment', type: 'String', value: deployment ?? '' }] as const;
  const rows = await cluster.query(
    `SELECT toString(load), deployment, part, file, file_sha256, entry, entry_number, entry_sha256, logs, unreadable, zone,
       originals, toUnixTimestamp64Milli(committed), mapKeys(days), mapValues(days), mapKeys(digests), mapValues(digests),
       unreadable_digest
     FROM ${quotedName(database)}.parts ${deployment === undefined ? '' : 'WHERE deployment = {deployment:String}'} ORDER BY part`,
    { ...options, parameters },
  );
  return rows.map((cells) => {
    const [load, of, part, file, fileSha256, entry, entryNumber, entrySha256, ...rest] = v.parse(row, cells);
    const [logs, unreadable, zone, originals, added, days, counts, digestDays, digests, last] = rest;
    return {
      load,
      deployment: of,
      part,
      file,
      fileSha256,
      entry,
      entryNumber,
      entrySha256,
      logs,
      unreadable,
      zone,
      originals,
      added,
      unreadableDigest: BigInt(last),
      days: new Map(days.map((day, index) => [day, counts[index] ?? 0])),
      digests: new Map(digestDays.map((day, index) => [day, BigInt(digests[index] ?? 0)])),
    };
  });
}
