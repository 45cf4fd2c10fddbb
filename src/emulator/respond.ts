import { createHash } from 'node:crypto';
import {
  type Failure,
  failureCodes,
  type ReplyFormat,
  replyFormats,
  toFailureBody,
} from '../protocol/index.ts';
import { writeExactJson } from '../records/index.ts';
import type { Answer, FormField, Link, Operation, OperationName, ReplyItem, Session } from './operation.ts';

/** The style of all pages, light and dark, also for narrow screens. */
const pageStyle = `
:root { color-scheme: light dark; --text: #1c1e21; --quiet: #5a6068; --line: #d4d8dd; --back: #fff; --field: #fff;
  --link: #0b57b0; --press: #0b57b0; --pressed: #fff; --bad: #a4161a; --bad-back: #fdf1f1 }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --quiet: #a2a9b3; --line: #43484f; --back: #17191c;
  --field: #202327; --link: #8ab8f5; --press: #8ab8f5; --pressed: #10151c; --bad: #ff9d98; --bad-back: #351c1d } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 68rem; padding: 0 1.25rem 3rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--back); overflow-wrap: anywhere }
a { color: var(--link) }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem; align-items: center;
  border-bottom: 1px solid var(--line); padding: .5rem 0 }
header form, header p { margin: 0 }
nav ol { display: flex; flex-wrap: wrap; list-style: none; margin: 0; padding: 0 }
nav ol li + li::before { content: "/"; color: var(--quiet); padding: 0 .5rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.25rem 0 1rem }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .25rem }
.quiet { color: var(--quiet); font-size: .875rem }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; overflow-wrap: normal }
td > table { margin-top: -.35rem }
td > table > tbody > tr:last-child > *, td > table > tr:last-child > * { border-bottom: 0 }
.wide { overflow-x: auto }
.columns { font-size: .9375rem; width: max-content }
.columns td { overflow-wrap: break-word }
.columns td:not(:has(table)) { max-width: 24rem }
summary { white-space: nowrap }
summary { cursor: pointer; color: var(--link) }
time { white-space: nowrap }
ul { margin: 0; padding-left: 1.25rem }
.links a { margin-right: 1rem }
nav ul li { line-height: 1.75 }
.field { margin: 0 0 1rem; max-width: 34rem }
.field:has(textarea) { max-width: none }
label { display: block; font-weight: 600 }
.field .quiet { display: block; margin-bottom: .2rem }
input:not([type=hidden]), select, textarea { width: 100%; font: inherit; color: inherit; background: var(--field);
  border: 1px solid var(--quiet); border-radius: 4px; padding: .4rem .5rem }
textarea { font: .875rem/1.45 ui-monospace, monospace }
button { font: inherit; color: var(--pressed); background: var(--press); border: 1px solid var(--press);
  border-radius: 4px; padding: .35rem 1rem; cursor: pointer }
header button { color: var(--link); background: none; border-color: var(--line); padding: .15rem .6rem; margin-left: .5rem }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.error { border-left: 4px solid var(--bad); background: var(--bad-back); padding: .75rem 1rem; margin: 0 0 1.5rem }
.error p { margin: 0 } .error strong { color: var(--bad) }
.formats { margin-top: 2rem } .formats a { margin-right: .75rem }
@media (max-width: 40rem) { body { padding: 0 .9rem 2rem } .columns td:not(:has(table)) { max-width: 13rem }
  table:not(.columns) > tbody > tr > * { display: block; border: 0; padding: .1rem 0 }
  table:not(.columns) > tbody > tr > td { border-bottom: 1px solid var(--line); padding-bottom: .35rem; min-height: .5rem } }
`;

/** Digest that allows this style alone in the content security policy. */
const pageStyleDigest = `'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`;

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

/** Writes the page of a reply, with all texts escaped. */
function bodyPage(body: object, frame: PageContext): string {
  const isResource = frame.operation?.methods.includes('GET') ?? false;
  const content = `${replyHtml(body, frame)}\n${isResource ? formatsHtml(frame) : backHtml(frame)}`;
  return pageHtml({ heading: headingOf(frame), content }, frame);
}

