import type { PhraseFilter } from '../meaning/filter.ts';
import type { TermPattern } from '../meaning/term-test.ts';
import { type PatternSql, type PatternTarget, patternCondition } from './pattern-condition.ts';
import { valueCodePoints } from './re2.ts';

/**
 * Returns the condition for a pattern; undefined if none is useful, so that each row must be matched.
 *
 * `column` is SQL: for a text field the array of its tokens, for any other its value, empty if absent. `bind`
 * stores a parameter and returns its placeholder.
 */
export function termPatternCondition(
  filter: TermPattern,
  column: string,
  bind: (value: string) => string,
): PatternSql | undefined {
  if (filter.field.type !== 'text') {
    const onValue = patternCondition(filter, testsOf(column, bind));
    return onValue && { ...onValue, sql: `(${column} != '' AND ${onValue.sql})` };
  }
  if (filter.kind === 'fuzzy' && filter.expansion) return anyToken(filter.expansion, column, bind);
  const onToken = patternCondition(filter, testsOf('token', bind));
  return onToken && { ...onToken, sql: `arrayExists(token -> ${onToken.sql}, ${column})` };
}

/** One of the tokens occurs: a condition that the index answers. */
function anyToken(tokens: readonly string[], column: string, bind: (value: string) => string): PatternSql {
  const any = tokens.map((token) => `has(${column}, ${bind(token)})`);
  return { sql: any.length === 0 ? 'false' : `(${any.join(' OR ')})`, exact: true };
}

/** Tests of a text. */
function testsOf(subject: string, bind: (value: string) => string): PatternTarget {
  return {
    codePoints: valueCodePoints,
    contains: ({ text, isStart, isEnd }) => {
      if (isStart && isEnd) return `${subject} = ${bind(text)}`;
      if (isStart) return `startsWith(${subject}, ${bind(text)})`;
      return isEnd ? `endsWith(${subject}, ${bind(text)})` : `position(${subject}, ${bind(text)}) > 0`;
    },
    matches: (expression) => `match(${subject}, ${bind(`\\A(?:${expression})\\z`)})`,
  };
}

/** Begins a function whose argument another function within it uses. */
const lambdaWithin = 'arrayExists(start -> ';

/**
 * Settings without which such a function counts as true beneath a NOT, where a view reads a Distributed table: the
 * server sends its shards the rest of the condition (seen in ClickHouse 26.7).
 */
export const lambdaSettings = [['allow_push_predicate_ast_for_distributed_subqueries', 0]] as const;

/** Reports if a condition needs `lambdaSettings`. Values are parameters, so the text has none of a user. */
export function needsLambdaSettings(condition: string): boolean {
  return condition.includes(lambdaWithin);
}

/**
 * Returns the condition for a phrase in an array of tokens. Exact but for a slop on a phrase that has a term
 * twice: whether its occurrences suffice depends on the order in which the engine moves them.
 */
export function phraseCondition(
  { terms, slop }: PhraseFilter,
  column: string,
  bind: (value: string | readonly string[], type: 'String' | 'Array(String)') => string,
): PatternSql {
  if (slop === 0) return { sql: `hasSubstr(${column}, ${bind(terms, 'Array(String)')})`, exact: true };
  const all = [...new Set(terms)].map((term) => `has(${column}, ${bind(term, 'String')})`).join(' AND ');
  if (new Set(terms).size < terms.length) return { sql: `(${all})`, exact: false };
  const isTerm = terms.map((term) => `token = ${bind(term, 'String')}`);
  const starts = isTerm.map(
    (test, offset) =>
      `arrayMap(place -> toInt64(place) - ${offset}, arrayFilter((place, token) -> ${test}, arrayEnumerate(${column}), ${column}))`,
  );
  const isNear = isTerm.map(
    (test, offset) =>
      `arrayExists((place, token) -> ${test} AND toInt64(place) - ${offset} BETWEEN start AND start + ${slop}, arrayEnumerate(${column}), ${column})`,
  );
  // The term that implies the first start is one of those that lie within the slop behind it.
  const sql = `(${all} AND ${lambdaWithin}${isNear.join(' AND ')}, arrayConcat(${starts.join(', ')})))`;
  return { sql, exact: true };
}
