import { QueryParser } from './grammar.ts';
import { lex } from './lex.ts';
import type { Query } from './tree.ts';

let parser: QueryParser | undefined;

export function parse(text: string): Query {
  parser ??= new QueryParser({ skipValidations: true });
  return parser.read(lex(text));
}
