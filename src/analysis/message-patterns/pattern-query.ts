import { createHash } from 'node:crypto';
import { analyze, quote } from '../../language/index.ts';

/** More phrases than these make a query unreadable and select hardly fewer logs. */
const mostPhrases = 6;

/** Words of a phrase; longer ones are cut, and select the same logs or more. */
const mostWords = 12;

/** A token of a mask that holds a variable value. */
const variable = /<(?:\*|uuid|url|email|date|time|ip|hex|path|id|number|text)>/;

/**
 * A query that selects every log of a pattern, and others whose messages have
 * the same words. Its clauses are the longest literal parts, as phrases of
 * `msg`. Undefined where a pattern has no literal word.
 */
export function patternQuery(template: string): string | undefined {
  const all = literalParts(template)
    .map((words) => words.slice(0, mostWords).join(' '))
    .filter((text) => 0 < analyze(text).length);
  // "of" alone selects nearly everything.
  const telling = all.filter((text) => 4 < text.length);
  const phrases = 0 < telling.length ? telling : all;
  const longest = new Set(phrases.toSorted((a, b) => b.length - a.length).slice(0, mostPhrases));
  const chosen = phrases.filter((phrase) => longest.has(phrase));
  return chosen.length === 0
    ? undefined
    : [...new Set(chosen)].map((text) => `msg:${quote(text)}`).join(' AND ');
}

/** The runs of literal words between variable ones. */
function literalParts(template: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of template.split(' ')) {
    if (variable.test(word)) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.filter((words) => 0 < words.length);
}

/** The id of a template: ten hexadecimal digits of its SHA-256. */
export function patternId(template: string): string {
  return createHash('sha256').update(template).digest('hex').slice(0, 10);
}
