import {
  type Failure,
  failureCodes,
  firstWords,
  isSignInPage,
  joinTexts,
  likelyBase,
  parseReplyText,
} from '../../protocol/index.ts';
import { replyText } from './body.ts';
import { addressWithoutQuery, ClientError, type ClientErrorCode } from './client-error.ts';

/** Purpose of a request, as wording for the messages of its failures. */
export interface Purpose {
  /** Beginning of the sentence that reports the failure. */
  readonly failed: string;
  /** Required privilege, named if the deployment forbids the request. */
  readonly privilege: string;
  /** Expected content. Default JSON. */
  readonly wanted?: string;
  /** Advice if nothing exists at the address. Default: to check the address of the deployment. */
  readonly whenMissing?: string;
}

/** Returns advice for a missing operation that a later version of the deployment has. */
export function sinceVersion(version: string): string {
  return `check the address of the deployment; the operation requires version ${version}`;
}

/** Origin of a reply, and the function that hides secrets in its text. */
export interface CallOrigin {
  readonly address: string;
  readonly purpose: Purpose;
  readonly hide: (text: string) => string;
}

/** Returns the JSON of a reply. Throws a `ClientError` for every other reply and for failures in JSON. */
export async function jsonOf(
  response: Response,
  asked: CallOrigin,
  { parse }: { readonly parse?: ((text: string) => unknown) | undefined } = {},
): Promise<unknown> {
  const text = await replyText(response);
  if (text === undefined) throw badReply(asked, 'answered with a zip instead of JSON');
  const reply = parseReplyText(text, parse);
  const { status } = response;
  const { wanted = 'JSON' } = asked.purpose;
  if (reply.kind === 'failure') throw toRefusalError(reply.failure, status, asked);
  if (300 <= status && status < 400) throw redirected(response, asked);
  if (400 <= status)
    throw toRefusalError({ code: status, message: `HTTP ${status}`, details: [] }, status, asked);
  switch (reply.kind) {
    case 'json':
      return reply.body;
    case 'html':
      throw badReply(
        asked,
        `answered with a web page${quoted(asked, reply.title)} instead of ${wanted}: ${mayBeWrong(asked)}, or a sign-in page or a proxy stands before it`,
      );
    case 'other':
      throw badReply(asked, `answered with something that is not ${wanted}${quoted(asked, reply.start)}`);
  }
}

/** The error for JSON that is not what the interface describes. */
export function unexpectedReplyError(body: unknown, what: string, asked: CallOrigin): ClientError {
  return badReply(asked, `answered with JSON that is not ${what}${quoted(asked, JSON.stringify(body))}`);
}

/** The error for an answer that is not what the interface describes. */
export function badReply({ address, purpose }: CallOrigin, what: string): ClientError {
  return new ClientError('BAD_REPLY', `${purpose.failed}: "${addressWithoutQuery(address)}" ${what}`);
}

function quoted({ hide }: CallOrigin, text: string): string {
  return text === '' ? '' : ` ("${firstWords(hide(text))}")`;
}

function redirected(response: Response, asked: CallOrigin): ClientError {
  const location = response.headers.get('location');
  const target =
    location !== null && URL.canParse(location, asked.address) && new URL(location, asked.address);
  const where = target ? `to "${asked.hide(addressWithoutQuery(target.href))}"` : 'elsewhere';
  if (target && isSignInPage(target.href)) return badReply(asked, `redirects ${where}, ${signInPage}`);
  const base = likelyBase(asked.address);
  const what = base === undefined ? 'use the address of the deployment that it leads to' : tryBase(base);
  return badReply(asked, `redirects ${where}: ${what}`);
}

const signInPage =
  'a sign-in page: single sign-on or the web tier stands before the deployment and lets only browsers through. ' +
  'Use an address that does not lead through it, as within the network of the deployment, ' +
  'and a user that the deployment itself keeps';

function tryBase(base: string): string {
  return `the address of the deployment is likely "${base}": try "--url ${base}"`;
}

function mayBeWrong({ address }: CallOrigin): string {
  const base = likelyBase(address);
  return base === undefined ? 'the address of the deployment may be wrong' : tryBase(base);
}

/** The error for a refusal, which says what to do about it. */
export function toRefusalError(failure: Failure, status: number, asked: CallOrigin): ClientError {
  const number = failure.code ?? (400 <= status ? status : undefined);
  const said = wordsOf(failure, number, asked.hide);
  // With which code this is refused is not documented.
  const code = /read-?\s?only/i.test(said) ? 'READ_ONLY' : codeOf(number);
  const message = `${asked.purpose.failed}: ${reasonOf(code, { number, said }, asked)}`;
  return new ClientError(code, message, { refusal: { code: number, said } });
}

function reasonOf(
  code: ClientErrorCode,
  { number, said }: { readonly number: number | undefined; readonly said: string },
  { address, purpose }: CallOrigin,
): string {
  const base = likelyBase(address);
  const { privilege, whenMissing = 'check the address of the deployment' } = purpose;
  switch (code) {
    case 'READ_ONLY':
      return `the deployment is in read-only mode (${said}): wait until the upgrade is over`;
    case 'TOKEN_EXPIRED':
      return number === failureCodes.tokenRequired
        ? `the deployment requires a token (${said}): sign in, or pass a token`
        : `the deployment does not accept the token (${said}): sign in again, or pass a token that is still valid`;
    case 'FORBIDDEN':
      return `the user lacks the privilege to ${privilege} (${said})`;
    case 'SERVER_ERROR':
      return `the deployment is in trouble or overloaded (${said}): try again later`;
    case 'BAD_REPLY':
      return `there is nothing at "${addressWithoutQuery(address)}" (${said}): ${base === undefined ? whenMissing : tryBase(base)}`;
    default:
      return `the deployment refused the request (${said})`;
  }
}

function codeOf(code: number | undefined): ClientErrorCode {
  if (code === failureCodes.invalidToken || code === failureCodes.tokenRequired || code === 401)
    return 'TOKEN_EXPIRED';
  if (code === failureCodes.forbidden) return 'FORBIDDEN';
  if (code === failureCodes.notFound) return 'BAD_REPLY';
  return code !== undefined && ((500 <= code && code < 600) || code === 429) ? 'SERVER_ERROR' : 'REFUSED';
}

/** Of each text of a refusal this many characters are shown: a stack trace may be among them. */
const longestText = 200;

function wordsOf(failure: Failure, code: number | undefined, hide: CallOrigin['hide']): string {
  const texts = [failure.message, ...failure.details].map((text) => firstWords(hide(text), longestText));
  const told = [...new Set(texts)].filter((text) => text !== '').slice(0, 5);
  const said = joinTexts(told) || 'no reason given';
  return code === undefined || said.includes(String(code)) ? said : `${code}: ${said}`;
}
