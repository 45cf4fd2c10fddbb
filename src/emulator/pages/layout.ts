import { escapeHtml, linkHtml } from './escape-html.ts';
import { csrfHtml } from './form.ts';
import type { PageContext } from './frame.ts';
import { ancestorsOf, frontLabel, pagesBelow, pathOfOperation, signInLink } from './navigation.ts';
import { pageStyle } from './style.ts';

/** Heading and content of a page. */
export interface PageContent {
  /** The heading; `Not found` for an unknown address. */
  readonly heading: string;
  readonly isError?: boolean;
  /** HTML. */
  readonly content: string;
}

/** Writes a whole page: account, path, content and the pages below. It needs no script. */
export function pageHtml({ heading, isError = false, content }: PageContent, frame: PageContext): string {
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
