import { checkRegexp } from '../automata/check.ts';
import { assuredSteps, newEffort, shareEffort } from '../automata/effort.ts';
import type { Filter, PhraseFilter } from './filter.ts';

/** Thrown for a filter whose evaluation would take too long. Its message names the part that causes it. */
export class QueryTooComplex extends Error {
  override readonly name = 'QueryTooComplex';
  readonly code = 'QUERY_TOO_COMPLEX';
}

const known = new WeakMap<Filter, string | undefined>();

/**
 * Returns why running a filter would take too long, or undefined if it does not. All regular
 * expressions of a filter share the effort of one, as in `validate`. The answer is cached by
 * filter.
 */
export function complexityOf(filter: Filter): string | undefined {
  if (known.has(filter)) return known.get(filter);
  const patterns = new Set<string>();
  let reason: string | undefined;
  for (const leaf of leavesIn(filter)) {
    if (leaf.kind === 'regexp') patterns.add(leaf.pattern);
    else if (leaf.kind === 'phrase') reason ??= tooRepetitive(leaf);
  }
  reason ??= tooCostly(patterns);
  known.set(filter, reason);
  return reason;
}

/** Throws `QueryTooComplex` if running a filter would take too long. */
export function assertRunnable(filter: Filter): void {
  const reason = complexityOf(filter);
  if (reason !== undefined) throw new QueryTooComplex(`The query is too complex: ${reason}`);
}

function tooCostly(patterns: Iterable<string>): string | undefined {
  const shared = newEffort();
  for (const pattern of patterns) {
    const isAffordable = shareEffort(shared, assuredSteps, (effort) => {
      checkRegexp(pattern, effort);
      return 0 <= effort.left;
    });
    if (!isAffordable)
      return `finding out what the regular expression "${shortened(pattern)}" matches would take too long; write a shorter one, or fewer`;
  }
  return undefined;
}

/** The maximum number of repeated terms in a sloppy phrase: the time to find it grows with their square. */
const mostRepeated = 500;

/** Returns why finding a sloppy phrase would take too long, or undefined if it does not. */
export function tooRepetitive({ terms, slop }: Pick<PhraseFilter, 'terms' | 'slop'>): string | undefined {
  if (slop === 0 || terms.length <= mostRepeated) return undefined;
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const repeated = [...counts.values()].reduce((sum, count) => sum + (count < 2 ? 0 : count), 0);
  if (repeated <= mostRepeated) return undefined;
  return `${repeated} words of the sloppy phrase "${shortened(terms.join(' '))}" stand in it more than once, and at most ${mostRepeated} may; write a shorter one, or leave out the "~"`;
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

type Leaf = Exclude<Filter, { kind: 'all' | 'none' | 'disMax' | 'bool' }>;

function* leavesIn(filter: Filter): Generator<Leaf> {
  const left: Filter[] = [filter];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.kind === 'disMax') left.push(...next.filters.toReversed());
    else if (next.kind === 'bool') left.push(...[...next.must, ...next.should, ...next.mustNot].reverse());
    else if (next.kind !== 'all' && next.kind !== 'none') yield next;
  }
}
