import { type ClickhouseToken, clickhouseTokens } from './clickhouse-tokens.ts';

/** First words of the statements that only read. */
const readers: ReadonlySet<string> = new Set([
  'SELECT',
  'WITH',
  'FROM',
  'EXPLAIN',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXISTS',
]);

/**
 * Functions that the server runs for everyone who may read: they read files, ask models, run a text as SQL, or read a
 * table beside the filter of its deployment.
 */
const outside =
  /^(?:file|eval|catboostevaluate|ai(?:classify|embed|extract|generate|translate)|mergetree\w+)$/i;

/**
 * Returns why SQL of a user reaches beyond logs by what ClickHouse permits to a read-only query: settings of a subquery,
 * which replace all limits, other statements, and some functions. Returns undefined if it does not.
 */
export function problemOfReading(sql: string): string | undefined {
  const tokens = [...clickhouseTokens(sql)];
  const first = tokens.find(({ text }) => text !== '(');
  if (first && !(first.kind === 'word' && readers.has(first.text.toUpperCase())))
    return `SQL on a cluster begins with SELECT or WITH, not with "${first.text}"`;
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (isSettings(token, before, after))
      return 'SQL on a cluster has no SETTINGS; a column of this name belongs in quotation marks';
    if (token.kind !== 'sign' && after?.text === '(' && after.kind === 'sign' && outside.test(token.text))
      return `The function "${token.text}" reaches beyond the logs of the cluster`;
  }
  return undefined;
}

/** Reports if a token begins a clause of settings, which a name follows. */
function isSettings(
  token: ClickhouseToken,
  before: ClickhouseToken | undefined,
  after: ClickhouseToken | undefined,
): boolean {
  if (token.kind !== 'word' || token.text.toUpperCase() !== 'SETTINGS') return false;
  if (before?.text === '.' || before?.text.toUpperCase() === 'AS') return false;
  return after !== undefined && after.kind !== 'sign';
}
