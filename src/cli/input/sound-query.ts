import { parse } from '../../language/parse.ts';
import type { Query } from '../../language/tree.ts';
import type { Filter } from '../../meaning/filter.ts';
import { type ResolveOptions, resolve } from '../../meaning/resolve.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { sayFindings } from './say-findings.ts';

/** The tree of a query; of one that the engine refuses, what is wrong is said instead. */
export function soundQuery(text: string, terminal: Terminal): Query | undefined {
  const { query, findings } = parse(text);
  sayFindings({ text }, findings, terminal);
  return findings.length === 0 ? query : undefined;
}

/** What a query asks for; of one that the engine refuses, what is wrong is said instead. */
export function soundFilter(text: string, options: ResolveOptions, terminal: Terminal): Filter | undefined {
  const query = soundQuery(text, terminal);
  return query && resolve(query, options);
}
