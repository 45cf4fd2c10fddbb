import { type ReplyFormat, toFailureBody } from '../protocol/index.ts';
import { writeExactJson } from '../records/index.ts';
import type { PageContext } from './pages/frame.ts';
import { pageStyleDigest } from './pages/style.ts';
import { bodyPage, failurePage, formPage } from './pages/write-page.ts';
import type { Answer, Operation } from './site/operation.ts';

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // The pages hold text, forms and their style only.
  'content-security-policy': `default-src 'none'; style-src ${pageStyleDigest}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  // With "no-referrer" browsers would send forms with the origin "null", as if from another site.
  'referrer-policy': 'same-origin',
};

/** Format and operation of an answer. */
export interface ResponseOptions {
  readonly operation?: Operation | undefined;
  /** The context of a page, or a JSON format. */
  readonly as: PageContext | Exclude<ReplyFormat, 'html'>;
}

/**
 * Writes an answer in the requested format. Failures have HTTP status 200, as real deployments send them (field
 * notes), unless the answer has another.
 */
export function toResponse(answer: Answer, { as, operation }: ResponseOptions): Response {
  switch (answer.kind) {
    case 'body':
      return typeof as === 'string' ? json(answer.body, as) : text(bodyPage(answer.body, as), 'text/html');
    case 'failure': {
      const { failure, shape, status, retryAfter } = answer;
      const response =
        typeof as === 'string'
          ? json(toFailureBody(failure, shape), as, status)
          : text(failurePage(failure, as), 'text/html', status);
      if (status === 405) response.headers.set('allow', operation?.methods.join(', ') ?? '');
      return comingAgain(response, retryAfter);
    }
    case 'form':
      return text(typeof as === 'string' ? '' : formPage(answer.values, as), 'text/html');
    case 'soap':
      // SOAP 1.1 requires this status for a fault.
      return text(answer.text, 'text/xml', answer.failure ? 500 : 200);
    case 'redirect':
      return new Response(null, {
        status: 303,
        headers: {
          ...headers,
          location: answer.location,
          ...(answer.cookie !== undefined && { 'set-cookie': answer.cookie }),
        },
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

/** The header with a file name: in ASCII for old readers, and in full for others (RFC 6266). */
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

function json(body: object, format: 'json' | 'pjson', status?: number): Response {
  return text(writeExactJson(body, format === 'pjson' ? 2 : undefined), 'application/json', status);
}

function text(content: string, type: string, status = 200): Response {
  return new Response(content, { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
}
