import type { Clause, Group, Query } from '../../../language/tree.ts';
import type { Unit } from '../../clauses.ts';
import type { Level } from './level.ts';
import type { Need } from './need.ts';
import type { Alternative } from './ordinary-view.ts';

/** What there is to ask about a query. */
export interface LevelReader {
  readonly level: (node: Query | Group) => Level;
  readonly need: (clause: Clause) => Need;
}

/** A log that has what some clauses need, and nothing else. */
interface Log {
  /** What these clauses say. */
  readonly sayings: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

/** Whether something matches; undefined when it may be either. */
type Truth = boolean | undefined;

/** More logs are not tried; a level that needs more is left to a real comparison. */
const mostLogs = 40;

/**
 * Whether a log is found that the server and a person take otherwise because of
 * the operators of a level. Tried are logs that have just what one alternative
 * asks for, with or without something excluded: on nearly all levels one of
 * them will do. The groups on the level count as the server takes them.
 */
export function isToldApart(
  level: Level,
  alternatives: readonly Alternative[],
  reader: LevelReader,
): boolean {
  let tried = 0;
  for (const clauses of wantedTogether(alternatives, level)) {
    const log = logOf(clauses, reader);
    const server = log && serverTruth(level, log, reader);
    const person = log && server !== undefined ? personTruth(alternatives, log, reader) : undefined;
    if (person !== undefined && server !== person) return true;
    tried += 1;
    if (tried === mostLogs) return false;
  }
  return false;
}

/** The clauses that one of the logs to be tried has to match. */
function* wantedTogether(
  alternatives: readonly Alternative[],
  { taken: { must, mustNot } }: Level,
): Generator<readonly Clause[]> {
  for (const alternative of alternatives) {
    const wanted = alternative
      .filter(({ modifier }) => modifier !== 'not')
      .map(({ clauses: [first] }) => first);
    yield wanted;
    for (const { clauses } of mustNot) yield [...wanted, clauses[0]];
  }
  yield [];
  yield must.map(({ clauses: [first] }) => first);
}

/** A log with what clauses need; undefined where two need different values of one field. */
function logOf(clauses: readonly Clause[], reader: LevelReader): Log | undefined {
  const [sayings, words, fields] = [new Set<string>(), new Set<string>(), new Set<string>()];
  return clauses.every(add) ? { sayings, words, fields } : undefined;

  function add(clause: Clause): boolean {
    if (clause.item.kind === 'Group') return neededIn(reader.level(clause.item)).every(add);
    const need = reader.need(clause);
    if (need.kind === 'nothing' || need.kind === 'unclear' || sayings.has(need.saying)) return true;
    sayings.add(need.saying);
    if (need.kind === 'value') return fields.size < fields.add(need.field).size;
    for (const term of need.terms) words.add(term);
    return true;
  }
}

/** Clauses that suffice for a level to match. */
function neededIn({ taken: { must, should } }: Level): Clause[] {
  return (0 < must.length ? must : should.slice(0, 1)).map(({ clauses: [first] }) => first);
}

function serverTruth({ taken: { must, should, mustNot } }: Level, log: Log, reader: LevelReader): Truth {
  const truthOf = ({ clauses }: { readonly clauses: Unit }) => unitTruth(clauses, log, reader);
  const wanted = 0 < must.length || should.length === 0 ? all(must, truthOf) : any(should, truthOf);
  return wanted === false ? false : both(wanted, not(any(mustNot, truthOf)));
}

function personTruth(alternatives: readonly Alternative[], log: Log, reader: LevelReader): Truth {
  return any(alternatives, (operands) =>
    all(operands, ({ modifier, clauses }) => {
      const truth = unitTruth(clauses, log, reader);
      return modifier === 'not' ? not(truth) : truth;
    }),
  );
}

function unitTruth(unit: Unit, log: Log, reader: LevelReader): Truth {
  return any(unit, (clause) => holds(clause, log, reader));
}

/** Whether a log matches a clause. Words that it shares with another clause may or may not do. */
function holds(clause: Clause, log: Log, reader: LevelReader): Truth {
  if (clause.item.kind === 'Group') return serverTruth(reader.level(clause.item), log, reader);
  const need = reader.need(clause);
  if (need.kind === 'nothing') return false;
  if (need.kind === 'unclear') return undefined;
  if (log.sayings.has(need.saying)) return true;
  return mayHold(need, log) ? undefined : false;
}

function mayHold(need: Exclude<Need, { kind: 'nothing' | 'unclear' }>, { words, fields }: Log): boolean {
  if (need.kind === 'value') return fields.has(need.field);
  const has = (term: string) => words.has(term);
  const hasWords = need.kind === 'any' ? need.terms.some(has) : need.terms.every(has);
  return hasWords || need.values.some((field) => fields.has(field));
}

function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

function both(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}

function any<T>(things: readonly T[], truthOf: (thing: T) => Truth): Truth {
  return not(all(things, (thing) => not(truthOf(thing))));
}

function all<T>(things: readonly T[], truthOf: (thing: T) => Truth): Truth {
  let truth: Truth = true;
  for (const thing of things) {
    truth = both(truth, truthOf(thing));
    if (truth === false) return false;
  }
  return truth;
}
