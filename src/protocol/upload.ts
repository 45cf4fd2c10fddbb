import * as v from 'valibot';
import { lenientText, optionalMember } from './lenient.ts';

/**
 * Path of the uploads below `{root}`. An upload is below it under its identifier, its deletion at `/delete`
 * below that.
 */
export const uploadsPath = '/uploads';

/** A file as it is sent: its name without a folder, and its bytes. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The field of the file in the form of an upload (field notes). */
export const uploadField = 'itemFile';

/** Writes the multipart form of an upload, without the token. */
export function toUploadForm(file: NamedFile, description = ''): FormData {
  const form = new FormData();
  form.set(uploadField, new Blob([file.bytes]), file.name);
  form.set('description', description);
  form.set('f', 'json');
  return form;
}

/** A file at the deployment. */
export interface UploadedItem {
  readonly itemID: string;
  readonly itemName?: string | undefined;
  readonly description?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly date?: number | undefined;
  readonly committed?: boolean | undefined;
  readonly contentType?: string | undefined;
  /** Bytes; absent in some deployments. */
  readonly size?: number | undefined;
}

const id = v.pipe(v.unknown(), v.transform(lenientText), v.string(), v.nonEmpty());
const item = v.object({
  itemID: id,
  itemName: optionalMember.text,
  description: optionalMember.text,
  date: optionalMember.time,
  committed: optionalMember.flag,
  contentType: optionalMember.text,
  size: optionalMember.number,
});

/**
 * Reads the item in the reply of an upload: its description, or its identifier alone; undefined if the body is
 * something else.
 */
export function uploadedItemOf(body: unknown): UploadedItem | undefined {
  const result = v.safeParse(v.object({ item: v.union([item, id]) }), body);
  if (!result.success) return undefined;
  const { item: found } = result.output;
  return typeof found === 'string' ? { itemID: found } : found;
}

/** Reads the item in the upload resource; undefined if the body is something else. */
export function uploadOf(body: unknown): UploadedItem | undefined {
  const result = v.safeParse(item, body);
  return result.success ? result.output : undefined;
}

const itemList = v.union([
  v.pipe(
    v.object({ uploadItems: v.array(item) }),
    v.transform(({ uploadItems }) => uploadItems),
  ),
  // The name in older products of the vendor.
  v.pipe(
    v.object({ items: v.array(item) }),
    v.transform(({ items }) => items),
  ),
]);

/** Reads a list of uploads; undefined if the body is no such list. */
export function uploadsOf(body: unknown): readonly UploadedItem[] | undefined {
  const result = v.safeParse(itemList, body);
  return result.success ? result.output : undefined;
}
