import { innerRules, optionalRules, QueryParser } from '../src/language/parse/parse.ts';

/** One side of a production. */
export type Expression =
  | { readonly kind: 'terminal' | 'rule'; readonly name: string }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly Expression[] }
  | { readonly kind: 'optional' | 'repeated'; readonly of: Expression };

/** A rule of the grammar and its definition. */
export interface Production {
  readonly name: string;
  readonly expression: Expression;
}

/**
 * Derives the engine's grammar from the parser: without the rules for refused input, and with
 * required parts required.
 */
export function productions(): Production[] {
  const rules = new QueryParser({ skipValidations: true }).getSerializedGastProductions() as Part[];
  return rules
    .filter(({ name }) => name !== undefined && !innerRules.has(name))
    .map(({ name = '', definition = [] }) => ({ name, expression: sequence(definition) ?? nothing(name) }));
}

/** A node of the parser's description of itself. */
interface Part {
  readonly type: string;
  readonly name?: string;
  readonly definition?: readonly Part[];
}

function expression({ type, name = '', definition = [] }: Part): Expression | undefined {
  switch (type) {
    case 'Terminal':
      return { kind: 'terminal', name };
    case 'NonTerminal':
      return innerRules.has(name) ? undefined : { kind: 'rule', name };
    case 'Alternation':
      return choice(definition);
    case 'Option':
      return isOptional(definition) ? wrapped('optional', definition) : sequence(definition);
    case 'Repetition':
      return wrapped('repeated', definition);
    default:
      return sequence(definition);
  }
}

function sequence(parts: readonly Part[]): Expression | undefined {
  const of = parts.map(expression).filter((part) => part !== undefined);
  // A refused piece would make its successors unreachable, but only whole alternatives are refused.
  return 1 < of.length ? { kind: 'sequence', of } : of[0];
}

function choice(alternatives: readonly Part[]): Expression | undefined {
  const of = alternatives.map(expression).filter((part) => part !== undefined);
  return 1 < of.length ? { kind: 'choice', of } : of[0];
}

function wrapped(kind: 'optional' | 'repeated', parts: readonly Part[]): Expression | undefined {
  const of = sequence(parts);
  return of && { kind, of };
}

function isOptional([part]: readonly Part[]): boolean {
  return part?.name !== undefined && optionalRules.has(part.name);
}

function nothing(name: string): never {
  throw new Error(`The rule "${name}" reads nothing that the engine accepts`);
}
