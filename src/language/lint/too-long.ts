import type { LintRule } from './rule.ts';

/** The default limit of newer engines, in characters (the setting `search.query.max_query_string_length`). */
const longest = 32_000;

/** A text longer than engines take. */
export const tooLongQuery: LintRule = {
  code: 'too-long',
  heading: 'The query is longer than some engines take',
  severity: 'warning',
  level: ({ parts }, { query, report }) => {
    if (parts !== query.parts || query.to <= longest) return;
    const message = 'This is beyond 32,000 characters, which is all that some engines take';
    report({ from: longest, to: query.to }, message);
  },
};
