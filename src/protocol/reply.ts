import { type Failure, failureOf } from './failure.ts';

/** What a reply to a request for JSON turned out to be. */
export type Reply =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** A page, although JSON was asked for; with the text of its title or first heading. */
  | { readonly kind: 'html'; readonly title: string }
  /** Neither; with its first words. */
  | { readonly kind: 'other'; readonly start: string };

/** Says what the text of a reply is. Every reply of an operation passes here, because errors come with HTTP status 200 too. */
export function replyOf(text: string, parse: (text: string) => unknown = JSON.parse): Reply {
  const body = jsonOf(text, parse);
  if (body === undefined) {
    return looksLikeHtml(text)
      ? { kind: 'html', title: titleOf(text) }
      : { kind: 'other', start: firstWords(text) };
  }
  const failure = failureOf(body);
  return failure ? { kind: 'failure', failure } : { kind: 'json', body };
}

function jsonOf(text: string, parse: (text: string) => unknown): unknown {
  if (nestsTooDeeply(text)) return undefined;
  try {
    return parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Replies nest some ten levels. A thousand are aimed at the stack of whoever walks through them. */
const deepest = 1000;

function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (deepest < depth) return true;
  }
  return false;
}

/** Where the text in quotes that begins here ends. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function looksLikeHtml(text: string): boolean {
  return /^\uFEFF?\s*<(!doctype\s+html|html|head|body|!--)/i.test(text.slice(0, 1000));
}

function titleOf(html: string): string {
  const [, text = ''] = /<(?:title|h1)[^>]*>([^<]{1,200})/i.exec(html.slice(0, 100_000)) ?? [];
  return firstWords(text);
}

/** The beginning of a text on one line, without control characters and with an ellipsis where it goes on. */
export function firstWords(text: string, longest = 80): string {
  const line = text
    .slice(0, 5 * longest)
    .replace(/[\s\p{Cc}\p{Cf}\uFFFD]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
