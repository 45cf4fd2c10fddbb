import { parse as parseLiqe } from 'liqe';
import lucene from 'lucene';
import { bench, describe } from 'vitest';
import { parse } from '../../src/language/parse.ts';
import { validate } from '../../src/meaning/validate.ts';
import { queries } from './queries.ts';

describe('parse 1,000 queries', () => {
  bench('logquarry parse', () => {
    for (const query of queries) parse(query);
  });
  bench('logquarry parse and validate', () => {
    for (const query of queries) validate(parse(query).query);
  });
  bench('lucene', () => {
    for (const query of queries) lucene.parse(query);
  });
  bench('liqe', () => {
    for (const query of queries) attempt(() => parseLiqe(query));
  });
});

/** Some peers refuse some of the queries; that counts as an answer. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch {}
}
