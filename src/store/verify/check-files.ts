import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { Case } from '../case.ts';
import { hashSource, keptSource, toFileError } from '../originals/evidence.ts';
import { evidenceFolder, listEvidence } from '../originals/evidence-folder.ts';
import type { Part } from '../parts.ts';
import { messageOf } from '../store-error.ts';
import type { Report } from './deviation.ts';

/** An original that the case refers to. */
export interface Original {
  readonly sha256: string;
  readonly name: string;
}

/** The originals that a case refers to, each once. */
export async function readOriginals(
  connection: DuckDBConnection,
  parts: readonly Part[],
): Promise<readonly Original[]> {
  const result = await connection.runAndReadAll(
    'SELECT sha256, file FROM stored.files ORDER BY added, sha256',
  );
  const files = v.parse(v.array(v.tuple([v.string(), v.string()])), result.getRowsJS());
  const originals = new Map(files.map(([sha256, name]) => [sha256, { sha256, name }]));
  for (const { fileSha256, file } of parts)
    if (fileSha256 !== undefined && !originals.has(fileSha256))
      originals.set(fileSha256, { sha256: fileSha256, name: file });
  return [...originals.values()];
}

/** Checks that an original is there and has the bytes that were added. False when there is nothing to read. */
export async function checkFile(
  of: Case,
  { sha256, name }: Original,
  { report, onBytes }: { readonly report: Report; readonly onBytes: (bytes: number) => void },
): Promise<boolean> {
  const source = keptSource(of, sha256);
  if (!source) {
    report({ code: 'FILE_MISSING', file: sha256, message: `The original of "${name}" (${sha256}) is gone` });
    return false;
  }
  try {
    const found = await hashSource(source, onBytes);
    if (found.sha256 !== sha256)
      report({
        code: 'FILE_ALTERED',
        file: sha256,
        message: `The original of "${name}" was altered: its SHA-256 is ${found.sha256}, not ${sha256}`,
      });
    return true;
  } catch (error) {
    // Whoever is told of bytes may have it ended.
    if (toFileError(error, name) === error) throw error;
    const message = `The original of "${name}" (${sha256}) cannot be read: ${messageOf(error)}`;
    report({ code: 'FILE_UNREADABLE', file: sha256, message });
    return false;
  }
}

/** Reports what lies among the originals without belonging to the case. */
export async function checkUnlisted(of: Case, originals: readonly Original[], report: Report): Promise<void> {
  if (of.originals === 'in place') return;
  const known = new Set(originals.map(({ sha256 }) => sha256));
  const names = await listEvidence(of.path).catch((error: unknown) => {
    throw toFileError(error, evidenceFolder(of.path));
  });
  for (const name of names)
    if (!known.has(name))
      report({
        code: 'FILE_UNLISTED',
        file: name,
        message: `"${name}" lies among the originals, but belongs to no part`,
      });
}
