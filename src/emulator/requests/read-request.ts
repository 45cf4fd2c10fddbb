import { type DecodedXml, decodeXml, type NamedFile, readMultipart } from '../../protocol/index.ts';
import type { Operation } from '../site/operation.ts';

/** The content of a request. */
export interface RequestParts {
  /** The parameters of the body, and those of the address that the body lacks. */
  readonly form: URLSearchParams;
  /** The parameters of the body alone. */
  readonly body: URLSearchParams;
  readonly files: ReadonlyMap<string, NamedFile>;
  /** The text of a SOAP message, or the problem with its bytes; empty for forms. */
  readonly message: DecodedXml;
}

/** Reads the content of a request, or returns the problem with it. */
export async function readRequestParts(
  request: Request,
  { reads }: Pick<Operation, 'reads'>,
): Promise<RequestParts | { readonly problem: string }> {
  const read = reads === 'soap' ? await readSoap(request) : await readForm(request, reads);
  if ('problem' in read) return read;
  const form = new URLSearchParams(read.body);
  for (const [name, value] of new URL(request.url).searchParams) {
    if (!read.body.has(name)) form.append(name, value);
  }
  return { ...read, form };
}

type Body = Omit<RequestParts, 'form'>;

const nothing: Body = { body: new URLSearchParams(), files: new Map(), message: { text: '' } };

async function readSoap(request: Request): Promise<Body> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return { ...nothing, message: decodeXml(bytes, request.headers.get('content-type') ?? '') };
}

/** The media types of forms (sections 4.2.1 to 4.2.5 of the interface document). */
const formTypes = {
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

async function readForm(
  request: Request,
  only: keyof typeof formTypes | undefined,
): Promise<Body | { readonly problem: string }> {
  const written = request.headers.get('content-type') ?? '';
  const isOf = (type: keyof typeof formTypes) =>
    (only ?? type) === type && written.toLowerCase().startsWith(formTypes[type]);
  if (isOf('multipart')) return readParts(request, written);
  const text = await request.text();
  // A form without parameters has no body; neither has a request for the page of an operation.
  const isEmpty = text === '' && (only !== 'multipart' || request.method !== 'POST');
  if (isEmpty || isOf('urlencoded')) return { ...nothing, body: new URLSearchParams(text) };
  return { problem: `The body requires the type ${formTypes[only ?? 'urlencoded']}` };
}

async function readParts(request: Request, type: string): Promise<Body | { readonly problem: string }> {
  const parts = readMultipart(new Uint8Array(await request.arrayBuffer()), type);
  if ('problem' in parts) return parts;
  const body = new URLSearchParams();
  const files = new Map<string, NamedFile>();
  for (const { name, filename, bytes } of parts) {
    if (filename === undefined) body.append(name, new TextDecoder().decode(bytes));
    // An empty field for a file has neither a name nor bytes.
    else if (filename !== '' || bytes.length > 0) files.set(name, { name: plainName(filename), bytes });
  }
  return { ...nothing, body, files };
}

/** Longest stored name of a file. */
const longestName = 200;

/** The name of a file without folders and without characters that end a line or a header. */
export function plainName(name: string): string {
  const [last = ''] = name.split(/[\\/]/).slice(-1);
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]/gu, '')
    .trim()
    .slice(0, longestName);
  return /^\.*$/.test(plain) ? 'unnamed' : plain;
}
