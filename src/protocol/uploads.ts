import * as v from 'valibot';
import { lenientText, optionalMember } from './reply.ts';

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

/** One part of a multipart form. */
export interface FormPart {
  readonly name: string;
  /** The sent name, with its path; absent if the part is no file. */
  readonly filename?: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the parts of a `multipart/form-data` body (RFC 7578), or returns the problem with it. Accepts the forms
 * of programs and browsers: boundaries of any length, names without quotes, `filename*`, text before the first
 * part and after the last.
 */
export function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): readonly FormPart[] | { readonly problem: string } {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return { problem: 'The multipart form names no boundary' };
  // One character for each byte: positions in the text are positions in the bytes.
  const text = new TextDecoder('latin1').decode(bytes);
  const lines = [...text.matchAll(delimiter(boundary))];
  const last = lines.findIndex(([, closing]) => closing !== undefined);
  if (last < 0) return { problem: 'The multipart form breaks off before its end' };
  const parts = lines.slice(0, last).map((line, at) => {
    // After the line break that ends the delimiter.
    const from = line.index + line[0].length + 2;
    return readPart(bytes.subarray(from, lines[at + 1]?.index), text.slice(from, lines[at + 1]?.index));
  });
  const read = parts.filter((part) => part !== undefined);
  return read.length === parts.length ? read : { problem: 'A part of the multipart form has no name' };
}

function boundaryOf(contentType: string): string | undefined {
  const { boundary } = parametersOf(contentType);
  return boundary !== undefined && /^[ -~]{0,69}[!-~]$/.test(boundary) ? boundary : undefined;
}

/** The lines between parts; the line break before one belongs to it. */
function delimiter(boundary: string): RegExp {
  const literal = boundary.replace(
    /[^\w]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return new RegExp(`(?:^|\\r\\n)--${literal}(--)?[ \\t]*(?=\\r\\n|$)`, 'g');
}

function readPart(bytes: Uint8Array<ArrayBuffer>, text: string): FormPart | undefined {
  const end = text.startsWith('\r\n') ? 0 : text.indexOf('\r\n\r\n') + 2;
  if (end === 1) return undefined;
  const headers = new TextDecoder().decode(bytes.subarray(0, end)).replace(/\r\n[ \t]+/g, ' ');
  const [, disposition = ''] = /^content-disposition\s*:(.*)$/im.exec(headers) ?? [];
  const { name, ...parameters } = parametersOf(disposition);
  if (name === undefined) return undefined;
  const filename = extended(parameters['filename*']) ?? parameters.filename;
  return { name, ...(filename !== undefined && { filename }), bytes: bytes.subarray(end + 2) };
}

/** The parameters of a header, their names in lower case. */
function parametersOf(header: string): Readonly<Record<string, string>> {
  const found = header.matchAll(/;\s*([\w.*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g);
  return Object.fromEntries(
    [...found].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted === undefined ? plain : unquoted(quoted),
    ]),
  );
}

/**
 * Decodes the percent escapes of browsers and the escaped quotes of others. Other backslashes are part of
 * paths.
 */
function unquoted(text: string): string {
  return text
    .replace(/\\"/g, '"')
    .replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Reads a value with its character set (RFC 5987); undefined if it is none in UTF-8. */
function extended(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