/** Writes the form of an operation, with these values. */
function formPage(values: Readonly<Record<string, string>>, frame: PageContext): string {
  const { operation, session } = frame;
  const isOpen = session !== undefined || operation?.privilege === undefined;
  const signIn = isOpen ? '' : `<p>${linkHtml(signInLink(frame))}, or give a token.</p>\n`;
  const content = operation ? signIn + formHtml(operation, frame, values) : '';
  return pageHtml({ heading: headingOf(frame), content }, frame);
}

/** Writes the page of a failure: the reasons, and the form with the sent values, if there was one. */
function failurePage(failure: Failure, frame: PageContext): string {
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
  const reasons = details.map((detail) => `<li>${escapeHtml(detail)}</li>`);
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
    return [path, parameters.toString()].filter((part) => part !== '').join('?');
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

/** The HTML of a reply, every text escaped: rows of its members, and a section for each list of objects. */
function replyHtml(reply: object, frame: PageContext): string {
  const { cell, more } = cellsOf({ ...reply }, frame);
  const members = Object.entries(reply);
  const rows = members.filter(([, value]) => !isTable(value));
  const sections = members.flatMap(([name, value]) =>
    isTable(value) ? [`<h2>${escapeHtml(name)}</h2>\n${wide(name, columnsHtml(value, frame))}`] : [],
  );
  const first = rows.length > 0 || sections.length === 0 ? [wide('Reply', rowsHtml(rows, cell))] : [];
  return [...first, ...sections, linksHtml(more)].join('\n');
}

function isTable(value: unknown): value is readonly ReplyItem[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

/** A section that scrolls on its own if it is too wide, also by keyboard. */
function wide(label: string, html: string): string {
  return `<div class="wide" role="group" aria-label="${escapeHtml(label)}" tabindex="0">${html}</div>`;
}

/** The HTML of a value of JSON: objects as rows, lists of objects as tables with columns. */
function valueHtml(value: unknown, frame: PageContext): string {
  if (Array.isArray(value)) return listHtml(value, frame);
  return isItem(value) ? objectHtml(value, frame) : scalarHtml(value, frame);
}

const none = '<span class="quiet">none</span>';

/** True for a plain object. An instance of a class, such as an exact number, is written as text. */
function isItem(value: unknown): value is ReplyItem {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function objectHtml(item: ReplyItem, frame: PageContext): string {
  const { cell, more } = cellsOf(item, frame);
  return rowsHtml(Object.entries(item), cell) + linksHtml(more);
}

function rowsHtml(members: readonly (readonly [string, unknown])[], cell: Cell): string {
  if (members.length === 0) return none;
  const rows = members.map(
    ([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${cell(name, value)}</td></tr>`,
  );
  return `<table>${rows.join('\n')}</table>`;
}

function listHtml(list: readonly unknown[], frame: PageContext): string {
  if (list.length === 0) return none;
  if (isTable(list)) return columnsHtml(list, frame);
  return `<ul>${list.map((item) => `<li>${valueHtml(item, frame)}</li>`).join('\n')}</ul>`;
}

/** A table with a column for each member. Links come first, where a wide table shows them without scrolling. */
function columnsHtml(items: readonly ReplyItem[], frame: PageContext): string {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = items.map((item) => {
    const { cell, more } = cellsOf(item, frame);
    return { cells: names.map((name) => folded(name, item[name], cell)), more };
  });
  const linked = rows.some(({ more }) => more.length > 0);
  const heads = [...(linked ? ['Pages'] : []), ...names].map((name) => `<th>${escapeHtml(name)}</th>`);
  const body = rows.map(({ cells, more }) => {
    const all = [...(linked ? [linksHtml(more)] : []), ...cells];
    return `<tr>${all.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<table class="columns">
<thead><tr>${heads.join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody>
</table>`;
}

type Cell = (name: string, value: unknown) => string;

/** Writers of an object's cells: the member that becomes a link, and further links. */
function cellsOf(
  item: ReplyItem,
  frame: PageContext,
): { readonly cell: Cell; readonly more: readonly Link[] } {
  const { identifier, more } = linksOfItem(frame, item);
  const cell: Cell = (name, value) =>
    identifier?.member === name
      ? linkHtml({ label: String(value), href: identifier.href })
      : valueHtml(value, frame);
  return { cell, more };
}

/** A cell of a column. Objects and lists are folded, so that rows stay low. */
function folded(name: string, value: unknown, cell: Cell): string {
  if (value === undefined) return '';
  const hasParts = (Array.isArray(value) || isItem(value)) && Object.keys(value).length > 0;
  if (!hasParts) return cell(name, value);
  const count = Array.isArray(value) ? ` (${value.length})` : '';
  return `<details><summary>${escapeHtml(name)}${count}</summary>${cell(name, value)}</details>`;
}

function scalarHtml(value: unknown, frame: PageContext): string {
  if (typeof value === 'number') return numberHtml(value);
  const text = String(value);
  if (typeof value !== 'string' || !/^https?:\/\//.test(text)) return escapeHtml(text);
  return linkHtml({ label: text, href: text }) + linksHtml(linksOfAddress(frame, text));
}

/**
 * Writes a number. Milliseconds since the epoch from 2001 to 2286 are shown as times: nothing else in the
 * interface is as large.
 */
function numberHtml(value: number): string {
  if (!Number.isInteger(value) || value < 1e12 || 1e13 <= value) return String(value);
  const iso = new Date(value).toISOString();
  const timeText = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return `${value} <time class="quiet" datetime="${iso}">${timeText}</time>`;
}

function linksHtml(links: readonly Link[]): string {
  return links.length === 0 ? '' : `<div class="links">${links.map(linkHtml).join('\n')}</div>`;
}

/** Escapes a text for HTML, also within the quotes of an attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A link with escaped label and address. It sends no `Referer` header. */
function linkHtml({ label, href }: { readonly label: string; readonly href: string }): string {
  return `<a href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(label)}</a>`;
}

/** Label of the front page in paths. */
const frontLabel = 'Administration';

/** Pages above a page, from the front page on. */
function ancestorsOf(frame: PageContext): readonly Link[] {
  const path = requestPath(frame);
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const above = slashes
    .map((end) => path.slice(0, end))
    .filter((ancestor) => ancestor.length > frame.root.length);
  const front = path === frame.root ? [] : [{ label: frontLabel, href: frame.root }];
  return [...front, ...above.flatMap((ancestor) => linkTo(frame, ancestor))];
}

/** Links to the operations below a resource, and to related ones. */
function pagesBelow(frame: PageContext): readonly Link[] {
  const { operation, operations } = frame;
  const related = operations.filter(({ name }) => operation?.related?.includes(name));
  return [
    ...childrenOf(frame, requestPath(frame)),
    ...related.map(({ title, path }) => ({ label: title, href: path })),
  ];
}

/** Link to the sign-in page, which returns to this page. */
function signInLink(frame: PageContext): Link {
  const href = pathOfOperation(frame, 'signIn') ?? frame.root;
  const isOwn = frame.operation?.isPageOnly === true || frame.operation?.name === 'directory';
  const next = new URLSearchParams({ next: addressOf(frame) });
  return { label: 'Sign in', href: isOwn || !frame.operation ? href : `${href}?${next}` };
}

/** The path of an operation without parameters. */
function pathOfOperation({ operations }: PageContext, operationName: OperationName): string | undefined {
  return operations.find(({ name }) => name === operationName)?.path;
}

/** Links of an object in a reply: the resource that one of its members identifies, and further pages. */
interface ItemLinks {
  readonly identifier?: { readonly member: string; readonly href: string };
  readonly more: readonly Link[];
}

/** Members that identify a resource wherever they occur. The member `id` identifies one below the resource that lists it. */
const identifiers: Readonly<Record<string, OperationName>> = { itemID: 'upload', jobid: 'job' };

/** Links of an object in a reply, by its identifier and by its operation. */
function linksOfItem(frame: PageContext, item: ReplyItem): ItemLinks {
  const own = frame.operation?.links?.(item, frame.form) ?? [];
  for (const [member, value] of Object.entries(item)) {
    const target = typeof value === 'string' && value !== '' ? resourceOf(frame, member) : undefined;
    if (!target) continue;
    const href = target.path.replace(/:\w+/, encodeURIComponent(String(value)));
    if (href === requestPath(frame)) continue;
    return { identifier: { member, href }, more: [...own, ...childrenOf(frame, href)] };
  }
  return { more: own };
}

/** Links below the resource at an absolute address of this deployment. */
function linksOfAddress(frame: PageContext, address: string): readonly Link[] {
  if (!URL.canParse(address)) return [];
  const { origin, pathname } = new URL(address);
  const isOne = operationAt(frame, pathname)?.path.includes(':') ?? false;
  return origin === frame.url.origin && isOne ? childrenOf(frame, pathname) : [];
}

function resourceOf({ operations, operation }: PageContext, member: string): Operation | undefined {
  const known = identifiers[member];
  if (known !== undefined) return operations.find(({ name }) => name === known);
  return member === 'id' && operation
    ? operations.find(({ path }) => path === `${operation.path}/:id`)
    : undefined;
}

/** Operations one step below the resource at a path. The front page lists all of them itself. */
function childrenOf(frame: PageContext, path: string): readonly Link[] {
  const parent = operationAt(frame, path);
  if (!parent || parent.path === frame.root) return [];
  return frame.operations
    .filter((operation) => operation.path.startsWith(`${parent.path}/`))
    .map(({ title, path: pattern }) => ({ label: title, step: pattern.slice(parent.path.length) }))
    .filter(({ step }) => /^\/[^/:]+$/.test(step))
    .map(({ label, step }) => ({ label, href: path + step }));
}

function linkTo(frame: PageContext, path: string): readonly Link[] {
  const operation = operationAt(frame, path);
  return operation ? [{ label: operation.title, href: path }] : [];
}

function operationAt({ operations }: PageContext, path: string): Operation | undefined {
  const steps = path.split('/');
  return operations.find(({ path: pattern }) => {
    const patternSteps = pattern.split('/');
    return (
      patternSteps.length === steps.length &&
      patternSteps.every((step, at) => step.startsWith(':') || step === steps[at])
    );
  });
}

/** Heading and content of a page. */
interface PageContent {
  /** The heading; `Not found` for an unknown address. */
  readonly heading: string;
  readonly isError?: boolean;
  /** HTML. */
  readonly content: string;
}

/** Writes a whole page: account, path, content and the pages below. It needs no script. */
function pageHtml({ heading, isError = false, content }: PageContent, frame: PageContext): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}${isError ? ': error' : ''}</title>
<style>${pageStyle}</style></head>
<body>
<header>
<nav aria-label="Path"><ol>${pathHtml(heading, frame)}</ol></nav>
${accountHtml(frame)}
</header>
<main>
<h1>${escapeHtml(heading)}</h1>
${content}
${belowHtml(frame)}</main>
</body>
</html>
`;
}

function pathHtml(heading: string, frame: PageContext): string {
  const above = ancestorsOf(frame).map((link) => `<li>${linkHtml(link)}</li>`);
  const current = frame.operation?.name === 'directory' ? frontLabel : heading;
  return [...above, `<li aria-current="page">${escapeHtml(current)}</li>`].join('\n');
}

function accountHtml(frame: PageContext): string {
  const { session, operation } = frame;
  if (!session) return operation?.name === 'signIn' ? '' : `<p>${linkHtml(signInLink(frame))}</p>`;
  const path = pathOfOperation(frame, 'signOut') ?? frame.root;
  return `<form method="post" action="${escapeHtml(path)}">
${csrfHtml(frame)}<span>Signed in as <b>${escapeHtml(session.username)}</b></span> <button>Sign out</button>
</form>`;
}

function belowHtml(frame: PageContext): string {
  const links = pagesBelow(frame).map((link) => `<li>${linkHtml(link)}</li>`);
  if (links.length === 0) return '';
  return `<nav aria-label="Further pages"><h2>Further pages</h2><ul>${links.join('\n')}</ul></nav>\n`;
}

/** The HTML form of an operation with these values. A user that is signed in needs no token. */
function formHtml(
  operation: Operation,
  frame: PageContext,
  values: Readonly<Record<string, string>>,
): string {
  const { title, fields, privilege, isPageOnly = false } = operation;
  const wantsToken = privilege !== undefined && !frame.session;
  const all = [...fields, ...(wantsToken ? [tokenField] : []), ...(isPageOnly ? [] : [formatField])];
  const files = fields.some(({ type }) => type === 'file') ? ' enctype="multipart/form-data"' : '';
  const rows = all.map((field) => fieldHtml({ ...field, value: values[field.name] ?? field.value ?? '' }));
  return `<form method="post" action="${escapeHtml(requestPath(frame))}"${files} autocomplete="${isPageOnly ? 'on' : 'off'}">
${csrfHtml(frame)}${rows.join('\n')}
<p><button>${escapeHtml(title)}</button></p>
</form>`;
}

const tokenField: FormField = { name: 'token', type: 'password' };
const formatField: FormField = { name: 'f', choices: replyFormats, hint: 'How the answer is written' };

/** The hidden field that proves that a form is from a page of this session; empty without a session. */
function csrfHtml({ session }: Pick<PageContext, 'session'>): string {
  return session ? `<input type="hidden" name="csrf" value="${escapeHtml(session.csrf)}">\n` : '';
}

function fieldHtml(field: FormField): string {
  if (field.type === 'hidden') return inputHtml(field);
  const id = `field-${escapeHtml(field.name)}`;
  const hint =
    field.hint === undefined ? '' : `<span id="${id}-hint" class="quiet">${escapeHtml(field.hint)}</span>`;
  return `<div class="field"><label for="${id}">${escapeHtml(field.name)}</label>${hint}
${inputHtml(field)}</div>`;
}

function inputHtml(field: FormField): string {
  const { type = 'text', value = '', choices } = field;
  if (choices) {
    const options = choices.map((choice) => optionHtml(choice, choice === value));
    return `<select ${attributesOf(field)}>${options.join('')}</select>`;
  }
  // HTML ignores a line break directly after the tag.
  if (type === 'lines') {
    return `<textarea ${attributesOf(field)} rows="20" spellcheck="false">\n${escapeHtml(value)}</textarea>`;
  }
  const filled = type === 'password' || type === 'file' ? '' : ` value="${escapeHtml(value)}"`;
  return `<input ${attributesOf(field)} type="${type}"${filled}>`;
}

function optionHtml(choice: string, isChosen: boolean): string {
  const selected = isChosen ? ' selected' : '';
  return choice === ''
    ? `<option value=""${selected}>(not given)</option>`
    : `<option${selected}>${escapeHtml(choice)}</option>`;
}

function attributesOf({ name, type, hint, required, autocomplete }: FormField): string {
  // Browsers offer to fill in and save passwords, unless `autocomplete` is off.
  const filledBy = autocomplete ?? (type === 'password' ? 'off' : undefined);
  const id = `field-${escapeHtml(name)}`;
  return [
    `name="${escapeHtml(name)}"`,
    ...(type === 'hidden' ? [] : [`id="${id}"`]),
    ...(hint === undefined ? [] : [`aria-describedby="${id}-hint"`]),
    ...(required ? ['required'] : []),
    ...(filledBy === undefined ? [] : [`autocomplete="${escapeHtml(filledBy)}"`]),
  ].join(' ');
}

/** The context of a page: the request and the operations of the deployment. */
export interface PageContext {
  /** The path of the front page. */
  readonly root: string;
  /** All operations and resources; the first one that matches a path answers. */
  readonly operations: readonly Operation[];
  /** The operation that answered; undefined for an unknown address. */
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly url: URL;
  /** The sent parameters. They may hold secrets: only fields of the operation may be shown again. */
  readonly form: URLSearchParams;
  /** The user that is signed in. */
  readonly session: Session | undefined;
  /** True if a page of another site may have sent the request: none of its values is shown. */
  readonly foreign: boolean;
}

/** The path of a request without a final slash. */
export function requestPath({ url }: Pick<PageContext, 'url'>): string {
  return url.pathname.replace(/(?<=.)\/+$/, '');
}

/** The sent values of the operation's fields, without secrets. */
function shownValues({ operation, form, foreign }: PageContext): Readonly<Record<string, string>> {
  const shown = (operation?.fields ?? []).filter(({ type }) => type !== 'password' && type !== 'file');
  const sent = foreign ? [] : [...shown.map(({ name }) => name), ...(operation?.fields.length ? ['f'] : [])];
  return Object.fromEntries(
    sent.flatMap((name) => {
      const value = form.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The address of a page with its parameters. It never holds a token. */
function addressOf(frame: PageContext): string {
  const values = frame.method === 'POST' ? {} : shownValues(frame);
  const search = new URLSearchParams(values).toString();
  return requestPath(frame) + (search === '' ? '' : `?${search}`);
}
