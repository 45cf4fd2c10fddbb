import {
  checkQuery,
  complexityOf,
  countClauses,
  narrow,
  toClickhouseStatement,
  toDuckdbStatement,
} from '../../src/language/index.ts';
import * as language from '../../src/language-package.ts';

/** A log for functions that take one as well. */
const log = { msg: 'Connection timed out', logLevel: 'SEVERE', logCode: 9003, source: 'Sharing a b c' };

/** A log with 10 kB of a few words, and a thousand different ones. */
const longLog = {
  msg: 'a b timeout '.repeat(833),
  source: Array.from({ length: 1000 }, (_, index) => `w${index}`).join(' '),
};

const filterOf = (text: string) => language.resolve(language.parse(text).query);
const scoredOf = (text: string) => language.resolveScored(language.parse(text).query);

function scorerOf(text: string): language.Scorer {
  const scored = scoredOf(text);
  const statistics = language.statisticsOf([language.toDocument(log)], language.needsOf(scored.filter));
  return language.toScorer(scored, statistics);
}

function service(text: string): language.LanguageService {
  return language.languageService(text, { dialect: 'lucene' });
}

const cursorsOf = (text: string) => [0, text.length >> 1, text.length];

/** What each public function does with the text of anyone: the text itself, its tree, or its filter. */
export const publicCalls: { readonly [name: string]: (text: string) => unknown } = {
  analyze: language.analyze,
  analyzeSpans: language.analyzeSpans,
  applyFix: (text) =>
    language
      .validate(language.parse(text).query)
      .slice(0, 5)
      .flatMap(({ fixes }) => fixes.map((fix) => language.applyFix(text, fix))),
  checkQuery: (text) => checkQuery(text, { dialect: 'lucene' }),
  children: (text) => [...language.children(language.parse(text).query)],
  compare: (text) => language.compare(filterOf(text), filterOf(`${text} OR msg:zzz`)),
  complete: (text) => cursorsOf(text).map((cursor) => language.complete(text, cursor)),
  complexityOf: (text) => complexityOf(filterOf(text)),
  countClauses: (text) => countClauses(filterOf(text)),
  countsOf: (text) => language.countsOf(scorerOf(text), language.toDocument(log)),
  describe: (text) => language.describe(filterOf(text)),
  expandOver: (text) => language.expandOver(filterOf(text), [language.toDocument(log)]),
  explain: (text) => language.explain(language.parse(text).query),
  explainLines: (text) => language.explainLines(language.explain(language.parse(text).query)),
  explainMatch: (text) => language.explainMatch(language.parse(text).query, log),
  'explainMatch, long log': (text) => language.explainMatch(language.parse(text).query, longLog),
  explainMatchLines: (text) =>
    language.explainMatchLines(language.explainMatch(language.parse(text).query, log)),
  explainScore: (text) => {
    const scorer = scorerOf(text);
    const score = language.explainScore(scorer, language.countsOf(scorer, language.toDocument(log)));
    return score && language.scoreLines(score);
  },
  explicit: (text) => language.explicit(language.parse(text).query),
  fixQuery: (text) => language.fixQuery(text),
  format: (text) => language.format(language.parse(text).query),
  highlightMatches: (text) => language.highlightMatches(filterOf(text), log),
  'highlightMatches, long log': (text) => language.highlightMatches(filterOf(text), longLog),
  languageService: (text) => service(text).findings(),
  'languageService, codeActions': (text) => service(text).codeActions({ from: 0, to: text.length }),
  'languageService, complete': (text) => cursorsOf(text).map((cursor) => service(text).complete(cursor)),
  'languageService, formatting': (text) => service(text).formatting(),
  'languageService, hover': (text) => {
    const { hover } = service(text);
    return cursorsOf(text).map(hover);
  },
  'languageService, tokens': (text) => service(text).tokens(),
  lex: language.lex,
  match: (text) => language.match(filterOf(text), log),
  'match, long log': (text) => language.match(filterOf(text), longLog),
  matchDocument: (text) => language.matchDocument(filterOf(text), language.toDocument(log)),
  narrow: (text) => narrow(text, ['logCode:9003']),
  needsOf: (text) => language.needsOf(filterOf(text)),
  parse: (text) => language.parse(text),
  parseDate: (text) => language.parseDate(text, { roundUp: false, now: 0 }),
  plan: (text) => language.plan(filterOf(text)),
  print: (text) => language.print(language.parse(text).query),
  quote: language.quote,
  relate: (text) => language.relate(filterOf(text), filterOf(`${text} OR msg:zzz`)),
  resolve: filterOf,
  resolveScored: scoredOf,
  scoreDocument: (text) => language.scoreDocument(scorerOf(text), language.toDocument(log)),
  simplify: (text) => language.simplify(filterOf(text)),
  toClickhouse: (text) => language.toClickhouse(filterOf(text)),
  toClickhouseStatement: (text) => toClickhouseStatement(scoredOf(text)),
  toDocument: (text) => language.toDocument({ msg: text }),
  toDuckdb: (text) => language.toDuckdb(filterOf(text)),
  toDuckdbStatement: (text) => toDuckdbStatement(scoredOf(text)),
  toElasticsearch: (text) => language.toElasticsearch(filterOf(text)),
  toSarif: (text) => {
    const { query, findings } = language.parse(text);
    return language.toSarif(
      [{ uri: 'query.txt', text, findings: [...findings, ...language.validate(query)] }],
      { headings: new Map() },
    );
  },
  toScorer: scorerOf,
  toText: (text) => language.toText(filterOf(text)),
  tokensOf: (text) => language.tokensOf(language.parse(text).query),
  'validate, messages': (text) =>
    language
      .validate(language.parse(text).query, { dialect: 'lucene' })
      .map(({ message, fixes }) => `${message} ${fixes.length}`),
  validate: (text) => language.validate(language.parse(text).query).map(({ fixes }) => fixes),
  visit: (text) => language.visit(language.parse(text).query, { Word: () => language.word('w') }),
  walk: (text) => language.walk(language.parse(text).query, {}),
  wantedValues: (text) => cursorsOf(text).map((cursor) => language.wantedValues(text, cursor)),
  withoutEscapes: language.withoutEscapes,
};
