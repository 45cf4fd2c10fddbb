import { expect, test } from 'vitest';
import { checkNumbers } from '../../src/cluster/run-sql.ts';

test.each(['SELECT 1e400', 'SELECT 1E+400 x', 'SELECT (1.5e309)', 'SELECT -1e999'])(
  '%s has a number that is too large',
  (sql) => {
    expect(() => checkNumbers(sql)).toThrow(/^The number [\d.eE+]+ is too large: the largest is 1\.7e308$/);
  },
);

test.each([
  ...['SELECT 1e308', 'SELECT 1e-400', "SELECT '1e400'", 'SELECT a1e400', 'SELECT `1e400`'],
  ...['SELECT 1 -- 1e400', 'SELECT 1 /* 1e400 */', 'SELECT 1.2.3e4', 'SELECT 1e400x'],
])('%s has none', (sql) => {
  expect(() => checkNumbers(sql)).not.toThrow();
});
