import { expect, test } from 'vitest';
import { problemOfReading } from '../../src/language/translate/clickhouse.ts';

test.each([
  'SELECT * FROM (SELECT * FROM log_rows SETTINGS additional_table_filters = {})',
  "SELECT * FROM (SELECT * FROM url('http://127.0.0.1/') SETTINGS readonly = 0)",
  "SELECT 1 AS 'x' SETTINGS readonly = 0",
  'SELECT 1 settings /* x */ `max_threads` = 1',
  'SELECT * FROM (SELECT 1 SETTINGS log_queries)',
  'WITH a AS (SELECT 1 SETTINGS "readonly"=0) SELECT * FROM a',
  // The server reads these quotation marks too: the clause between them is no literal.
  "SELECT ‘'’ FROM (SELECT 1 SETTINGS readonly = 0) WHERE ‘'’ = ''",
  'SELECT “"” FROM (SELECT 1 SETTINGS readonly = 0) WHERE “"” = 1',
  "SELECT '\\' ', 1 SETTINGS readonly = 0 -- '",
  "SELECT $a$'$a$ FROM (SELECT 1 SETTINGS readonly = 0) WHERE $a$'$a$ = ''",
])('%s has settings', (sql) => {
  expect(problemOfReading(sql)).toContain('has no SETTINGS');
});

test.each([
  "SELECT file('/etc/passwd')",
  'SELECT "f\\x69le" (\'/etc/passwd\')',
  "SELECT `FILE`('/etc/passwd')",
  "SELECT * FROM mergeTreeTextIndex('gis', 'log_rows', 'msg_terms')",
  "SELECT * FROM eval('SELECT 1')",
  "SELECT aiGenerate('x', 'y')",
])('%s has a function that reaches beyond the logs', (sql) => {
  expect(problemOfReading(sql)).toContain('reaches beyond the logs');
});

test.each([
  'KILL QUERY WHERE 1',
  '-- a\n/* b */ (kill query where 1)',
  'EXECUTE AS ann SELECT 1',
  '"SELECT" 1',
])('%s is no reading', (sql) => {
  expect(problemOfReading(sql)).toContain('begins with SELECT or WITH, not with');
});

test.each([
  '',
  'SELECT 1',
  '-- a\n# b\n((SELECT 1) UNION ALL (SELECT 2))',
  'WITH x AS (SELECT 1) SELECT * FROM x',
  'from logs select count()',
  'EXPLAIN indexes = 1 SELECT 1',
  'DESCRIBE logs',
  'SELECT name FROM system.settings LIMIT 1',
  'SELECT 1 AS settings FROM logs',
  'SELECT "settings" FROM (SELECT 1 AS settings) WHERE settings = 1',
  "SELECT 'SETTINGS a = 1', file FROM parts -- SETTINGS a = 1\n/* file(1) */",
  'SELECT "settings" AS x, `file`, basename(file) FROM parts',
])('%s may run', (sql) => {
  expect(problemOfReading(sql)).toBeUndefined();
});
