import type { Query } from '../../language/index.ts';
import {
  clauseLimit,
  countClauses,
  documentedSchema,
  engines,
  isRefusedToken,
  parse,
  refusedPatternsIn,
  resolveScored,
  type Scored,
  tokensOf,
} from '../../language/index.ts';
import type { Failure } from '../../protocol/index.ts';

/**
 * Reads a `searchQuery`, or returns the failure with which the deployment refuses it. Refused are texts that
 * the engine cannot read or run, and the characters `? * ^ +` outside quotes without a backslash. Wildcards are
 * no supported search values (field notes). `check` finds an error in the same texts.
 */
export function readSearchParameter(text: string, now: number): { search: Scored } | { failure: Failure } {
  const { query, findings } = parse(text);
  const refused = 0 < findings.length ? findings.map(atCharacter) : refusalsIn(query, now);
  if (0 < refused.length) return failure(text, refused);
  const search = resolveScored(query, { now });
  const clauses = countClauses(search.filter);
  if (clauses <= clauseLimit) return { search };
  return failure(text, [
    `A search requires at most ${clauseLimit} clauses, not ${clauses}; a word without a field is one for each default field`,
  ]);
}

// Limits the reply, because a text may be a megabyte of mistakes.
const mostDetails = 10;

function failure(text: string, refused: readonly string[]): { failure: Failure } {
  const message = `Failed to parse query [${beginningOf(text)}]`;
  return { failure: { code: 400, message, details: refused.slice(0, mostDetails) } };
}

function beginningOf(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 500)}…`;
}

function refusalsIn(query: Query, now: number): string[] {
  const characters = tokensOf(query)
    .filter(isRefusedToken)
    .map(({ from, text }) => ({
      from,
      message: `"${text}" holds ? * ^ or +, which are no supported search values`,
    }));
  if (0 < characters.length) return characters.map(atCharacter);
  const setting = {
    schema: documentedSchema,
    dialect: 'documented',
    engine: engines.deployment,
    now,
  } as const;
  return refusedPatternsIn(query, setting).map(atCharacter);
}

function atCharacter({ from, message }: { readonly from: number; readonly message: string }): string {
  return `Character ${from + 1}: ${message}`;
}
