import type { Expression, Production } from './productions.ts';
import { pieces, terminals } from './terminals.ts';

/** The published grammar: the rules and the shape of the tokens. */
export function ebnf(rules: readonly Production[]): string {
  return [
    '(* searchQuery, as the engine reads it. Written from the parser: npm run grammar *)',
    '',
    ...rules.map(({ name, expression }) => `${name} = ${text(expression)} ;`),
    '',
    '(* Tokens. The longest match wins. Blanks may stand between any two. *)',
    '',
    ...Object.entries({ ...terminals, ...pieces }).map(([name, form]) => `${name} = ${form} ;`),
    '',
  ].join('\n');
}

function text(expression: Expression): string {
  switch (expression.kind) {
    case 'terminal':
    case 'rule':
      return expression.name;
    case 'sequence':
      return expression.of.map(operand).join(' ');
    case 'choice':
      return expression.of.map(text).join(' | ');
    case 'optional':
      return `[ ${text(expression.of)} ]`;
    case 'repeated':
      return `{ ${text(expression.of)} }`;
  }
}

function operand(expression: Expression): string {
  return expression.kind === 'choice' ? `( ${text(expression)} )` : text(expression);
}
