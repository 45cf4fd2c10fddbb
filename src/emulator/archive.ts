import JSZip from 'jszip';
import type { Log } from '../records/log.ts';
import { type LogFormat, writeLogs } from './log-formats.ts';

/**
 * What an exported zip looks like inside. The interface document does not say,
 * so that a client has to cope with any of it.
 */
export interface ArchiveLayout {
  /** Default `ndjson`. */
  readonly format?: LogFormat;
  /** Over how many entries the logs are spread, one after the other. Default 1. */
  readonly entries?: number;
  /** The folder that the entries are in, such as `export/logs`. Default none. */
  readonly folder?: string;
  /** Whether a zip of no logs holds no entry at all, instead of an empty one. */
  readonly emptyWithoutEntry?: boolean;
}

/** A zip of logs. The same logs and layout give the same bytes. */
export function zipLogs(logs: readonly Log[], layout: ArchiveLayout = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { format = 'ndjson', entries = 1, folder, emptyWithoutEntry = false } = layout;
  if (emptyWithoutEntry && logs.length === 0) return zipFiles([]);
  const size = Math.max(1, Math.ceil(logs.length / entries));
  const files = Array.from({ length: entries }, (_, index) => {
    const name = entries === 1 ? `logs.${format}` : `logs-${index + 1}.${format}`;
    const part = logs.slice(index * size, (index + 1) * size);
    return { name: folder ? `${folder}/${name}` : name, text: [...writeLogs(part, format)].join('') };
  });
  return zipFiles(files);
}

/** A zip of files. The same files give the same bytes. */
export async function zipFiles(
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip();
  // The time of an entry is the oldest that a zip can hold, so that it says nothing and never changes.
  const date = new Date(Date.UTC(1980, 0, 1));
  for (const { name, text } of files) zip.file(name, text, { date, createFolders: false });
  return new Uint8Array(
    await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE', platform: 'UNIX' }),
  );
}
