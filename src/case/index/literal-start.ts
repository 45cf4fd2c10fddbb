import type { TermPattern, TermRangeFilter } from '../../language/index.ts';
import { wildcardParts } from '../../language/index.ts';

/**
 * Returns a common prefix of all terms that a pattern selects. Comparing it leaves few terms to test. Empty if
 * there is no obvious one.
 */
export function literalStart(filter: TermPattern | TermRangeFilter): string {
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

/**
 * Letters and digits at the start of a regular expression. A quantifier may make the last one optional, a
 * choice or complement all of them.
 */
function startOfRegexp(pattern: string): string {
  if (/[|&~]/.test(pattern)) return '';
  const [, start = '', next = ''] = /^([a-z0-9]*)([\s\S]?)/.exec(pattern) ?? [];
  return /[?*+{]/.test(next) ? start.slice(0, -1) : start;
}
