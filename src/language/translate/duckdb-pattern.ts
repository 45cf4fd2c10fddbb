import type { PhraseFilter } from '../meaning/filter.ts';
import type { TermPattern } from '../meaning/term-test.ts';
import { wordsContainSql, wordsSql } from './duckdb-words.ts';
import { type PatternSql, type PatternTarget, patternCondition, type TermText } from './pattern-condition.ts';
import { tokenCodePoints, valueCodePoints } from './re2.ts';

/** The column, and the function that binds a parameter. */
interface Column {
  readonly column: string;
  readonly bind: (value: string) => string;
}

/**
 * Returns the condition for a pattern or a phrase, which is NULL if the column is. Undefined if none is
 * useful, so that each row must be matched.
 *
 * `column` is SQL of the values of the field. `bind` stores a parameter and returns its placeholder; text of the user
 * occurs nowhere else.
 */
export function duckdbPattern(
  filter: TermPattern | PhraseFilter,
  column: string,
  bind: (value: string) => string,
): PatternSql | undefined {
  if (filter.kind === 'phrase') return phraseCondition(filter, { column, bind });
  return patternCondition(filter, (filter.field.type === 'text' ? tokensIn : valueIn)({ column, bind }));
}

/** Tests of the words of a column, which has them between blanks. */
function tokensIn({ column, bind }: Column): PatternTarget {
  return {
    codePoints: tokenCodePoints,
    contains: ({ text, isStart, isEnd }) => {
      if (text.includes(' ')) return 'false';
      const joined = (isStart ? ' ' : '') + text + (isEnd ? ' ' : '');
      return wordsContainSql(column, { pieces: [text], joined }, bind);
    },
    matches: (expression) => `regexp_matches(${wordsSql(column)}, ${bind(` (?:${expression}) `)})`,
  };
}

/** Tests of the value of a column. */
function valueIn({ column, bind }: Column): PatternTarget {
  return {
    codePoints: valueCodePoints,
    contains: ({ text, ...ends }) => {
      if (ends.isStart && ends.isEnd) return `${column} = ${bind(text)}`;
      return `${testAt(ends)}(${column}, ${bind(text)})`;
    },
    matches: (expression) => `regexp_full_match(${column}, ${bind(expression)})`,
  };
}

function testAt({ isStart, isEnd }: Omit<TermText, 'text'>): string {
  return isStart ? 'starts_with' : isEnd ? 'ends_with' : 'contains';
}

function phraseCondition({ terms, slop }: PhraseFilter, { column, bind }: Column): PatternSql {
  const joined = ` ${terms.join(' ')} `;
  if (slop === 0) return { sql: wordsContainSql(column, { pieces: terms, joined }, bind), exact: true };
  const all = [...new Set(terms)].map((term) =>
    wordsContainSql(column, { pieces: [term], joined: ` ${term} ` }, bind),
  );
  return { sql: `(${all.join(' AND ')})`, exact: false };
}
