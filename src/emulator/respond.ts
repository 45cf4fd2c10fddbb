import { writeExactJson } from '../json/index.ts';
import { type ReplyFormat, toFailureBody } from '../protocol/index.ts';
import type { Answer, Operation } from './operation.ts';
import { bodyPage, formPage } from './page.ts';

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // The pages hold nothing but text and forms.
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
};

/**
 * Writes an answer in the format that was asked for. Failures arrive with HTTP
 * status 200, as they do from such deployments (field notes), unless the answer
 * says otherwise.
 */
export function toResponse(answer: Answer, format: ReplyFormat, operation: Operation | undefined): Response {
  const title = operation?.title ?? 'Not found';
  switch (answer.kind) {
    case 'body':
      return written(answer.body, { format, title });
    case 'failure': {
      const { failure, shape, status, retryAfter } = answer;
      const response = written(toFailureBody(failure, shape), { format, title: `${title}: error`, status });
      if (status === 405) response.headers.set('allow', operation?.methods.join(', ') ?? '');
      return comingAgain(response, retryAfter);
    }
    case 'form':
      return text(operation ? formPage(operation, answer.session) : '', 'text/html', 200);
    case 'soap':
      // SOAP 1.1 has a fault come with this status.
      return text(answer.text, 'text/xml', answer.failure ? 500 : 200);
    case 'redirect':
      return new Response(null, {
        status: 303,
        headers: { ...headers, location: answer.location, 'set-cookie': answer.cookie },
      });
    case 'text':
      return comingAgain(text(answer.text, answer.type, answer.status), answer.retryAfter);
    case 'file':
      return new Response(answer.stream ?? answer.bytes, {
        headers: {
          ...headers,
          'content-type': answer.type ?? 'application/zip',
          'content-length': String(answer.bytes.length),
          'content-disposition': dispositionOf(answer.name),
        },
      });
  }
}

/** The header that names a file: in ASCII for old readers, and as it is for the others (RFC 6266). */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w .()+,=@-]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = plain === name ? '' : `; filename*=UTF-8''${encoded}`;
  return `attachment; filename="${plain}"${extended}`;
}

function comingAgain(response: Response, seconds: number | undefined): Response {
  if (seconds !== undefined) response.headers.set('retry-after', String(seconds));
  return response;
}

interface Written {
  readonly format: ReplyFormat;
  readonly title: string;
  readonly status?: number | undefined;
}

function written(body: object, { format, title, status = 200 }: Written): Response {
  switch (format) {
    case 'html':
      return text(bodyPage(title, body), 'text/html', status);
    case 'json':
      return text(writeExactJson(body), 'application/json', status);
    case 'pjson':
      return text(writeExactJson(body, 2), 'application/json', status);
  }
}

function text(content: string, type: string, status: number): Response {
  return new Response(content, { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
}
