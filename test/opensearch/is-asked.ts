/**
 * Whether the server answers a query by the rules of Elasticsearch: a blank one is an error here, and no log there. This
 * version cuts the number behind a tilde to a whole one of at most two (docs/engines.md), where Elasticsearch knows 0, 1,
 * 2 and AUTO.
 */
export function isAsked(query: string): boolean {
  return query.trim() !== '' && !/~(?![012]?(?:[ \t\r\n\u3000)]|$))/.test(query);
}
