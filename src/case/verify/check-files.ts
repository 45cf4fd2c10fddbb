import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf } from '../../database/index.ts';
import type { Case } from '../file/case.ts';
import { copyNames, evidenceFolder, listEvidence, originalOfName } from '../file/evidence-folder.ts';
import { readSoundParts, type StoredPart } from '../file/parts.ts';
import { DamagedCopy } from '../originals/damaged-copy.ts';
import { hashSource, isSha256, storedSource, toFileError } from '../originals/evidence.ts';
import { isHeld } from '../originals/holds.ts';
import type { ReportDeviation } from './deviation.ts';

/** An original that the case refers to. */
export interface Original {
  readonly sha256: string;
  readonly name: string;
}

const text = v.nullable(v.string());

/** Returns the originals that a case refers to, each once. Values that are not hashes are ignored. */
export async function readOriginals(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
): Promise<readonly Original[]> {
  const result = await connection.runAndReadAll(
    'SELECT sha256, file FROM stored.files ORDER BY added, sha256',
  );
  const files = v.parse(v.array(v.tuple([text, text])), result.getRowsJS());
  const originals = new Map(
    files.flatMap(([sha256, name]) =>
      isSha256(sha256) ? [[sha256, { sha256, name: name ?? sha256 }] as const] : [],
    ),
  );
  for (const { fileSha256, file } of parts)
    if (isSha256(fileSha256) && !originals.has(fileSha256))
      originals.set(fileSha256, { sha256: fileSha256, name: file });
  return [...originals.values()];
}

/** Checks that an original exists and has the bytes that were added. Returns false if it cannot be read. */
export async function checkFile(
  of: Case,
  { sha256, name }: Original,
  { report, onBytes }: { readonly report: ReportDeviation; readonly onBytes: (bytes: number) => void },
): Promise<boolean> {
  const source = storedSource(of, sha256);
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
    if (error instanceof DamagedCopy) {
      const message = `The original of "${name}" (${sha256}) was altered: ${error.problem}`;
      report({ code: 'FILE_ALTERED', file: sha256, message });
      return false;
    }
    // The progress callback may abort.
    if (toFileError(error, name) === error) throw error;
    const message = `The original of "${name}" (${sha256}) cannot be read: ${messageOf(error)}`;
    report({ code: 'FILE_UNREADABLE', file: sha256, message });
    return false;
  }
}

/**
 * Reports files in the evidence folder that do not belong to the case. Files that are being added
 * may still belong to it.
 */
export async function checkUnlisted(
  of: Case,
  {
    connection,
    originals,
  }: { readonly connection: DuckDBConnection; readonly originals: readonly Original[] },
  report: ReportDeviation,
): Promise<void> {
  if (of.originals === 'in place') return;
  const known = new Set(originals.map(({ sha256 }) => sha256));
  const names = await listEvidence(of.path).catch((error: unknown) => {
    throw toFileError(error, evidenceFolder(of.path));
  });
  reportSecondCopies(names, report);
  const unknown = names.filter((name) => !isOf(known, name) && !isHeld(of, originalOfName(name)));
  if (unknown.length === 0) return;
  // Files that arrived since the state was read are listed by now.
  const { parts } = await readSoundParts(connection);
  const listed = new Set((await readOriginals(connection, parts)).map(({ sha256 }) => sha256));
  for (const name of unknown)
    if (!isOf(listed, name))
      report({
        code: 'FILE_UNLISTED',
        file: name,
        message: `"${name}" is in the folder of originals, but belongs to no part`,
      });
}

function isOf(originals: ReadonlySet<string>, name: string): boolean {
  return originals.has(originalOfName(name));
}

/** Reports compressed copies beside a plain one, which is the one that is read. */
function reportSecondCopies(names: readonly string[], report: ReportDeviation): void {
  const all = new Set(names);
  for (const name of names) {
    const { plain, compressed } = copyNames(originalOfName(name));
    if (name === compressed && all.has(plain))
      report({
        code: 'FILE_UNLISTED',
        file: name,
        message: `"${name}" is in the folder of originals, but "${plain}" is the copy that is read`,
      });
  }
}
