import { type Effort, spendEffort } from '../automata/effort.ts';
import {
  type Constraint,
  implicationOf,
  type LeafFilter,
  type Logic,
  type Variable,
} from './boolean-logic.ts';
import { type DiagramNode, falseNode } from './diagram.ts';
import type { FieldTheory, LeafOccurrence } from './field-theory.ts';
import { holdsTerm, termInterval } from './interval.ts';
import { hasMatch, phraseImplies } from './leaf-match.ts';
import { realiseTokens } from './realise-tokens.ts';
import { type TextPart, type TextParts, textPartsOf, tokenVariables } from './text-parts.ts';

/**
 * The theory of a text field, which is any sequence of tokens. There is a variable for each
 * mentioned token, for each segment between the ends of ranges and prefixes, and for each phrase
 * and each pattern.
 *
 * Unmentioned tokens can stand between any two others, so the variables are nearly free. The
 * constraints are that a phrase implies its tokens, and every phrase and pattern that these match
 * by themselves.
 */
export function textTheory(occurrences: readonly LeafOccurrence[], effort: Effort): FieldTheory {
  const parts = textPartsOf(occurrences);
  const own = new Map<LeafFilter, Variable>(
    [...parts.phrases, ...parts.patterns].map(({ leaf, variable }) => [leaf, variable]),
  );
  return {
    variables: [...tokenVariables(parts), ...own.values(), ...(parts.present ? [parts.present] : [])],
    constraints: [...clausesOf(parts, effort)],
    formula,
    realise: (assignment, left) => realiseTokens(parts, assignment, left),
  };

  function formula(leaf: LeafFilter, logic: Logic): DiagramNode {
    const variable = leaf.kind === 'term' ? parts.terms.get(leaf.term) : own.get(leaf);
    if (variable) return logic.variable(variable);
    // A leaf without a variable matches no text, unless it covers all tokens or an interval of them.
    if (leaf.kind === 'exists' && leaf.byNorms)
      return parts.present ? logic.variable(parts.present) : falseNode;
    if (leaf.kind === 'exists') return logic.or(tokenVariables(parts).map(logic.variable));
    const interval = leaf.kind === 'term' ? undefined : termInterval(leaf);
    return interval ? logic.or(tokenVariables(parts, interval).map(logic.variable)) : falseNode;
  }
}

function* clausesOf(parts: TextParts, effort: Effort): Generator<Constraint> {
  const { present } = parts;
  if (present) {
    const conditions = [...parts.phrases, ...parts.patterns].map(({ variable }) => variable);
    for (const variable of [...tokenVariables(parts), ...conditions]) yield implicationOf(variable, present);
  }
  for (const [term, variable] of parts.terms) {
    for (const pattern of parts.patterns) {
      if (hasMatch(pattern.leaf, [term], effort)) yield implicationOf(variable, pattern.variable);
    }
  }
  for (const phrase of parts.phrases) {
    for (const term of new Set(phrase.leaf.terms)) yield* clausesOfToken(phrase, term, { parts, effort });
    for (const other of parts.phrases) {
      if (other !== phrase && phraseImplies(phrase.leaf, other.leaf, effort)) {
        yield implicationOf(phrase.variable, other.variable);
      }
    }
  }
  if (parts.rests.length === 0) return;
  for (const { variable } of parts.patterns) yield implicationOf(variable, ...tokenVariables(parts));
}

/** Constraints for a phrase from one of its tokens. */
function* clausesOfToken(
  { variable }: TextPart,
  term: string,
  { parts, effort }: { readonly parts: TextParts; readonly effort: Effort },
): Generator<Constraint> {
  spendEffort(effort, 1 + parts.rests.length);
  const rest = parts.rests.find(({ interval }) => holdsTerm(interval, term));
  const token = parts.terms.get(term) ?? rest?.variable;
  if (token) yield implicationOf(variable, token);
  for (const pattern of parts.patterns) {
    if (hasMatch(pattern.leaf, [term], effort)) yield implicationOf(variable, pattern.variable);
  }
}
