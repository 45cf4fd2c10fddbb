import * as v from 'valibot';
import { parseTimeZone, utcZone } from '../records/index.ts';
import type { CallContext } from './call-context.ts';
import { selection } from './selection.ts';

/** The logs to write, and the format of the file. */
export const downloadParameters = v.object({
  ...selection.entries,
  order: v.picklist(['newest', 'oldest']),
  format: v.picklist(['csv', 'ndjson', 'parquet', 'xlsx']),
});

/** A file on its way. */
export interface DownloadedFile {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
}

/** Writes the logs of a selection as a file. */
export type Download = (
  parameters: v.InferOutput<typeof downloadParameters>,
  context: CallContext,
) => Promise<DownloadedFile>;

/** The case and the logs to report, and the format of the file. */
export const reportParameters = v.object({
  ...selection.entries,
  ofCase: v.pipe(v.number(), v.integer(), v.minValue(0)),
  format: v.picklist(['html', 'xlsx']),
  /** Name of the zone of the report's times. */
  zone: v.optional(
    v.pipe(
      v.string(),
      v.check((name) => parseTimeZone(name) !== undefined),
    ),
    utcZone.name,
  ),
});

/** Writes the report of a selection as a file. */
export type ReportDownload = (
  parameters: v.InferOutput<typeof reportParameters>,
  context: CallContext,
) => Promise<DownloadedFile>;

/** Files that the page offers to take away. */
export interface Downloads {
  readonly logs: Download;
  readonly report: ReportDownload;
}
