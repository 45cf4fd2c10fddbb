import type { EngineName } from '../../language/engine.ts';
import type { Filter } from '../../meaning/filter.ts';
import { resolveScored, type Scored } from '../../meaning/relevance/scored.ts';
import { type Case, expandFuzzy } from '../../store/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { engineFrom } from './engine-option.ts';
import { hasErrors, readQuery } from './read-query.ts';
import { sayFindings } from './say-findings.ts';

/** A query that is to run here, or nothing when it has errors. What there is to say about it is said. */
export function filterOf(
  query: string,
  engine: EngineName | undefined,
  terminal: Terminal,
): Filter | undefined {
  return scoredOf(query, engine, terminal)?.filter;
}

/** The engine's limit is none of a case. */
const severities = new Map([['too-many-clauses', 'off'] as const]);

/** Like `filterOf`, with what the order by relevance needs. `now` is that of dates as `now-1d`: milliseconds since the epoch. */
export function scoredOf(
  query: string,
  engine: EngineName | undefined,
  terminal: Terminal,
  now = Date.now(),
): Scored | undefined {
  // What the server refuses though its engine understands it can run here all the same.
  const read = readQuery(query, { dialect: 'lucene', severities, ...engineFrom(engine) });
  sayFindings({ text: query }, read.findings, terminal);
  return hasErrors(read.findings) ? undefined : resolveScored(read.query, { now, ...engineFrom(engine) });
}

/** A filter for several cases at once: its fuzzy terms that an engine limits stand for the nearest terms of all of them. */
export async function expandedOver(cases: readonly Case[], filter: Filter): Promise<Filter> {
  return (await expandFuzzy(cases, { filter, boosts: new Map() })).filter;
}
