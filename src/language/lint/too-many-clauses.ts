import type { Filter } from '../meaning/filter.ts';
import { resolve } from '../meaning/resolve.ts';
import type { Part, Span } from '../parse/tree.ts';
import { isOneToken } from './clause.ts';
import { startOf } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';

/** More clauses than the engine joins in one search (section 7.8 of the language specification). */
export const tooManyClauses: LintRule = {
  code: 'too-many-clauses',
  heading: 'There are more clauses than the engine takes',
  severity: 'error',
  level: ({ parts }, context) => {
    // Resolving takes longer than most rules do, and few queries are long enough to need it.
    if (parts !== context.query.parts || upperLimit(parts, context) <= clauseLimit) return;
    const { count, beyond } = clausesOf(context);
    if (count <= clauseLimit) return;
    const [found, taken] = [count, clauseLimit].map((number) => number.toLocaleString('en-US'));
    context.report(
      beyond ?? context.query,
      `These are ${found} clauses; the engine takes ${taken} (a word without a field is one for each default field)`,
    );
  },
};

/** An upper limit of the number of clauses, found without analysis. */
function upperLimit(parts: readonly Part[], context: LintContext): number {
  let count = 0;
  for (const part of parts) {
    if (part.kind === 'Stray') continue;
    const { item } = part;
    if (item.kind === 'Group') {
      count += upperLimit(item.parts, context);
    } else {
      const wordCount = item.kind === 'Word' && !isOneToken(item.term.text) ? item.term.text.length : 1;
      count += wordCount * Math.max(1, context.targets(part).fields.length);
    }
  }
  return count;
}

/** The number of clauses of a query, and the span of those beyond the limit. */
function clausesOf({ query, schema, now }: LintContext): { count: number; beyond: Span | undefined } {
  let count = 0;
  let last: Filter | undefined;
  let beyond: Span | undefined;
  const filter = resolve(query, {
    schema,
    now,
    onClause: (clause, found) => {
      // All words of a run come with the filter of the run.
      if (clause.item.kind === 'Group' || !found || found === last) return;
      last = found;
      count += countClauses(found);
      if (clauseLimit < count) beyond ??= { from: startOf(clause), to: query.end.from };
    },
  });
  return { count: countClauses(filter), beyond };
}

/** The default limit of the clauses that the engine joins in one search (section 7.8 of the language specification). */
export const clauseLimit = 1024;

/** The clauses of a filter as the engine counts them: one for each word, phrase, range or pattern on each field. */
export function countClauses(filter: Filter): number {
  switch (filter.kind) {
    case 'bool':
      return sum(filter.must) + sum(filter.should) + sum(filter.mustNot);
    case 'disMax':
      return sum(filter.filters);
    default:
      return 1;
  }
}

function sum(filters: readonly Filter[]): number {
  return filters.reduce((total, filter) => total + countClauses(filter), 0);
}
