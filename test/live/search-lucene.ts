import type { FieldValues } from '../../src/language/meaning/match.ts';
import type { DefaultOperator } from '../../src/language/meaning/resolve.ts';
import type { FieldType, Schema } from '../../src/language/meaning/schema.ts';
import type { EngineName } from '../../src/language/parse/engine.ts';
import { askJava, word } from './ask-java.ts';

/** Logs and how they are searched. */
export interface Corpus {
  readonly schema: Schema;
  readonly logs: readonly FieldValues[];
  readonly defaultOperator: DefaultOperator;
  /** Whose settings the parser has; those of the deployment unless given. */
  readonly engineName?: EngineName;
}

/** The numbers of the logs that a query selects, or why it is refused. */
export type Answer = { readonly hits: readonly number[] } | { readonly refusal: string };

/** Dates are milliseconds here; how the engine reads a date is not asked. */
const indexedAs: { readonly [T in FieldType]: string } = {
  text: 'text',
  keyword: 'keyword',
  integer: 'integer',
  decimal: 'decimal',
  date: 'integer',
};

/** Answers of Lucene to queries; `Searches.java` says how it is asked. */
export function searchLucene(corpus: Corpus, queries: readonly string[]): readonly Answer[] {
  return ask(corpus, 'search', queries).map((answer) => {
    if (answer.startsWith('refused')) return { refusal: answer.slice('refused '.length) };
    return { hits: answer === '' ? [] : answer.split(' ').map(Number) };
  });
}

/** A log that was found, by its number, and how well it fits. */
export interface Ranked {
  readonly log: number;
  readonly score: number;
}

/** The logs that queries select in Lucene's order of relevance, the best first; undefined of a query that is refused. */
export function rankByLucene(
  corpus: Corpus,
  queries: readonly string[],
): readonly (readonly Ranked[] | undefined)[] {
  return ask(corpus, 'rank', queries).map((answer) => {
    if (answer.startsWith('refused')) return undefined;
    const found = answer === '' ? [] : answer.split(' ');
    return found.map((each) => {
      const [log, score] = each.split(':').map(Number);
      return { log: log ?? -1, score: score ?? Number.NaN };
    });
  });
}

/** Queries as Lucene's parser reads them, in its own words. */
export function luceneClauses(corpus: Corpus, queries: readonly string[]): readonly string[] {
  return ask(corpus, 'clauses', queries);
}

function ask(corpus: Corpus, verb: string, queries: readonly string[]): readonly string[] {
  const setting = settingOf(corpus);
  return askJava('Searches', [...setting, ...queries.map((query) => `${verb} ${word(query)}`)]).slice(
    setting.length,
  );
}

function settingOf({ schema, logs, defaultOperator, engineName = 'deployment' }: Corpus): readonly string[] {
  const fields = [...schema.fields.values()];
  return [
    ...fields.map(({ name, type }) => `field ${word(name)} ${indexedAs[type]}`),
    ['defaults', ...schema.defaults.map(({ name }) => word(name))].join(' '),
    `operator ${defaultOperator}`,
    `engine ${engineName}`,
    ...logs.map((log) => {
      const present = Object.entries(log).filter(([, value]) => value !== undefined);
      return ['log', ...present.flatMap(([name, value]) => [word(name), word(String(value))])].join(' ');
    }),
  ];
}
