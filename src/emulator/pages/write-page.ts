import { type Failure, failureCodes } from '../../protocol/index.ts';
import { escapeHtml, linkHtml } from './escape-html.ts';
import { formHtml } from './form.ts';
import { addressOf, type PageContext, requestPath, shownValues } from './frame.ts';
import { pageHtml } from './layout.ts';
import { signInLink } from './navigation.ts';
import { replyHtml } from './value.ts';

/** Writes the page of a reply, with all texts escaped. */
export function bodyPage(body: object, frame: PageContext): string {
  const isResource = frame.operation?.methods.includes('GET') ?? false;
  const content = `${replyHtml(body, frame)}\n${isResource ? formatsHtml(frame) : backHtml(frame)}`;
  return pageHtml({ heading: headingOf(frame), content }, frame);
}

/** Writes the form of an operation, with these values. */
export function formPage(values: Readonly<Record<string, string>>, frame: PageContext): string {
  const { operation, session } = frame;
  const isOpen = session !== undefined || operation?.privilege === undefined;
  const signIn = isOpen ? '' : `<p>${linkHtml(signInLink(frame))}, or give a token.</p>\n`;
  const content = operation ? signIn + formHtml(operation, frame, values) : '';
  return pageHtml({ heading: headingOf(frame), content }, frame);
}

/** Writes the page of a failure: the reasons, and the form with the sent values, if there was one. */
export function failurePage(failure: Failure, frame: PageContext): string {
  const { operation, method, foreign } = frame;
  const wasForm =
    operation !== undefined && method === 'POST' && !operation.methods.includes('GET') && !foreign;
  const isAgain = wasForm && operation.reads !== 'soap';
  const content = [
    reasonsHtml(failure),
    ...(needsSignIn(failure) ? [signInHtml(frame, isAgain)] : []),
    isAgain ? formHtml(operation, frame, shownValues(frame)) : backHtml(frame),
  ].join('\n');
  return pageHtml({ heading: headingOf(frame), isError: true, content }, frame);
}

function headingOf({ operation }: PageContext): string {
  return operation?.title ?? 'Not found';
}

function reasonsHtml({ code, message, details }: Failure): string {
  const reasons = details.map((each) => `<li>${escapeHtml(each)}</li>`);
  const list = reasons.length === 0 ? '' : `<ul>${reasons.join('\n')}</ul>`;
  const number = code === undefined ? '' : ` <span class="quiet">code ${code}</span>`;
  return `<div class="error" role="alert"><p><strong>${escapeHtml(message)}</strong>${number}</p>${list}</div>`;
}

function needsSignIn({ code }: Failure): boolean {
  return code === failureCodes.invalidToken || code === failureCodes.tokenRequired;
}

/** Link to the sign-in page. After a sent form it opens in a new tab, so that this page retains the values. */
function signInHtml(frame: PageContext, keeps: boolean): string {
  const link = signInLink(frame);
  if (!keeps) return `<p>${linkHtml(link)} and come back to this page.</p>`;
  return `<p><a href="${escapeHtml(link.href)}" target="_blank" rel="noopener">Sign in in another tab</a> and send this form again.</p>`;
}

/** Links to a resource in other formats, and to load it again. */
function formatsHtml(frame: PageContext): string {
  const href = (f: string) => {
    const [path, search] = addressOf(frame).split('?');
    const parameters = new URLSearchParams(search);
    if (f === 'html') parameters.delete('f');
    else parameters.set('f', f);
    return [path, parameters.toString()].filter((each) => each !== '').join('?');
  };
  const links = [
    { label: 'Load again', href: href('html') },
    { label: 'json', href: href('json') },
    { label: 'pjson', href: href('pjson') },
  ];
  return `<p class="formats quiet">${links.map(linkHtml).join('\n')}</p>`;
}

function backHtml(frame: PageContext): string {
  const { operation, foreign } = frame;
  if (!operation) return `<p>${linkHtml({ label: 'All resources and operations', href: frame.root })}</p>`;
  const isForm = !operation.methods.includes('GET');
  const label = isForm ? 'Back to the form' : 'Load again';
  return `<p>${linkHtml({ label, href: foreign ? requestPath(frame) : addressOf(frame) })}</p>`;
}
