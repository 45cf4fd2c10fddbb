import type { Span } from './tree.ts';

/** How much a finding matters: an `error` is refused by the server, a `warning` likely asks for something else than meant. */
export type Severity = 'error' | 'warning' | 'hint';

/** One replacement in the text; the offsets are UTF-16 units into the text as it was. */
export interface Edit extends Span {
  readonly insert: string;
}

/** A way to resolve a finding. Its edits are in the order of the text and do not overlap. */
export interface Fix {
  /** What it does, as an order: "Close the group". */
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** Something to tell the author of a query. A value: never thrown. */
export interface Finding<Code extends string = string> extends Span {
  /** Stable: people search for it, silence it and link to it. */
  readonly code: Code;
  readonly severity: Severity;
  /** What is wrong and why, in words of the query; no final stop. */
  readonly message: string;
  /** The likeliest first; empty when nothing can be offered. */
  readonly fixes: readonly Fix[];
}

/**
 * Of one kind so many findings are given back, the first ones that are come
 * upon; the last of them says how many more there are. Nobody reads on, and a
 * text of a megabyte could have a million.
 */
export const mostFindings = 50;

/** The end of the message of a finding that stands for more of its kind. */
export function andMore(more: number): string {
  return 0 < more ? ` (and ${more} more like this)` : '';
}

/** The text with the edits of a fix made. */
export function applyFix(text: string, fix: Fix): string {
  let result = '';
  let position = 0;
  for (const edit of fix.edits) {
    result += text.slice(position, edit.from) + edit.insert;
    position = edit.to;
  }
  return result + text.slice(position);
}

/** Orders findings by their place; of two at one place the longer comes first. */
export function byPlace(a: Span, b: Span): number {
  return a.from - b.from || b.to - a.to;
}
