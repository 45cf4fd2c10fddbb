import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findJobs, findWindows } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';
import { indexState } from '../../src/case/index/build.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { StoreError } from '../../src/database/store-error.ts';
import { textsOf } from '../export/exporting-windows.ts';

/** State of a folder after a command. Two runs that did the same work have equal outcomes. */
export interface Outcome {
  /** Paths below the folder; originals are named by their bytes, and count as one name. */
  readonly files: readonly string[];
  /** SHA-256 of the files that are no part of a case, without the time at which they were written. */
  readonly contents: Readonly<Record<string, string>>;
  readonly cases: Readonly<Record<string, CaseContent>>;
}

/** Content of a case. */
export interface CaseContent {
  readonly logs: readonly string[];
  readonly deviations: readonly string[];
  /** States of the windows and jobs of exports that are not finished. */
  readonly open: readonly string[];
  /** Number of logs in the index. */
  readonly indexed: number;
}

/** Reads the outcome of a command in a folder. */
export async function readOutcome(folder: string): Promise<Outcome> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pathOf = ({ parentPath, name }: (typeof entries)[number]) => relative(folder, join(parentPath, name));
  const paths = entries.map(pathOf).sort();
  const outputs = new Set(entries.filter((entry) => entry.isFile()).map(pathOf));
  const contents: Record<string, string> = {};
  const cases: Record<string, CaseContent> = {};
  for (const path of paths) {
    if (/^work\/[^/]*\.duckdb$/.test(path)) cases[path] = await readCase(join(folder, path));
    else if (outputs.has(path) && !path.includes('.duckdb'))
      contents[path] = createHash('sha256')
        .update(withoutTime(path, await readFile(join(folder, path))))
        .digest('hex');
  }
  const named = paths.map((path) => path.replace(/[0-9a-f]{64}(?=(\.gz)?$)/, 'ORIGINAL'));
  return { files: [...new Set(named)], contents, cases };
}

/** Documents say when they were made, so that their bytes and signatures differ each time. */
function withoutTime(path: string, bytes: Buffer): Buffer | string {
  if (!path.endsWith('.json')) return bytes;
  return bytes
    .toString('utf8')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/("value": *)"[^"]{88}"/g, '$1"SIGNATURE"');
}

const finished: ReadonlySet<string> = new Set(['loaded', 'split', 'failed']);

async function readCase(path: string): Promise<CaseContent> {
  try {
    await using of = await openCase(path, { access: 'read' });
    const { deviations } = await verifyCase(of);
    const windows = await findWindows(of);
    return {
      logs: await textsOf(of),
      deviations: deviations.map(({ code }) => code),
      indexed: (await indexState(of)).indexed,
      open: [...windows, ...(await findJobs(of))].flatMap(({ state }) =>
        finished.has(state) ? [] : [state],
      ),
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { logs: [], deviations: [`${error.code}: ${error.message}`], open: [], indexed: 0 };
  }
}
