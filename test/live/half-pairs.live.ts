import { expect, test } from 'vitest';
import { halfPairLogs, halfPairQueries, halfPairSchemas } from '../conformance/half-pairs.ts';
import { searchLucene } from './search-lucene.ts';

test('the engine asked here gives the measured answers about halves of surrogate pairs', async () => {
  const lines = Object.entries(halfPairSchemas).flatMap(([fields, schema]) => {
    const answers = searchLucene({ schema, logs: halfPairLogs, defaultOperator: 'or' }, halfPairQueries);
    return halfPairQueries.map((q, index) => {
      const answer = answers[index];
      return `${JSON.stringify({ fields, q, hits: answer && 'hits' in answer ? answer.hits : [] })}\n`;
    });
  });
  await expect(lines.join('')).toMatchFileSnapshot('../conformance/half-pairs.ndjson');
});
