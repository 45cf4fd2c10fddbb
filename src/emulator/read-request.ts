import { type NamedFile, readMultipart } from '../protocol/index.ts';
import type { Operation } from './operation.ts';

/** What a request says. */
export interface RequestParts {
  /** The parameters of the body and, where the body lacks one, of the address. */
  readonly form: URLSearchParams;
  /** The parameters of the body alone. */
  readonly body: URLSearchParams;
  readonly files: ReadonlyMap<string, NamedFile>;
  /** The text of a SOAP message, empty for forms. */
  readonly text: string;
}

/** What a request says, or why it cannot be read. */
export async function readRequest(
  request: Request,
  { reads = 'form' }: Operation,
): Promise<RequestParts | { readonly problem: string }> {
  const read = reads === 'soap' ? { ...nothing, text: await request.text() } : await readBody(request);
  if ('problem' in read) return read;
  const form = new URLSearchParams(read.body);
  for (const [name, value] of new URL(request.url).searchParams) {
    if (!read.body.has(name)) form.append(name, value);
  }
  return { ...read, form };
}

type Body = Omit<RequestParts, 'form'>;

const nothing: Body = { body: new URLSearchParams(), files: new Map(), text: '' };

async function readBody(request: Request): Promise<Body | { readonly problem: string }> {
  const written = request.headers.get('content-type') ?? '';
  const type = written.toLowerCase();
  if (type.startsWith('multipart/form-data')) return readParts(request, written);
  const text = await request.text();
  if (text === '' || type.startsWith('application/x-www-form-urlencoded')) {
    return { ...nothing, body: new URLSearchParams(text) };
  }
  return { problem: 'The body requires the type application/x-www-form-urlencoded' };
}

async function readParts(request: Request, type: string): Promise<Body | { readonly problem: string }> {
  const parts = readMultipart(new Uint8Array(await request.arrayBuffer()), type);
  if ('problem' in parts) return parts;
  const body = new URLSearchParams();
  const files = new Map<string, NamedFile>();
  for (const { name, filename, bytes } of parts) {
    if (filename === undefined) body.append(name, new TextDecoder().decode(bytes));
    // A field for a file that was left empty has neither a name nor bytes.
    else if (filename !== '' || bytes.length > 0) files.set(name, { name: plainName(filename), bytes });
  }
  return { ...nothing, body, files };
}

/** The longest name of a file that is kept. */
const longestName = 200;

/** The name of a file without any folder and without characters that end a line or a header. */
export function plainName(name: string): string {
  const [last = ''] = name.split(/[\\/]/).slice(-1);
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]/gu, '')
    .trim()
    .slice(0, longestName);
  return /^\.*$/.test(plain) ? 'unnamed' : plain;
}
