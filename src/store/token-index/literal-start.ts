import type { TermRange } from '../../meaning/filter.ts';
import type { TermPattern } from '../../meaning/term-test.ts';
import { wildcardParts } from '../../patterns/wildcard.ts';

/**
 * What every term begins with that a pattern may select: comparing it leaves
 * few terms to try. Empty where none is plain to see.
 */
export function literalStart(filter: TermPattern | TermRange): string {
  switch (filter.kind) {
    case 'prefix':
      return filter.prefix;
    case 'wildcard': {
      const parts = wildcardParts(filter.pattern);
      const end = parts.findIndex((part) => typeof part !== 'number');
      const literal = parts.slice(0, end === -1 ? parts.length : end);
      return literal.map((part) => (typeof part === 'number' ? String.fromCodePoint(part) : '')).join('');
    }
    case 'regexp':
      return startOfRegexp(filter.pattern);
    case 'fuzzy':
    case 'termRange':
      return '';
  }
}

/** The letters and digits at the beginning. What is behind them may make the last one optional, and a choice or a complement all. */
function startOfRegexp(pattern: string): string {
  if (/[|&~]/.test(pattern)) return '';
  const [, start = '', next = ''] = /^([a-z0-9]*)([\s\S]?)/.exec(pattern) ?? [];
  return /[?*+{]/.test(next) ? start.slice(0, -1) : start;
}
