import {
  assuredSteps,
  type Effort,
  type EngineRefusal,
  newEffort,
  shareEffort,
} from '../automata/automaton.ts';
import { checkFuzzy } from '../automata/fuzzy.ts';
import { checkPrefix, checkRegexp, checkWildcard } from '../automata/wildcard.ts';
import type { Filter, TermRangeFilter } from '../meaning/filter.ts';
import { compareCodePoints } from '../meaning/match.ts';
import type { Dialect, Field, Schema } from '../meaning/schema.ts';
import { type Engine, engines } from '../parse/engine.ts';
import type { Fix, Severity } from '../parse/finding.ts';
import {
  type Clause,
  type Group,
  type Item,
  print,
  type Query,
  type Range,
  type Regexp,
  type Span,
  type Wildcard,
  type Word,
} from '../parse/tree.ts';
import { isOneToken, itemFilter, memoize, type SearchTargets, targetLookup, termLookup } from './clause.ts';
import { type SplitConstruct, splitConstructsOn } from './constructs.ts';
import { levelsOf, type QueryLevel, type RepeatedClauses, repetitionLookup } from './level.ts';
import { readingComparison } from './readings.ts';

/** The view of a query that a rule inspects, and the function that takes its findings. */
export interface LintContext extends QueryView {
  readonly report: ReportFinding;
}

/**
 * Reports a finding at a span. Fixes come with the likeliest first. They, and a
 * message given as a function, are computed when they are first read.
 */
export type ReportFinding = (
  span: Span,
  message: string | (() => string),
  fixes?: () => readonly Fix[],
) => void;

/** The position of a clause: its level, and its index among the parts of that level. */
export interface ClausePosition {
  readonly level: QueryLevel;
  readonly index: number;
  /** The split construct that the clause belongs to, if any. */
  readonly construct: SplitConstruct | undefined;
}

/**
 * One mistake in a query that the engine accepts. A rule checks levels, clauses,
 * or both; a level is checked before the clauses on it, in the order of the text.
 */
export interface LintRule {
  /** Stable: people search for it, silence it and link to it. */
  readonly code: string;
  /** The heading of its section in the manual. */
  readonly heading: string;
  /** The default severity; a rule that is `off` runs only when it is given another one. */
  readonly severity: Severity | 'off';
  readonly level?: (level: QueryLevel, context: LintContext) => void;
  readonly clause?: (clause: Clause, context: LintContext, position: ClausePosition) => void;
}

/** The circumstances in which a query is checked. */
export interface QueryContext {
  readonly schema: Schema;
  readonly dialect: Dialect;
  readonly engine: Engine;
  /** The value of `now` in a date, in milliseconds since the epoch. */
  readonly now: number;
}

/** A query as the rules inspect it. Each answer is computed when it is first asked for, and once. */
export interface QueryView extends QueryContext {
  readonly query: Query;
  /** The text of the query. */
  readonly text: () => string;
  /** The fields that a clause searches. */
  readonly targets: (clause: Clause) => SearchTargets;
  /** A list of clauses as the server reads it. */
  readonly level: (node: Query | Group) => QueryLevel;
  /** The fields that a clause of a level searches when it names none. */
  readonly searched: (level: QueryLevel) => readonly Field[];
  /** True if the server takes the operators of a level otherwise than a person does. */
  readonly readingsDiffer: (level: QueryLevel) => boolean;
  /** The tokens of a word or a phrase as text; none for any other item. */
  readonly terms: (clause: Clause) => readonly string[];
  /** The clauses of a level that ask for the same, as far as their signatures show it. */
  readonly repetitions: (level: QueryLevel) => readonly RepeatedClauses[];
  /** The reason why the engine refuses a pattern, or undefined when it runs it. */
  readonly patternRefusal: PatternRefusal;
}

