/** What the parameters of a request are, or why they cannot be read. */
export type ReadForm =
  | { readonly form: URLSearchParams; readonly body: URLSearchParams }
  | { readonly problem: string };

/** Reads the parameters of the body, in either encoding of a form, and joins those of the address that it lacks. */
export async function readForm(request: Request): Promise<ReadForm> {
  const body = await readBody(request);
  if (typeof body === 'string') return { problem: body };
  const form = new URLSearchParams(body);
  for (const [name, value] of new URL(request.url).searchParams) {
    if (!body.has(name)) form.append(name, value);
  }
  return { form, body };
}

async function readBody(request: Request): Promise<URLSearchParams | string> {
  const type = (request.headers.get('content-type') ?? '').toLowerCase();
  if (type.startsWith('multipart/form-data')) return readMultipart(request);
  const text = await request.text();
  if (text === '' || type.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams(text);
  return 'The body requires the type application/x-www-form-urlencoded';
}

async function readMultipart(request: Request): Promise<URLSearchParams | string> {
  const data = await request.formData().catch(() => undefined);
  if (!data) return 'The body is no multipart form';
  const fields = [...data].filter((field): field is [string, string] => typeof field[1] === 'string');
  return new URLSearchParams(fields);
}
