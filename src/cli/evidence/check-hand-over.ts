import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Asked, isCase, streamLogs } from '../../analysis/index.ts';
import { findActions } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { checkSeal, readSeal, type SealCheck, type SealCheckOptions } from '../../seal/index.ts';
import { readTextFile } from '../files/read-file.ts';
import { toJson } from '../terminal/printable.ts';
import { handOverFiles, type Manifest, readManifest } from './manifest.ts';
import { hashFile } from './write-hand-over.ts';

/** Codes of the problems of a hand-over folder. They are stable; the text beside each is its meaning. */
export const handOverProblemCodes = {
  FILE_MISSING: 'A file that the manifest lists is gone',
  FILE_ALTERED: 'A file has other bytes than the manifest says',
  FILE_UNLISTED: 'A file lies in the folder that the manifest does not list',
  SEAL_MISSING: 'A key is given, and the folder is not sealed',
  HEAD_UNKNOWN: 'The case holds no action with the hash of the manifest',
  LOGS_DIFFER: 'The logs are not those that the query selects in the case',
} as const;

/** A problem of a hand-over folder. */
export interface HandOverProblem {
  readonly code: keyof typeof handOverProblemCodes;
  readonly message: string;
}

/** Result of checking a hand-over folder. */
export interface HandOverCheck {
  readonly manifest: Manifest;
  /** The SHA-256 of the manifest. */
  readonly sha256: string;
  /** Absent if the folder is not sealed. */
  readonly seal?: SealCheck;
  readonly problems: readonly HandOverProblem[];
}

/** Options of a check. */
export interface HandOverCheckOptions {
  readonly seal: SealCheckOptions;
  /**
   * The case of origin, and a function that resolves the query. Default: only the folder itself is
   * checked.
   */
  readonly from?: { readonly of: Asked; readonly toFilter: (manifest: Manifest) => Promise<Filter> };
  readonly signal: AbortSignal;
}

/**
 * Checks a hand-over folder against its manifest, its seal and, if given, the case. Rejects with a
 * `UsageError` if it has no manifest.
 */
export async function checkHandOver(
  folder: string,
  { seal, from, signal }: HandOverCheckOptions,
): Promise<HandOverCheck> {
  const path = join(folder, handOverFiles.manifest);
  const text = await readTextFile(path, 'FOLDER');
  const manifest = readManifest(text, path);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const present = await readdir(folder);
  const checked = present.includes(handOverFiles.seal) ? await checkOwnSeal(folder, sha256, seal) : undefined;
  const isSealMissing = checked === undefined && seal.publicKey !== undefined;
  const problems = [
    ...(isSealMissing ? [sealMissing] : []),
    ...(await checkFiles(folder, manifest, present)),
    ...(from ? await checkAgainstCase(folder, manifest, { ...from, signal }) : []),
  ];
  return { manifest, sha256, ...(checked && { seal: checked }), problems };
}

const sealMissing = {
  code: 'SEAL_MISSING',
  message: 'The folder is not sealed, so its origin is not proven',
} as const;

async function checkOwnSeal(folder: string, sha256: string, options: SealCheckOptions): Promise<SealCheck> {
  const checked = await checkSeal(
    readSeal(await readFile(join(folder, handOverFiles.seal), 'utf8')),
    options,
  );
  if (checked.statement.manifest === sha256) return checked;
  const problem = { code: 'SEALED_OTHERWISE', message: 'The manifest is not the sealed one' } as const;
  return { ...checked, problems: [...checked.problems, problem] };
}

async function checkFiles(
  folder: string,
  { files }: Manifest,
  present: readonly string[],
): Promise<readonly HandOverProblem[]> {
  const problems: HandOverProblem[] = [];
  for (const { name, bytes, sha256 } of files) {
    if (!present.includes(name)) {
      problems.push({ code: 'FILE_MISSING', message: `"${name}" is missing` });
      continue;
    }
    if (!(await lstat(join(folder, name))).isFile()) {
      problems.push({ code: 'FILE_ALTERED', message: `"${name}" is not a file` });
      continue;
    }
    const found = await hashFile(join(folder, name));
    if (found.sha256 !== sha256)
      problems.push({
        code: 'FILE_ALTERED',
        message: `"${name}" has ${found.bytes} bytes with the SHA-256 ${found.sha256}; the manifest says ${bytes} and ${sha256}`,
      });
  }
  const listed = new Set<string>([
    handOverFiles.manifest,
    handOverFiles.seal,
    ...files.map(({ name }) => name),
  ]);
  for (const name of present)
    if (!listed.has(name))
      problems.push({ code: 'FILE_UNLISTED', message: `"${name}" is not in the manifest` });
  return problems;
}

async function checkAgainstCase(
  folder: string,
  manifest: Manifest,
  { of, toFilter, signal }: NonNullable<HandOverCheckOptions['from']> & { readonly signal: AbortSignal },
): Promise<readonly HandOverProblem[]> {
  const { head, newestPart } = manifest.case;
  if (isCase(of) ? !(await findActions(of)).some(({ hash }) => hash === head) : head !== undefined)
    return [{ code: 'HEAD_UNKNOWN', message: headProblem(of, head) }];
  const lines = linesOf(join(folder, handOverFiles.ndjson));
  let count = 0;
  for await (const log of streamLogs(of, await toFilter(manifest), { order: 'oldest', signal })) {
    // Parts added after the hand-over are not expected.
    if (newestPart < log.part) continue;
    count += 1;
    const line = await lines.next();
    if (line.done || line.value !== toJson(log))
      return [
        {
          code: 'LOGS_DIFFER',
          message: `Line ${count} of "${handOverFiles.ndjson}" is not log ${log.id} of the case, which the query selects`,
        },
      ];
  }
  const more = await lines.next();
  if (more.done) return [];
  return [
    {
      code: 'LOGS_DIFFER',
      message: `"${handOverFiles.ndjson}" has more than the ${count} logs that the query selects in the case`,
    },
  ];
}

function headProblem(of: Asked, head: string | undefined): string {
  if (head === undefined) return 'The folder was made from a cluster, not from a case';
  return isCase(of)
    ? `The case holds no action with the hash ${head}`
    : 'The folder was made from a case, not from a cluster';
}

/** Yields the lines of a file; none if it is missing, which is reported elsewhere. */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const input = createReadStream(path);
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  } finally {
    input.destroy();
  }
}
