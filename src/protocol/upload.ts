import * as v from 'valibot';
import { optional, textOf } from './lenient.ts';
import type { NamedFile } from './upgrades/upgrade-form.ts';

/** The field of the file in the form of an upload, as the field notes have it. */
export const uploadField = 'itemFile';

/** The multipart form of an upload, without the token. */
export function toUploadForm(file: NamedFile, description = ''): FormData {
  const form = new FormData();
  form.set(uploadField, new Blob([file.bytes]), file.name);
  form.set('description', description);
  form.set('f', 'json');
  return form;
}

/** A file that the deployment holds. */
export interface UploadedItem {
  readonly itemID: string;
  readonly itemName?: string | undefined;
  readonly description?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly date?: number | undefined;
  readonly committed?: boolean | undefined;
}

const id = v.pipe(v.unknown(), v.transform(textOf), v.string(), v.nonEmpty());
const item = v.object({
  itemID: id,
  itemName: optional.text,
  description: optional.text,
  date: optional.time,
  committed: optional.flag,
});

/** The item in the reply of an upload: its description, or its identifier alone; undefined where the body is something else. */
export function uploadedItemOf(body: unknown): UploadedItem | undefined {
  const result = v.safeParse(v.object({ item: v.union([item, id]) }), body);
  if (!result.success) return undefined;
  const { item: found } = result.output;
  return typeof found === 'string' ? { itemID: found } : found;
}
