/**
 * The questions of search.mjs, as people ask them: bare words over all default fields, pasted identifiers, the newest, the best.
 * `text` is the query of logquarry and of Lucene's classic parser; a tool that cannot express a question is left out.
 * `field` is that of a top list or, with `from` and `to`, of a range of numbers.
 */
import { begin, corpora, duration, frequentPhrase } from './varied-logs.mjs';

/** The text fields that a bare word searches. */
export const fields = ['msg', 'source', 'className', 'username', 'stackTraces', 'serviceTypes', 'logLevel'];

/** Length of an interval of the histogram, milliseconds: 60 in all. */
export const every = duration / 60;

const like = (text) => `(${fields.map((field) => `${field} ILIKE '%${text}%'`).join(' OR ')})`;
const bare = (text) => ({ text, fts: `"${text}"`, like: like(text), rg: text });

/** Questions about a corpus; the picks are its name and values of one of its logs. */
export function questionsAbout({ corpus = 'varied', uuid, requestId }) {
  const { word, near, rareRank } = corpora[corpus];
  const [rare, medium, frequent] = [rareRank, 50, 2].map(word);
  const [end, start] = [medium.at(-1), word(200).slice(0, 4)];
  const phrase = frequentPhrase(corpora[corpus]);
  const phraseText = { text: `"${phrase}"`, fts: `"${phrase}"`, like: like(phrase), rg: phrase };
  const [from, to] = [begin + duration * 0.45, begin + duration * 0.55].map(Math.round);
  const count = (name, forms) => ({ name, work: 'count', ...forms });
  return [
    count('rare word', bare(rare)),
    count('medium word', bare(medium)),
    count('frequent word', bare(frequent)),
    count('NOT a frequent word', {
      text: `NOT ${frequent}`,
      lucene: `*:* -${frequent}`,
      ftsNot: `"${frequent}"`,
      like: `coalesce(NOT ${like(frequent)}, true)`,
      rg: frequent,
      rgFlags: ['-v'],
    }),
    count('phrase of four words', phraseText),
    count('boolean', {
      text: `${frequent} AND ${medium} AND NOT ${word(3)}`,
      lucene: `+${frequent} +${medium} -${word(3)}`,
      fts: `("${frequent}" AND "${medium}") NOT "${word(3)}"`,
      like: `${like(frequent)} AND ${like(medium)} AND coalesce(NOT ${like(word(3))}, true)`,
    }),
    count('word and a tenth of the time', {
      ...bare(medium),
      text: `${medium} AND time:[${new Date(from).toISOString()} TO ${new Date(to).toISOString()}]`,
      lucene: medium,
      ...{ from, to, rg: undefined },
    }),
    count('regular expression', {
      text: `msg:/${medium.slice(0, 2)}[a-m]+${end}/`,
      like: `regexp_matches(lower(msg), '\\b${medium.slice(0, 2)}[a-m]+${end}\\b')`,
    }),
    count('wildcard', {
      text: `msg:${start}*${word(200).at(-1)}`,
      like: `regexp_matches(lower(msg), '\\b${start}\\w*${word(200).at(-1)}\\b')`,
    }),
    ...questionsOfPatterns(near),
    count('elapsed from 1 to 5 and word', {
      text: `${medium} AND elapsed:[1 TO 5]`,
      lucene: medium,
      ...{ field: 'elapsed', from: 1, to: 5 },
    }),
    count('pasted identifier', { text: `"${uuid}"`, fts: `"${uuid}"`, like: like(uuid), rg: uuid }),
    { name: 'newest 100, rare word', work: 'newest', ...bare(rare) },
    { name: 'newest 100, frequent word', work: 'newest', ...bare(frequent) },
    { name: 'newest 100, phrase', work: 'newest', ...phraseText },
    { name: 'newest 100 of all', work: 'newest', text: '*:*', like: 'true' },
    { name: 'oldest 100, frequent word', work: 'oldest', ...bare(frequent) },
    {
      name: 'best 100, two words',
      work: 'best',
      text: `${medium} ${word(80)}`,
      fts: `"${medium}" OR "${word(80)}"`,
    },
    { name: 'histogram, frequent word', work: 'histogram', ...bare(frequent) },
    { name: 'histogram of all', work: 'histogram', text: '*:*', like: 'true' },
    { name: 'top sources, frequent word', work: 'top', field: 'source', ...bare(frequent) },
    {
      name: 'top users, NOT a frequent word',
      work: 'top',
      field: 'username',
      text: `NOT ${frequent}`,
      lucene: `*:* -${frequent}`,
    },
    { name: 'all logs of a request', work: 'trace', text: `requestID:"${requestId}"`, value: requestId },
    { name: 'five logs before and after one', work: 'context', text: `"${uuid}"`, fts: `"${uuid}"` },
    { name: 'newest 20, with five logs before and after', work: 'contexts', text: medium },
    { name: 'SQL: mean elapsed by level, phrase', work: 'sql', ...phraseText },
    { name: 'SQL: mean elapsed by level, frequent word', work: 'sql', ...bare(frequent) },
  ];
}

/** Counts by patterns whose terms are spread over the dictionary, or that no beginning narrows down. */
function questionsOfPatterns({ alternatives, typo, end }) {
  const [first, second] = alternatives;
  let shared = 0;
  while (first[shared] === second[shared]) shared++;
  const either = `${first.slice(0, shared)}(${first.slice(shared)}|${second.slice(shared)})`;
  const regexp = (name, pattern) => ({
    ...{ name, work: 'count', text: `msg:/${pattern}/` },
    like: `regexp_matches(lower(msg), '\\b${pattern.replaceAll('.', '\\w')}\\b')`,
  });
  return [
    regexp('regular expression, two words', either),
    regexp('regular expression, any beginning', `.+${end.slice(0, 2)}[${end.slice(2)}]+`),
    { name: 'fuzzy word, one edit', work: 'count', text: `msg:${typo}~1` },
    { name: 'fuzzy word, two edits', work: 'count', text: `msg:${typo}~2` },
    { name: 'wildcard, any beginning', work: 'count', text: `msg:*${end}` },
    { name: 'wildcard, within', work: 'count', text: `msg:*${end.slice(0, 4)}*` },
  ];
}
