import * as v from 'valibot';
import type { CallContext } from '../api/opened.ts';
import { selection } from '../api/selection.ts';

/** The logs to write, and the format of the file. */
export const downloadParameters = v.object({
  ...selection.entries,
  order: v.picklist(['newest', 'oldest']),
  format: v.picklist(['csv', 'ndjson', 'parquet']),
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
  asked: v.InferOutput<typeof downloadParameters>,
  context: CallContext,
) => Promise<DownloadedFile>;
