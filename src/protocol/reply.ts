import { type Failure, failureOf } from './failure.ts';

/** The kind and content of a reply to a request for JSON. */
export type ParsedReply =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** A page instead of JSON, with the text of its title or first heading. */
  | { readonly kind: 'html'; readonly title: string }
  /** Anything else, with its first words. */
  | { readonly kind: 'other'; readonly start: string };

/**
 * Parses the text of a reply. Every reply of an operation passes here, because errors have HTTP status 200 too.
 */
export function parseReplyText(text: string, parse: (text: string) => unknown = JSON.parse): ParsedReply {
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

/**
 * Limit of nested levels. Replies have some ten; more than a thousand would overflow the stack of recursive
 * readers.
 */
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

/** The end of the quoted text that starts here. */
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

/** The beginning of a text on one line, without control characters; an ellipsis marks a cut. */
export function firstWords(text: string, longest = 80): string {
  const line = text
    .slice(0, 5 * longest)
    .replace(/[\s\p{Cc}\p{Cf}\uFFFD]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
