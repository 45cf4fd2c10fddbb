import fc from 'fast-check';
import { analyze } from '../../src/language/meaning/analyze.ts';
import { nearQuery } from '../../src/testing/query-text.ts';
import { type Drawn, documentedItem, excerpt, type Item, luceneItem } from './query-items.ts';
import { type Random, randomOf } from './random.ts';
import type { Corpus } from './search-lucene.ts';

/** Material of a query. */
interface Syntax {
  readonly item: Item;
  readonly conjunctions: readonly string[];
  readonly modifiers: readonly string[];
}

const documented: Syntax = {
  item: documentedItem,
  conjunctions: [' ', ' ', ' AND ', ' OR ', '  ', '\nAND\t', '\u3000'],
  modifiers: ['', '', '', '', 'NOT '],
};

const lucene: Syntax = {
  item: (drawn, random) => random.oneOf([documentedItem, luceneItem])(drawn, random),
  conjunctions: [' ', ' ', ' AND ', ' OR ', ' && ', ' || ', ''],
  modifiers: ['', '', '', '', 'NOT ', '-', '+', '! ', '!'],
};

/**
 * Random queries about the logs of a corpus: two fifths in the documented
 * dialect, as many in the engine's whole syntax, and the rest most likely broken.
 */
export function randomQueries(corpus: Corpus, count: number, seed: number): readonly string[] {
  const random = randomOf(seed);
  const writer = { drawn: drawnFrom(corpus), fields: fieldsAsked(corpus), random };
  const nearly = fc.sample(nearQuery, { numRuns: 1000, seed });
  return Array.from({ length: count }, (_, index) => {
    if (index % 5 < 4) return level(writer, index % 5 < 2 ? documented : lucene, 0);
    const text = random.weighted([
      [6, () => changed(level(writer, random.oneOf([documented, lucene]), 0), random)],
      [2, () => random.oneOf(nearly)],
      [1, () => excerpt(random.oneOf(writer.drawn).words, 4, random).join(' ')],
    ])();
    // An index in UTF-8 cannot hold half a surrogate pair.
    return text.toWellFormed();
  });
}

interface Writer {
  readonly drawn: readonly Drawn[];
  readonly fields: readonly string[];
  readonly random: Random;
}

function drawnFrom({ logs }: Corpus): readonly Drawn[] {
  return logs
    .flatMap((log) => Object.entries(log).map(([field, value]) => ({ field, value: `${value ?? ''}` })))
    .map((each) => ({ ...each, words: each.value.match(/\S+/g) ?? [], tokens: analyze(each.value) }))
    .filter(({ words, tokens }) => 0 < words.length && 0 < tokens.length);
}

/** The names of the fields, others that nobody has, and patterns for several. */
function fieldsAsked({ schema }: Corpus): readonly string[] {
  return [...schema.fields.keys(), 'nosuch', 'MSG', '*', 's\\*', '\\*Code', '\\u006dsg'];
}

function level(writer: Writer, syntax: Syntax, depth: number): string {
  const { random } = writer;
  const rest = Array.from({ length: random.below(depth === 0 ? 5 : 3) });
  return rest.reduce<string>(
    (text) => text + random.oneOf(syntax.conjunctions) + clause(writer, syntax, depth),
    clause(writer, syntax, depth),
  );
}

function clause(writer: Writer, syntax: Syntax, depth: number): string {
  const { drawn, fields, random } = writer;
  const modifier = random.oneOf(syntax.modifiers);
  if (random.below(6 + 4 * depth) === 0) {
    const field = random.weighted([
      [2, ''],
      [1, `${random.oneOf(fields)}:`],
    ]);
    return `${modifier}${field}(${level(writer, syntax, depth + 1)})`;
  }
  const each = random.oneOf(drawn);
  const field = random.weighted([
    [5, `${each.field}:`],
    [4, ''],
    [1, `${random.oneOf(fields)}:`],
  ]);
  return modifier + field + syntax.item(each, random);
}

const inserted = [
  '',
  '',
  '\\u0041',
  '\\u00',
  '\\',
  ' ',
  ' AND ',
  ' TO ',
  '\u00a0',
  '“',
  ...'+-!():^[]"{}~*?\\/&|<>=, \tTO0',
];

/** A query with some characters too many, too few or in the wrong place. */
function changed(query: string, { below, oneOf }: Random): string {
  return Array.from({ length: 1 + below(3) }).reduce<string>((text) => {
    const from = below(text.length + 1);
    return text.slice(0, from) + oneOf(inserted) + text.slice(from + below(3));
  }, query);
}
