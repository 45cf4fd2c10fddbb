import type { Clause, Part } from '../parse/tree.ts';

/**
 * The role of a clause in the engine: `must` match, `should` (at least one has to if there is no
 * `must`), or `mustNot` match.
 */
export type Occur = 'must' | 'should' | 'mustNot';

/** The operator between clauses without one (section 4.2.1 of the interface document: OR). */
export type DefaultOperator = 'or' | 'and';

/** The operators of a clause, which decide its role and that of its neighbours. */
export interface Operators {
  readonly conjunction: 'and' | 'or' | undefined;
  readonly modifier: 'not' | 'required' | undefined;
}

/** Returns the operators of a clause, independent of their spelling. */
export function operatorsOf({ conjunction, modifier }: Clause): Operators {
  return {
    conjunction: conjunction && (conjunction.kind === 'And' ? 'and' : 'or'),
    modifier: modifier && (modifier.kind === 'Plus' ? 'required' : 'not'),
  };
}

/**
 * Returns the role of each clause of a level, decided from left to right. There is no precedence,
 * and a conjunction also changes the clause before it (section 2 of the language specification).
 *
 * A clause is `kept` unless its text analyses to nothing. A dropped clause still changes the one
 * before it; its own role is undefined.
 */
export function occursOf(
  clauses: readonly (Operators & { readonly kept: boolean })[],
  defaultOperator: DefaultOperator,
): (Occur | undefined)[] {
  const occurs = new Array<Occur | undefined>(clauses.length);
  let last = -1;
  for (let at = 0; at < clauses.length; at += 1) {
    const clause = clauses[at];
    if (!clause) continue;
    const before = last === -1 ? undefined : occurs[last];
    if (before && before !== 'mustNot') {
      if (clause.conjunction === 'and') occurs[last] = 'must';
      if (clause.conjunction === 'or' && defaultOperator === 'and') occurs[last] = 'should';
    }
    occurs[at] = clause.kept ? ownOccur(clause, defaultOperator) : undefined;
    if (clause.kept) last = at;
  }
  return occurs;
}

function ownOccur({ conjunction, modifier }: Operators, defaultOperator: DefaultOperator): Occur {
  if (modifier === 'not') return 'mustNot';
  // With AND as the default operator, the engine gives an OR priority over a `+` after it.
  if (defaultOperator === 'and') return conjunction === 'or' ? 'should' : 'must';
  return modifier === 'required' || conjunction === 'and' ? 'must' : 'should';
}

/**
 * A reading of AND, OR and NOT: the `server` has no precedence; in the `ordinary` one NOT binds
 * before AND and AND before OR.
 */
export type Reading = 'server' | 'ordinary';

/** One clause, or a run of neighbouring plain words that the engine analyses as one text. */
export type Unit = readonly [Clause, ...Clause[]];

/**
 * Groups the clauses of a level into units. A word is plain when it has no operator, field or
 * suffix. It continues a run only when neither AND, OR nor `*` follows it (section 1.4 of the
 * language specification). In the ordinary reading a NOT after it also takes it out of the run,
 * since the two belong together.
 */
export function unitsOf(parts: readonly Part[], reading: Reading): Unit[] {
  const [only, second] = parts;
  if (!second) return only?.kind === 'Clause' ? [[only]] : [];
  const units: Unit[] = [];
  let run: [Clause, ...Clause[]] | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part?.kind !== 'Clause') {
      run = undefined;
      continue;
    }
    if (run && isPlain(part) && !endsRun(parts[index + 1], reading)) {
      run.push(part);
      continue;
    }
    const unit: [Clause, ...Clause[]] = [part];
    units.push(unit);
    run = isPlain(part) ? unit : undefined;
  }
  return units;
}

function isPlain({ conjunction, modifier, field, item }: Clause): boolean {
  if (conjunction || modifier || field) return false;
  return item.kind === 'Word' && item.term.kind === 'Term' && item.suffixes.length === 0;
}

function endsRun(next: Part | undefined, reading: Reading): boolean {
  if (next?.kind !== 'Clause') return next !== undefined;
  if (next.conjunction) return true;
  if (reading === 'ordinary' && next.modifier) return true;
  const first =
    next.modifier ?? next.field?.name ?? (next.item.kind === 'Wildcard' ? next.item.term : undefined);
  return first?.text === '*';
}
