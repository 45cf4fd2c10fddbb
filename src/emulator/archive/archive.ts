import JSZip from 'jszip';
import type { Log } from '../../records/index.ts';
import { encodeTexts } from './encode-texts.ts';
import { type LogFormat, writeLogs } from './log-formats.ts';
import { type TimeForm, timeWriter } from './log-times.ts';

/** Content of an exported zip. The interface document leaves it open, so a client has to accept all of it. */
export interface ArchiveLayout {
  /** Default `ndjson`. */
  readonly format?: LogFormat;
  /** Number of entries over which the logs are spread, one after the other. Default 1. */
  readonly entries?: number;
  /** Folder of the entries, such as `export/logs`. Default none. */
  readonly folder?: string;
  /** True if a zip of no logs holds no entry, instead of an empty one. */
  readonly emptyWithoutEntry?: boolean;
  /** Form of times. Default `milliseconds`. Filters use the full times in every form. */
  readonly times?: TimeForm;
  /** Time zone of the form `local`. Default UTC. */
  readonly zone?: string;
}

/** Writes logs into a zip. The same logs and layout give the same bytes. */
export async function zipLogs(
  logs: readonly Log[],
  layout: ArchiveLayout = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { format = 'ndjson', entries = 1, folder, emptyWithoutEntry = false } = layout;
  if (emptyWithoutEntry && logs.length === 0) return zipFiles([]);
  const writeTime = timeWriter(layout.times, layout.zone);
  const size = Math.max(1, Math.ceil(logs.length / entries));
  const files: NamedContent[] = [];
  for (let index = 0; index < entries; index += 1) {
    const name = entries === 1 ? `logs.${format}` : `logs-${index + 1}.${format}`;
    const part = logs.slice(index * size, (index + 1) * size);
    const text = await encodeTexts(writeLogs(part, format, writeTime));
    files.push({ name: folder ? `${folder}/${name}` : name, text });
  }
  return zipFiles(files);
}

/** A file of a zip. */
interface NamedContent {
  readonly name: string;
  readonly text: string | Uint8Array;
}

/** Unusual content of a zip, to test a client with. */
export const zipOddities = ['readme', 'picture', 'climbing', 'nested', 'twice'] as const;

export type ZipOddity = (typeof zipOddities)[number];

/**
 * Writes a zip with unusual content: a text for people, a picture, logs under a name that leaves the
 * folder, in a nested zip or in two entries.
 */
export async function zipWithOddities(
  logs: readonly Log[],
  { format = 'ndjson' }: ArchiveLayout,
  kinds: readonly ZipOddity[],
): Promise<Uint8Array<ArrayBuffer>> {
  const text = await encodeTexts(writeLogs(logs, format));
  const folder = kinds.includes('climbing') ? '../../' : '';
  const files = [{ name: `${folder}logs.${format}`, text }];
  if (kinds.includes('twice')) files.push({ name: `copy.${format}`, text });
  const held = kinds.includes('nested') ? [{ name: 'logs.zip', text: await zipFiles(files) }] : files;
  return zipFiles([
    ...(kinds.includes('readme') ? [{ name: 'README.txt', text: readme }] : []),
    ...held,
    ...(kinds.includes('picture') ? [{ name: 'logo.png', text: picture }] : []),
  ]);
}

const readme =
  'Logs of the deployment\n\nThis archive was made by an export. Each entry holds one log a line.\n';

/** The first bytes of a picture. */
const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13);

/** Writes files into a zip. The same files give the same bytes. */
export async function zipFiles(files: readonly NamedContent[]): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip();
  // The oldest time that a zip can hold: it carries no information and never changes.
  const date = new Date(Date.UTC(1980, 0, 1));
  for (const { name, text } of files) zip.file(name, text, { date, createFolders: false });
  return new Uint8Array(
    await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE', platform: 'UNIX' }),
  );
}
