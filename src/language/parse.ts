import type { Finding } from './finding.ts';
import { QueryParser } from './grammar.ts';
import { lex } from './lex.ts';
import { type SyntaxCode, syntaxFindings } from './syntax.ts';
import type { Query } from './tree.ts';

/** What reading a text yields. */
export interface Parsed {
  readonly query: Query;
  /** What the engine refuses about the text, in the order of the text; empty for every text it accepts. */
  readonly findings: readonly Finding<SyntaxCode>[];
}

// The parser keeps nothing between two texts; building it is the expensive part.
let parser: QueryParser | undefined;

/**
 * Reads any text as a query. Never throws; the tree prints back to the text.
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
