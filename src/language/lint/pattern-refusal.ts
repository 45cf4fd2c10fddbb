import { checkPrefix, checkRegexp, checkWildcard } from '../automata/check.ts';
import { assuredSteps, type Effort, newEffort, shareEffort } from '../automata/effort.ts';
import type { EngineRefusal } from '../automata/refusal.ts';
import type { Field } from '../meaning/fields.ts';
import type { Filter } from '../meaning/filter.ts';
import { engines } from '../parse/engine.ts';
import type { Item, Regexp, Wildcard } from '../parse/tree.ts';
import { itemFilter } from './item-filter.ts';
import { memoize } from './memo.ts';

/** The most different patterns that are checked, the clause limit of the engine: a query with more is refused anyway. */
const mostPatterns = 1024;

/** The reason why the engine refuses a pattern on these fields; undefined if it runs it. */
export type PatternRefusal = (item: Regexp | Wildcard, fields: readonly Field[]) => EngineRefusal | undefined;

/** A check of the patterns of a query: as they are written on keyword fields, in lower case on text fields. */
export function patternRefusals(): PatternRefusal {
  const known = new Map<string, EngineRefusal | undefined>();
  const shared = newEffort();
  const typesOf = memoize((fields: readonly Field[]) => String([...new Set(fields.map(({ type }) => type))]));
  return (item, fields) => {
    const key = `${typesOf(fields)} ${item.term.text}`;
    if (!known.has(key) && known.size < mostPatterns) known.set(key, firstRefusal(item, fields, shared));
    return known.get(key);
  };
}

function firstRefusal(item: Item, fields: readonly Field[], shared: Effort): EngineRefusal | undefined {
  const ofTypes = (['text', 'keyword'] as const).map((type) => fields.find((field) => field.type === type));
  for (const field of ofTypes) {
    const pattern =
      field &&
      itemFilter(item)?.(field, {
        defaultOperator: 'or',
        now: 0,
        engine: engines.deployment,
      });
    const refusal = pattern && refusalOf(pattern, shared);
    if (refusal) return refusal;
  }
  return undefined;
}

function refusalOf(filter: Filter, shared: Effort): EngineRefusal | undefined {
  switch (filter.kind) {
    case 'prefix':
      return checkPrefix(filter.prefix);
    case 'wildcard':
      return shareEffort(shared, assuredSteps, (effort) => checkWildcard(filter.pattern, effort));
    case 'regexp':
      return shareEffort(shared, assuredSteps, (effort) => checkRegexp(filter.pattern, effort));
    default:
      return undefined;
  }
}