/** A view of a query. */
export function viewOf(query: Query, setting: QueryContext): QueryView {
  const { schema, engine, now } = setting;
  const printed = memoize(print);
  const text = () => printed(query);
  const targets = targetLookup(query, schema, engine);
  const terms = termLookup();
  const level = levelsOf({
    targets,
    isSearched: (clause) => isSearched(clause.item, targets(clause).fields),
    constructs: (parts) => splitConstructsOn(parts, schema),
  });
  const searched = ({ parts }: QueryLevel): readonly Field[] => {
    const bare = parts.find((part) => part.kind === 'Clause' && !part.field);
    return bare?.kind === 'Clause' ? targets(bare).fields : schema.defaults;
  };
  return {
    ...setting,
    query,
    text,
    targets,
    level,
    searched,
    readingsDiffer: readingComparison({ schema, engine, now, searched, targets, terms, level }),
    terms,
    repetitions: repetitionLookup({ terms, text }),
    patternRefusal: patternRefusals(engine),
  };
}

/** Returns whether analysis leaves something of an item in one of the fields, or there is no field in which it could. */
function isSearched(item: Item, fields: readonly Field[]): boolean {
  if (fields.length === 0 || (item.kind === 'Word' && isOneToken(item.term.text))) return true;
  // Analysing a long phrase for each field takes long, and its first letter is enough.
  if (item.kind === 'Phrase' && /^"[A-Za-z0-9]/.test(item.term.text)) return true;
  const filterFor = itemFilter(item);
  const context = { defaultOperator: 'or', now: 0, engine: engines.deployment } as const;
  return fields.some((field) => filterFor?.(field, context) !== undefined);
}

/** The most different patterns that are checked, the clause limit of the engine: a query with more is refused anyway. */
const mostPatterns = 1024;

/** The reason why the engine refuses a pattern, a fuzzy word or a range on these fields; undefined if it runs it. */
type PatternRefusal = (
  item: Regexp | Wildcard | Word | Range,
  fields: readonly Field[],
) => EngineRefusal | undefined;

/** A check of the patterns of a query: as they are written on keyword fields, in lower case on text fields. */
function patternRefusals(engine: Engine): PatternRefusal {
  const known = new Map<string, EngineRefusal | undefined>();
  const shared = newEffort();
  const typesOf = memoize((fields: readonly Field[]) => String([...new Set(fields.map(({ type }) => type))]));
  return (item, fields) => {
    const suffixes = item.kind === 'Word' ? item.suffixes.map(({ text }) => text) : [];
    const text = item.kind === 'Range' ? print(item) : item.term.text;
    const key = [typesOf(fields), text, ...suffixes].join(' ');
    if (!known.has(key) && known.size < mostPatterns)
      known.set(key, firstRefusal(item, fields, { engine, shared }));
    return known.get(key);
  };
}

function firstRefusal(
  item: Item,
  fields: readonly Field[],
  { engine, shared }: { readonly engine: Engine; readonly shared: Effort },
): EngineRefusal | undefined {
  const ofTypes = (['text', 'keyword'] as const).map((type) => fields.find((field) => field.type === type));
  for (const field of ofTypes) {
    const pattern = field && itemFilter(item)?.(field, { defaultOperator: 'or', now: 0, engine });
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
    case 'fuzzy':
      return shareEffort(shared, assuredSteps, (effort) => checkFuzzy(filter.term, filter.edits, effort));
    case 'termRange':
      return checkTermRange(filter);
    default:
      return undefined;
  }
}

/**
 * Returns why the engine refuses a range of terms, or undefined if it runs it. It follows the lower bound byte by byte in
 * search of a cycle, and one byte on if the bound is excluded; ranges of no term and of one it recognises before.
 */
function checkTermRange({ lower, upper }: TermRangeFilter): EngineRefusal | undefined {
  if (!lower || (upper && 0 <= compareCodePoints(lower.value, upper.value))) return undefined;
  return checkPrefix(lower.inclusive ? lower.value : `${lower.value}\0`);
}
