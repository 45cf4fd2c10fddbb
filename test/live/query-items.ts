import fc from 'fast-check';
import { quote } from '../../src/language/parse/lex.ts';
import { edgeNumberTexts } from '../../src/testing/edge-numbers.ts';
import { regexpJunk, regexpText, tilde } from '../property/pattern-text.ts';
import type { Random } from './random.ts';
import { seed } from './settings.ts';

/** One value of one log, from which a clause is made, so that queries find something. */
export interface Drawn {
  readonly field: string;
  readonly value: string;
  /** Text between the blanks. */
  readonly words: readonly string[];
  readonly tokens: readonly string[];
}

/** A way to ask for a value, or for a part of it. */
export type Item = (drawn: Drawn, random: Random) => string;

const word: Item = ({ words }, { oneOf }) => escaped(start(oneOf(words), 40));
const token: Item = ({ tokens }, { oneOf }) => escaped(start(oneOf(tokens), 40));
const run: Item = ({ words }, random) =>
  excerpt(words, 2 + random.below(2), random)
    .map(escaped)
    .join(' ');
const phrase: Item = ({ words }, random) => quote(excerpt(words, 1 + random.below(4), random).join(' '));
const whole: Item = ({ value }) => quote(value);
const number: Item = ({ words }, random) => quote(nearby(random.oneOf(words), random));
const nothing: Item = (_, { oneOf }) => oneOf(['"--"', '""', '...', '\\-\\-', 'TO', 'and', '"AND"', '\\AND']);

const bounds: Item = (drawn, random) =>
  random.weighted<Item>([
    [5, ({ words }) => asBound(nearby(start(random.oneOf(words), 16), random))],
    [3, ({ tokens }) => asBound(start(random.oneOf(tokens), 1 + random.below(6)))],
    [2, () => random.oneOf(['*', '"*"', '\\*', 'TO'])],
  ])(drawn, random);
const range: Item = (drawn, random) => {
  const [lower, upper] = [bounds(drawn, random), bounds(drawn, random)];
  const gap = () => (random.below(3) === 0 ? random.oneOf(gaps) : ' ');
  const edge = () => (random.below(5) === 0 ? random.oneOf(gaps) : '');
  const text = `${edge()}${lower}${gap()}TO${gap()}${upper}${edge()}`;
  return `${random.oneOf(['[', '{'])}${text}${random.oneOf([']', '}'])}`;
};
/** Blanks in a range: one that stands alone separates, one that touches another character belongs to a bound. */
const gaps = [' \t ', ' \n ', ' \r ', ' \u3000 ', ' \t\n ', '\t', '\t ', ' \u3000', ' \u00a0 ', ' \n \t '];

/** Constructs of the documented language. */
export const documentedItem: Item = (drawn, random) =>
  random.weighted([
    [4, word],
    [4, token],
    [2, run],
    [3, phrase],
    [2, whole],
    [4, range],
    [1, number],
    [1, nothing],
  ])(drawn, random);

const wildcard: Item = ({ words, tokens }, random) => {
  const literal = escaped(start(random.oneOf(random.oneOf([words, tokens])), 20));
  const holes = Array.from({ length: 1 + random.below(3) }, () => random.oneOf(['?', '*', '??', '**', '?*']));
  return holes.reduce((pattern, hole) => replaced(pattern, hole, random), literal);
};
const prefix: Item = (drawn, random) => {
  const beginning = start(word(drawn, random), 1 + random.below(8));
  return `${beginning.replace(/\\+$/, '')}*`;
};
const patterns = [regexpText, regexpJunk].flatMap((text) => fc.sample(text, { numRuns: 1000, seed }));
const regexp: Item = ({ tokens }, random) => {
  if (random.below(2) === 0) return `/${random.oneOf(patterns).replaceAll('/', '')}/`;
  const literal = start(random.oneOf(tokens), 20).replace(/[^\p{L}\p{N}]/gu, '\\$&');
  return `/${replaced(literal, random.oneOf(['.', '.*', '[a-m]', '(a|e|o)', '.?', '@']), random)}/`;
};
const tildes = ['', '1', '2', '0', '0.7', ...fc.sample(tilde, { numRuns: 20, seed })];
const fuzzy: Item = ({ tokens }, random) => {
  const misspelt = replaced(start(random.oneOf(tokens), 20), random.oneOf(['', 'x', 'xy']), random);
  return `${escaped(misspelt)}~${random.oneOf(tildes)}`;
};
const sloppy: Item = ({ words }, random) => {
  const text = excerpt(words, 2 + random.below(4), random);
  const moved = random.oneOf([text, text.toReversed(), text.filter((_, place) => place !== 1)]);
  return `${quote(moved.join(' '))}~${random.below(10)}`;
};
const comparison: Item = ({ words }, random) =>
  random.oneOf(['>', '>=', '<', '<=']) + escaped(nearby(start(random.oneOf(words), 40), random));
const compared: Item = (drawn, random) => `(${comparison(drawn, random)} ${run(drawn, random)})`;
const special: Item = (_, { oneOf }) => oneOf(['*', '*', '+ ', '- ', '! ', '>', '>=', '>\\*', '**', '?']);
const existing: Item = ({ field }, { oneOf }) =>
  oneOf([`(_exists_:${field})`, `(_exists_:"${field}")`, '(_exists_:s\\*)', '(*:*)']);
const boosted: Item = (drawn, random) =>
  random.oneOf([word, phrase, range, wildcard, regexp, fuzzy, sloppy, comparison])(drawn, random) +
  random.oneOf(['^2', '^0.5', '^3.25']);

/** Other constructs of the engine. */
export const luceneItem: Item = (drawn, random) =>
  random.weighted([
    [4, wildcard],
    [2, prefix],
    [4, regexp],
    [3, fuzzy],
    [3, sloppy],
    [2, comparison],
    [1, compared],
    [1, special],
    [3, boosted],
    [1, existing],
  ])(drawn, random);

/** Some of the words next to each other. */
export function excerpt(words: readonly string[], count: number, { below }: Random): readonly string[] {
  const first = below(words.length);
  return words.slice(first, first + count);
}

/** A number as another might write it, or one beside it; other values stay as they are. */
function nearby(text: string, { oneOf }: Random): string {
  const value = Number(text);
  if (!/^[-+.\d]/.test(text) || !Number.isFinite(value)) return text;
  const beside = [value, value + 1, value - 1, value / 2, value + 0.5].map(String);
  const written = [`+${text}`, `0${text}`, value.toExponential(), value.toFixed(3), ` ${text}`];
  return oneOf([...beside, ...written, `${text}d`, `${text}x`, '1e30', oneOf(edgeNumberTexts)]);
}

/** A word of which every character is what it is. */
function escaped(text: string): string {
  if (/^(AND|OR|NOT|&&|\|\||)$/.test(text)) return quote(text);
  return text.replace(/[+\-!():^[\]"{}~*?\\/\s]/g, '\\$&');
}

/** A bound as the lexer takes it: a blank or a bracket ends one without quotes. */
function asBound(value: string): string {
  return value === '' || /[\s\]}"\\]/.test(value) ? quote(value || ' ') : value;
}

/** A text with something else in the place of one of its characters. */
function replaced(text: string, by: string, { below }: Random): string {
  const characters = [...text];
  characters[below(characters.length)] = by;
  return characters.join('');
}

/** The first characters of a text, none of them cut in half. */
function start(text: string, length: number): string {
  return [...text].slice(0, length).join('');
}
