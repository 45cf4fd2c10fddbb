import type { Finding } from './finding.ts';
import { QueryParser } from './grammar.ts';
import { lex } from './lex.ts';
import { type SyntaxCode, syntaxFindings } from './syntax.ts';
import type { Query } from './tree.ts';

/** The result of parsing a text. */
export interface Parsed {
  readonly query: Query;
  /** The reasons why the engine refuses the text, in its order; empty for an accepted text. */
  readonly findings: readonly Finding<SyntaxCode>[];
}

// The parser holds no state between texts; its construction is expensive.
let parser: QueryParser | undefined;

/**
 * Parses any text as a query. Never throws; the tree prints back to the text.
 *
 * ```ts
 * const { query, findings } = parse('logLevel:SEVERE AND (msg:timeout');
 * findings[0]?.code; // 'unclosed-group'
 * print(query); // 'logLevel:SEVERE AND (msg:timeout'
 * ```
 */
export function parse(text: string): Parsed {
  parser ??= new QueryParser({ skipValidations: true });
  const query = parser.read(lex(text));
  return { query, findings: syntaxFindings(query) };
}
