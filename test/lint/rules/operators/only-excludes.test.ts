import { test } from 'vitest';
import { engines } from '../../../../src/language/parse/engine.ts';
import { checkFindings, checkNone } from '../check-findings.ts';

const lucene = { dialect: 'lucene', engine: engines.lucene } as const;

test.each([
  [
    'alone',
    `
NOT a
^^^^^ This only excludes, and the engine excludes from nothing: it selects no log
  Exclude from all logs: *:* AND NOT a`,
  ],
  [
    'in parentheses, and more than one',
    `
a OR (NOT b AND -c)
      ^^^^^^^^^^^^ This only excludes, and the engine excludes from nothing: it selects no log
  Exclude from all logs: a OR (*:* AND NOT b AND -c)`,
  ],
])('%s', (_where, drawn) => {
  checkFindings('only-excludes', drawn, lucene);
});

test.each(['a AND NOT b', '*:* AND NOT a', '"---"', '"..." OR ...'])(
  '%s selects something to exclude from',
  (query) => {
    checkNone('only-excludes', query, lucene);
  },
);

test.each(['NOT a', 'a OR (NOT b)'])('%s excludes from all logs to other engines', (query) => {
  checkNone('only-excludes', query, { dialect: 'lucene' });
  checkNone('only-excludes', query, { dialect: 'lucene', engine: engines.elasticsearch });
});
