/**
 * The questions of search.mjs, as people ask them: bare words over all default fields, pasted identifiers, the newest, the best.
 * `text` is the query of logquarry and of Lucene's classic parser; a tool that cannot express a question is left out.
 */
import { begin, duration, frequentPhrase, word } from './varied-logs.mjs';

/** The text fields that a bare word searches. */
export const fields = ['msg', 'source', 'className', 'username', 'stackTraces', 'serviceTypes', 'logLevel'];

/** Length of an interval of the histogram, milliseconds: 60 in all. */
export const every = duration / 60;

const like = (text) => `(${fields.map((field) => `${field} ILIKE '%${text}%'`).join(' OR ')})`;
const bare = (text) => ({ text, fts: `"${text}"`, like: like(text), rg: text });

/** Questions about a corpus; `picks` are values of one of its logs. */
export function questionsAbout({ uuid, requestId }) {
  const [rare, medium, frequent] = [5000, 50, 2].map(word);
  const phrase = frequentPhrase();
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
      text: `msg:/${medium.slice(0, 2)}[a-m]+x/`,
      like: `regexp_matches(lower(msg), '\\b${medium.slice(0, 2)}[a-m]+x\\b')`,
    }),
    count('wildcard', {
      text: `msg:${word(200).slice(0, 4)}*x`,
      like: `regexp_matches(lower(msg), '\\b${word(200).slice(0, 4)}\\w*x\\b')`,
    }),
    count('pasted identifier', { text: `"${uuid}"`, fts: `"${uuid}"`, like: like(uuid), rg: uuid }),
    { name: 'newest 100, rare word', work: 'newest', ...bare(rare) },
    { name: 'newest 100, frequent word', work: 'newest', ...bare(frequent) },
    { name: 'newest 100, phrase', work: 'newest', ...phraseText },
    { name: 'oldest 100, frequent word', work: 'oldest', ...bare(frequent) },
    {
      name: 'best 100, two words',
      work: 'best',
      text: `${medium} ${word(80)}`,
      fts: `"${medium}" OR "${word(80)}"`,
    },
    { name: 'histogram, frequent word', work: 'histogram', ...bare(frequent) },
    { name: 'top sources, frequent word', work: 'top', ...bare(frequent) },
    { name: 'all logs of a request', work: 'trace', text: `requestID:"${requestId}"`, value: requestId },
    { name: 'five logs before and after one', work: 'context', text: `"${uuid}"`, fts: `"${uuid}"` },
    { name: 'SQL: mean elapsed by level, phrase', work: 'sql', ...phraseText },
  ];
}
