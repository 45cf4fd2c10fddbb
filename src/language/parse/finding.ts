import type { Span } from './tree.ts';

/**
 * The weight of a finding: the server refuses an `error`, and a `warning` likely means something
 * else than intended.
 */
export type Severity = 'error' | 'warning' | 'hint';

/** One replacement in the text; the offsets are UTF-16 units into the original text. */
export interface Edit extends Span {
  readonly insert: string;
}

/** A way to resolve a finding. Its edits are in the order of the text and do not overlap. */
export interface Fix {
  /** The action in the imperative: "Close the group". */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** True if the fix can be applied unseen, although the query then selects other logs: nothing else can be meant. */
  readonly isSafe?: boolean;
}

/** A problem of a query, reported to its author. A value: never thrown. */
export interface Finding<Code extends string = string> extends Span {
  /** A stable identifier: people search for it, silence it and link to it. */
  readonly code: Code;
  readonly severity: Severity;
  /** The problem and its cause in words of the query; no final stop. */
  readonly message: string;
  /** Fixes with the likeliest first; empty when there is none. */
  readonly fixes: readonly Fix[];
}

/**
 * The maximum number of findings per code; the last of them says how many more there are. A text
 * of a megabyte could have a million, which nobody reads.
 */
export const mostFindings = 50;

/** The end of a message that stands for more findings of its code; empty for none. */
export function moreLikeThis(more: number): string {
  return 0 < more ? ` (and ${more} more like this)` : '';
}

/**
 * Returns the text with the edits of a fix applied.
 *
 * ```ts
 * const text = '(msg:timeout';
 * const fix = parse(text).findings[0]?.fixes[0];
 * if (fix) applyFix(text, fix); // '(msg:timeout)'
 * ```
 */
export function applyFix(text: string, fix: Fix): string {
  let result = '';
  let position = 0;
  for (const edit of fix.edits) {
    result += text.slice(position, edit.from) + edit.insert;
    position = edit.to;
  }
  return result + text.slice(position);
}

/** Orders findings by offset; of two at one offset the longer comes first. */
export function compareFindings(a: Span, b: Span): number {
  return a.from - b.from || b.to - a.to;
}
