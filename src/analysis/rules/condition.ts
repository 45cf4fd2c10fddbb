import { boolFilter, disMaxFilter, type Filter } from '../../language/index.ts';
import { refuseRule } from './read-yaml.ts';

/** Compiled search identifiers of a rule by name. */
export type Selections = ReadonlyMap<string, Filter>;

/** The words of a condition and the read position. */
interface Reader {
  readonly words: readonly string[];
  readonly selections: Selections;
  at: number;
  depth: number;
}

const [maxWords, maxDepth] = [2_000, 50];

/**
 * Compiles a condition of the Sigma rules specification 2.0: `or` binds least, then `and`, `not`,
 * `1 of …` and `all of …`. Throws `RuleRefusal` for anything else.
 */
export function compileCondition(text: string, selections: Selections): Filter {
  if (text.includes('|'))
    refuseRule('The condition aggregates behind "|", as Sigma 1 did: a correlation rule must replace it');
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  if (maxWords < words.length) refuseRule(`The condition has more than ${maxWords} words`);
  const reader: Reader = { words, selections, at: 0, depth: 0 };
  const filter = readAny(reader);
  const rest = words[reader.at];
  return rest === undefined ? filter : refuseRule(`The condition cannot go on with "${rest}"`);
}

function readAny(reader: Reader): Filter {
  const parts = [readAll(reader)];
  while (take(reader, 'or')) parts.push(readAll(reader));
  return anyOf(parts);
}

function readAll(reader: Reader): Filter {
  const parts = [readNot(reader)];
  while (take(reader, 'and')) parts.push(readNot(reader));
  return allOf(parts);
}

function readNot(reader: Reader): Filter {
  let isNegated = false;
  while (take(reader, 'not')) isNegated = !isNegated;
  const filter = readOperand(reader);
  return isNegated ? noneOf(filter) : filter;
}

function readOperand(reader: Reader): Filter {
  const word = reader.words[reader.at] ?? refuseRule('The condition ends too early');
  reader.at += 1;
  if (word === '(') return readGroup(reader);
  if (reader.words[reader.at]?.toLowerCase() === 'of') return readQuantified(word, reader);
  if (word === ')' || ['and', 'or'].includes(word.toLowerCase()))
    refuseRule(`The condition has "${word}" in place of a name`);
  return (
    reader.selections.get(word) ??
    refuseRule(`The condition names "${word}", but the detection has ${listNames(reader.selections)}`)
  );
}

function readGroup(reader: Reader): Filter {
  reader.depth += 1;
  if (maxDepth < reader.depth) refuseRule(`The condition nests more than ${maxDepth} parentheses`);
  const filter = readAny(reader);
  if (!take(reader, ')')) refuseRule('A parenthesis of the condition is not closed');
  reader.depth -= 1;
  return filter;
}

/** `1 of selection*`, `all of them`; names that begin with an underscore are not among "them". */
function readQuantified(quantifier: string, reader: Reader): Filter {
  reader.at += 1;
  const pattern = reader.words[reader.at] ?? refuseRule('The condition ends behind "of"');
  reader.at += 1;
  const test =
    pattern.toLowerCase() === 'them'
      ? /^(?!_)/
      : new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`);
  const chosen = [...reader.selections].filter(([name]) => test.test(name)).map(([, filter]) => filter);
  if (chosen.length === 0)
    refuseRule(`"${quantifier} of ${pattern}" selects none of ${listNames(reader.selections)}`);
  if (quantifier.toLowerCase() === 'all') return allOf(chosen);
  if (quantifier.toLowerCase() === 'any') return anyOf(chosen);
  const count = /^\d{1,3}$/.test(quantifier) ? Number(quantifier) : 0;
  if (count === 0)
    refuseRule(
      `"${quantifier} of" is not supported: a condition can have "1 of", "2 of" and so on, and "all of"`,
    );
  if (chosen.length < count)
    refuseRule(`"${quantifier} of ${pattern}" never holds: it selects ${chosen.length} of the names`);
  if (maxChoices < choices(chosen.length, count))
    refuseRule(`"${quantifier} of ${pattern}" selects too many names: ${chosen.length}`);
  return someOf(count, chosen);
}

/** Limit of the sets of selections of which one must match. */
const maxChoices = 500;

/** The number of sets of `count` from `total`. */
function choices(total: number, count: number): number {
  let found = 1;
  for (let index = 0; index < count; index += 1) found *= (total - index) / (index + 1);
  return found;
}

/** A filter that matches if at least this many of some do. */
function someOf(count: number, filters: readonly Filter[]): Filter {
  if (count === 1) return anyOf(filters);
  const last = filters.length - count;
  return anyOf(
    filters
      .slice(0, last + 1)
      .map((filter, index) => allOf([filter, someOf(count - 1, filters.slice(index + 1))])),
  );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
}

function listNames(selections: Selections): string {
  return selections.size === 0
    ? 'no selection'
    : [...selections.keys()].map((name) => `"${name}"`).join(', ');
}

function take(reader: Reader, word: string): boolean {
  if (reader.words[reader.at]?.toLowerCase() !== word) return false;
  reader.at += 1;
  return true;
}

/** A filter that matches if all of these do; the filter itself for one. */
export function allOf(filters: readonly Filter[]): Filter {
  const [first, second] = filters;
  return first && !second ? first : boolFilter({ must: filters });
}

/** A filter that matches if any of these does; the filter itself for one. */
export function anyOf(filters: readonly Filter[]): Filter {
  return disMaxFilter(filters);
}

/** A filter that matches if this one does not. */
export function noneOf(filter: Filter): Filter {
  return boolFilter({ mustNot: [filter] });
}
